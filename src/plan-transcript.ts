import type { Spans } from './model/summarize-spans.ts'
import { nothingToCompact } from './pipeline.ts'
import { collectFiles } from './plan/collect-files.ts'
import { planCompaction } from './plan/plan-compaction.ts'
import type { SpanText } from './prompt/build-tasks.ts'
import { redactInPieces } from './redact/redact-in-pieces.ts'
import { redactFiles } from './redact/redact-plan.ts'
import { startRedaction, type Redaction } from './redact/start-redaction.ts'
import type { ConversationForm } from './schemas/compaction-request.ts'
import type { FileLists } from './session/entry.ts'
import type { Message } from './session/message.ts'
import { parseInSteps, type TranscriptMessage } from './session/parse-conversation.ts'
import { transcriptEntries } from './session/transcript-entries.ts'
import type { Steps } from './steps.ts'

/** What becomes of a serialized transcript. */
export interface TranscriptPlan {
  /** What is summarized, without secrets. */
  spans: Spans<SpanText>
  files: FileLists
  /** What stays, word for word; left out where all is summarized. */
  kept?: string
  keptMessages: readonly Message[]
}

/**
 * Plans the compaction of a serialized transcript, a message a step.
 * @param previousFiles those that the previous summary names
 * @throws Problem `nothing-to-compact`
 */
export function* planTranscript(
  { conversation, settings }: ConversationForm,
  previousFiles: FileLists,
  redaction: Redaction,
): Steps<TranscriptPlan> {
  const transcript = yield* parseInSteps(conversation)
  const { history, turnPrefix, keptFrom } = cutTranscript(transcript, settings)
  if (history.length + turnPrefix.length === 0) throw nothingToCompact()
  return {
    spans: {
      ...(history.length > 0 ? { history: yield* spanText(conversation, history, redaction) } : {}),
      ...(turnPrefix.length > 0 ? { turnPrefix: yield* spanText(conversation, turnPrefix, redaction) } : {}),
    },
    files: redactFiles(
      collectFiles({ messages: [...history, ...turnPrefix].map(({ message }) => message), lists: [previousFiles] }),
      redaction,
    ),
    keptMessages: transcript.slice(history.length + turnPrefix.length).map(({ message }) => message),
    ...(keptFrom === undefined ? {} : { kept: conversation.slice(keptFrom) }),
  }
}

function* spanText(conversation: string, span: TranscriptMessage[], redaction: Redaction): Steps<SpanText> {
  const start = span[0]?.start ?? 0
  const text = conversation.slice(start, span.at(-1)?.end)
  const starts = span.map((message) => message.start - start)
  // The text is what counts: its messages hold the same secrets again.
  const uncounted = startRedaction(redaction.isOn)
  return {
    messages: yield* uncounted.inSteps(span.map(({ message }) => message)),
    conversation: yield* redactInPieces(text, starts, redaction),
    unit: 'text',
  }
}

interface TranscriptCut {
  history: TranscriptMessage[]
  turnPrefix: TranscriptMessage[]
  /** Offset of what is kept; left out where all is summarized. */
  keptFrom?: number
}

function cutTranscript(transcript: TranscriptMessage[], settings: ConversationForm['settings']): TranscriptCut {
  if (settings?.keepRecentTokens === undefined) return { history: transcript, turnPrefix: [] }
  const entries = transcriptEntries(transcript)
  const { cut, history, turnPrefix } = planCompaction(entries, settings)
  if (cut === null) throw nothingToCompact()
  const turnAt = history.length
  const keptAt = turnAt + turnPrefix.length
  return {
    history: transcript.slice(0, turnAt),
    turnPrefix: transcript.slice(turnAt, keptAt),
    keptFrom: transcript[keptAt]?.start ?? 0,
  }
}
