import { nothingToCompact, type CompactionServices, type PipelineBudget } from './pipeline.ts'
import { summarizeSpans, type Spans } from './model/summarize-spans.ts'
import { collectFiles } from './plan/collect-files.ts'
import { planCompaction } from './plan/plan-compaction.ts'
import { takeFileTags } from './plan/take-file-tags.ts'
import { buildTasks, type SpanText } from './prompt/build-tasks.ts'
import type { CompactionReply } from './schemas/compaction-reply.ts'
import type { ConversationForm } from './schemas/compaction-request.ts'
import type { FileLists } from './session/entry.ts'
import { parseConversation, type TranscriptMessage } from './session/parse-conversation.ts'
import { transcriptEntries } from './session/transcript-entries.ts'
import { assembleResult } from './summary/assemble-result.ts'

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
  const previous = takeFileTags(request.previousSummary ?? '')
  const plan = planTranscript(request, previous.files)
  const guidance = { ...request, previousSummary: previous.text }
  const tasks = buildTasks({ spans: plan.spans, guidance, settings, ...services })
  const drafts = await summarizeSpans(services.summarizer, tasks, budget)
  return {
    ...assembleResult({ ...plan, previousSummary: previous.text }, drafts, budget),
    ...(plan.kept === undefined ? {} : { keptConversation: plan.kept }),
    ...(preserveData === undefined ? {} : { preserveData }),
  }
}

interface TranscriptPlan {
  spans: Spans<SpanText>
  files: FileLists
  kept?: string
}

function planTranscript({ conversation, settings }: ConversationForm, previousFiles: FileLists): TranscriptPlan {
  const transcript = parseConversation(conversation)
  const span = (messages: TranscriptMessage[]): SpanText => ({
    messages: messages.map(({ message }) => message),
    conversation: conversation.slice(messages[0]?.start, messages.at(-1)?.end),
    unit: 'text',
  })
  const { history, turnPrefix, keptFrom } = cutTranscript(transcript, settings)
  if (history.length + turnPrefix.length === 0) throw nothingToCompact()
  return {
    spans: {
      ...(history.length > 0 ? { history: span(history) } : {}),
      ...(turnPrefix.length > 0 ? { turnPrefix: span(turnPrefix) } : {}),
    },
    files: collectFiles({
      messages: [...history, ...turnPrefix].map(({ message }) => message),
      lists: [previousFiles],
    }),
    ...(keptFrom === undefined ? {} : { kept: conversation.slice(keptFrom) }),
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
