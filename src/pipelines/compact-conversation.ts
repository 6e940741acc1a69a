import { createPace, runInTurns, type Steps } from '../runtime/cooperative.ts'
import { type CompactionServices, type PipelineBudget, nothingToCompact } from './services.ts'
import { takeFileTags } from '../files/file-tags.ts'
import { buildTasks, type SpanText } from '../prompt/build-tasks.ts'
import { HISTORY_SHARE, limitTokens } from '../plan/settings.ts'
import { redactGuidance } from '../prompt/redact-inputs.ts'
import { startRedaction, redactInPieces, redactFiles, type Redaction } from '../redact/redaction.ts'
import type { CompactionReply } from '../schemas/compaction-reply.ts'
import type { ConversationForm } from '../schemas/compaction-request.ts'
import { summarizeChecked, tellPlan } from './write-drafts.ts'
import { expectOfTasks } from '../summary/checks/expectations.ts'
import { takeEvidence } from '../summary/evidence-section.ts'
import { assembleResult } from '../summary/assemble-result.ts'
import type { Spans } from '../prompt/task.ts'
import { collectFiles } from '../files/collect-files.ts'
import { planCompaction } from '../plan/plan-compaction.ts'
import type { FileLists } from '../session/entry.ts'
import type { Message } from '../session/message.ts'
import { parseInSteps, type TranscriptMessage, transcriptEntries } from '../session/parse-transcript.ts'

/**
 * Compacts a serialized transcript: the conversation form of `POST /compaction`. All of it is summarized, unless the
 * settings say how much to keep.
 * @throws Problem `nothing-to-compact`, or what the summarizer throws
 */
export async function compactConversation(
  request: ConversationForm,
  services: CompactionServices,
  budget: PipelineBudget,
): Promise<CompactionReply> {
  const { settings = {}, preserveData } = request
  const redaction = startRedaction(services.redact)
  const given = takeFileTags(request.previousSummary ?? '')
  const previous = takeEvidence(redaction.text(given.text))
  const pace = createPace(budget.signal)
  const plan = await runInTurns(planTranscript(request, given.files, redaction), pace)
  const guidance = { ...redactGuidance(request, redaction), previousSummary: previous.text }
  const tasks = buildTasks({ spans: plan.spans, guidance, settings, ...services })
  await tellPlan(Object.values(tasks), { ...services, budget })
  const spans = await runInTurns(expectOfTasks(tasks, guidance), pace)
  const drafts = await summarizeChecked(spans, services, budget)
  const material = {
    history: plan.spans.history?.messages ?? [],
    turnPrefix: plan.spans.turnPrefix?.messages ?? [],
    kept: plan.keptMessages,
    previousSummary: previous.text.trim() === '' ? undefined : previous.text,
    evidence: previous.evidence,
    limitTokens: limitTokens(HISTORY_SHARE, settings, services.maxSummaryTokens),
  }
  const parts = { material, files: plan.files, drafts, redaction, startedAt: budget.startedAt }
  return {
    ...(await runInTurns(assembleResult(parts), createPace())),
    ...(plan.kept === undefined ? {} : { keptConversation: plan.kept }),
    ...(preserveData === undefined ? {} : { preserveData }),
  }
}

/** What becomes of a serialized transcript. */
export interface TranscriptPlan {
  /** What is summarized, without secrets. */
  spans: Spans<SpanText>
  files: FileLists
  /** What stays, word for word; left out where all is summarized. */
  kept?: string
  keptMessages: readonly Message[]
}

interface TranscriptCut {
  history: TranscriptMessage[]
  turnPrefix: TranscriptMessage[]
  /** Offset of what is kept; left out where all is summarized. */
  keptFrom?: number
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
