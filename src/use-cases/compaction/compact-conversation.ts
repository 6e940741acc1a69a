import { takeTranscriptSummary } from '../../agents/transcripts/summary.ts'
import { collectFiles } from '../../extract/collect-files.ts'
import { pairCalls, type PairedMessages, type ToolRuns } from '../../extract/runs.ts'
import { extractFileTags } from '../../files/file-tags.ts'
import { messagesOf, planCompaction } from '../../plan/plan-compaction.ts'
import type { SegmentText } from '../../prompt/build-tasks.ts'
import type { Segments } from '../../prompt/task.ts'
import { redactFiles, startRedaction, type Redaction } from '../../redact/redaction.ts'
import type { CompactionReply } from '../../schemas/compaction-reply.ts'
import type { ConversationForm } from '../../schemas/compaction-request.ts'
import type { FileLists } from '../../session/entry.ts'
import type { Message } from '../../session/message.ts'
import { parseConversation, transcriptEntries, type TranscriptMessage } from '../../session/parse-transcript.ts'
import { defined } from '../../text/defined.ts'
import { explainNoCut, nothingToCompact } from '../shared/nothing-to-compact.ts'
import type { Pipeline } from '../shared/pipeline.ts'
import { prepareSummary } from '../shared/prepare-summary.ts'
import { finishSummary, guidanceTexts, type SummaryMaterial } from '../shared/summary-material.ts'

const EMPTY_CONVERSATION = '`conversation` contains no messages, so there is nothing to compact. Send a transcript.'

const ONLY_SUMMARY =
  '`conversation` contains only the summary of an earlier compaction, so there is nothing to compact. Send what follows it.'

interface ConversationMaterial extends SummaryMaterial {
  /** The text to be kept, unchanged; left out when all is summarized. */
  keptConversation?: string
}

/**
 * `POST /compaction` with `conversation`: compacts a serialized transcript. All of it is summarized, unless
 * `settings.keepRecentTokens` is set.
 */
export const compactConversation: Pipeline<ConversationForm, ConversationMaterial> = {
  hasData: true,

  /** @throws Problem `nothing-to-compact` */
  prepare(posted, context) {
    const request = withEarlierSummary(posted)
    const { preserveData } = request
    const given = extractFileTags(request.previousSummary ?? '')
    const redaction = startRedaction(context.redact, {
      texts: [request.conversation, given.text, ...guidanceTexts(request, context.additions)],
    })
    const previousSummary = redaction.text(given.text)
    const { kept, ...planned } = planTranscript(request, given.files, redaction)
    const source = { ...planned, kept: planned.keptMessages, previousSummary, redaction, request }
    const { material, writeTasks } = prepareSummary(source, context)
    return { material: defined({ ...material, keptConversation: kept, preserveData }), writeTasks }
  },

  finish(material, drafts, context) {
    const { keptConversation, preserveData } = material
    const result = finishSummary(material, drafts, context)
    const reply: CompactionReply = defined({ ...result, keptConversation, preserveData })
    return { reply, summary: result.summary, reported: result }
  },
}

/**
 * Separates the summary of an earlier compaction from the transcript that begins with it.
 * @throws Problem `nothing-to-compact` if nothing follows it
 */
function withEarlierSummary({ conversation, previousSummary, ...fields }: ConversationForm): ConversationForm {
  const { transcript, summary } = takeTranscriptSummary(conversation)
  if (summary !== undefined && transcript === '') throw nothingToCompact(ONLY_SUMMARY)
  const earlier = [previousSummary, summary].filter((text) => text !== undefined)
  return {
    ...fields,
    conversation: transcript,
    ...(earlier.length === 0 ? {} : { previousSummary: earlier.join('\n\n') }),
  }
}

interface TranscriptPlan {
  /** The texts to be summarized, without secrets. */
  texts: Segments<SegmentText>
  /** The messages of the transcript with secrets, and their runs. */
  session: PairedMessages
  files: FileLists
  /** The text to be kept, unchanged; left out when all is summarized. */
  kept?: string
  keptMessages: readonly Message[]
}

interface TranscriptCut {
  history: TranscriptMessage[]
  turnPrefix: TranscriptMessage[]
  runs: ToolRuns
  /** The offset of the kept text; left out when all is summarized. */
  keptFrom?: number
}

/**
 * Returns the plan for a serialized transcript.
 * @param previousFiles the file lists of the previous summary
 * @throws Problem `nothing-to-compact`
 */
function planTranscript(
  { conversation, settings }: ConversationForm,
  previousFiles: FileLists,
  redaction: Redaction,
): TranscriptPlan {
  const transcript = parseConversation(conversation)
  const { history, turnPrefix, keptFrom, runs } = cutTranscript(transcript, settings)
  if (history.length + turnPrefix.length === 0) throw nothingToCompact(EMPTY_CONVERSATION)
  return {
    texts: {
      ...(history.length > 0 ? { history: segmentText(conversation, history, redaction) } : {}),
      ...(turnPrefix.length > 0 ? { turnPrefix: segmentText(conversation, turnPrefix, redaction) } : {}),
    },
    session: { messages: messagesOf(transcript), runs },
    files: redactFiles(collectFiles({ messages: messagesOf(history, turnPrefix), runs }, [previousFiles]), redaction),
    keptMessages: messagesOf(transcript.slice(history.length + turnPrefix.length)),
    ...(keptFrom === undefined ? {} : { kept: conversation.slice(keptFrom) }),
  }
}

function segmentText(conversation: string, segment: TranscriptMessage[], redaction: Redaction): SegmentText {
  const start = segment[0]?.start ?? 0
  const text = conversation.slice(start, segment.at(-1)?.end)
  // Only secrets in the text are counted: the messages contain the same ones again.
  const uncounted = redaction.uncounted()
  return {
    messages: uncounted.messages(messagesOf(segment)),
    conversation: redaction.text(text),
    unit: 'text',
  }
}

function cutTranscript(transcript: TranscriptMessage[], settings: ConversationForm['settings']): TranscriptCut {
  if (settings?.keepRecentTokens === undefined)
    return { history: transcript, turnPrefix: [], runs: pairCalls(messagesOf(transcript)) }
  const entries = transcriptEntries(transcript)
  const plan = planCompaction(entries, settings)
  const { cut, history, turnPrefix, runs } = plan
  if (cut === null && entries.length > 0)
    throw nothingToCompact(explainNoCut(plan, { entries, branch: entries, settings, name: 'transcript' }))
  const turnAt = history.length
  const keptAt = turnAt + turnPrefix.length
  return {
    history: transcript.slice(0, turnAt),
    turnPrefix: transcript.slice(turnAt, keptAt),
    runs,
    keptFrom: transcript[keptAt]?.start ?? 0,
  }
}
