import { END_OF_SUMMARY } from '../../agents/summary-message.ts'
import { readTranscript } from '../../agents/transcripts/read.ts'
import { collectFiles } from '../../extract/collect-files.ts'
import { pairMessages } from '../../extract/runs.ts'
import { extractFileTags } from '../../files/file-tags.ts'
import { trimMessage } from '../../ingest/trim-message.ts'
import type { WorkContext } from '../../jobs/protocol.ts'
import { withOwnLimits } from '../../plan/settings.ts'
import type { SegmentText } from '../../prompt/build-tasks.ts'
import { redactFiles, startRedaction, type Redaction } from '../../redact/redaction.ts'
import type { Report } from '../../schemas/compaction-reply.ts'
import type { Message } from '../../session/message.ts'
import type { CheckedDraft } from '../../summary/draft.ts'
import { findLatestRequest } from '../../summary/requests.ts'
import type { SummaryInputs } from '../../summary/summary-inputs.ts'
import { cutSummaryText } from '../../summary/cut-summary.ts'
import { readSummary } from '../../summary/summary.ts'
import { collectUserMessages } from '../../summary/user-messages.ts'
import { estimateMessageTokens } from '../../tokens/estimate-tokens.ts'
import { finishText } from '../shared/client-prompt.ts'
import { nothingToCompact } from '../shared/nothing-to-compact.ts'
import type { FinishContext, Pipeline } from '../shared/pipeline.ts'
import { prepareSummary, type PreviousSummary } from '../shared/prepare-summary.ts'
import { finishSummary, type SummaryMaterial } from '../shared/summary-material.ts'
import { readForm, unwrap, type AskedForm } from './asked-form.ts'
import { cutSummaryAtStop, usageOf, type AnswerForm, type CompletedChat } from './completed-chat.ts'
import type { ChatParts } from './recognize-compaction.ts'

/** A chat that is compacted as a whole, and how its client wants the reply. */
interface ChatCompaction extends ChatParts, AnswerForm {
  /** The field of the request that has the messages. */
  list: 'messages' | 'input'
  /** Messages of the user that stay beside the summary: it does not quote them. */
  retained?: readonly Message[]
  /** Whether a message of the chat asks for the summary. */
  isAskedInChat?: boolean
  maxTokens?: number | null | undefined
}

export interface ChatCompactionMaterial extends SummaryMaterial, Pick<AskedForm, 'tag' | 'isBeforeText'>, AnswerForm {
  inputTokens: number
}

const emptyChat = ({ list, isAskedInChat = false }: Pick<ChatCompaction, 'list' | 'isAskedInChat'>): string =>
  isAskedInChat
    ? 'There are no messages to summarize. Put them before the message that asks for their summary.'
    : `There are no messages to summarize. Send the conversation in \`${list}\`.`

/** The limit of the request, or the upper limit of all summaries, counts alone. */
const LIMITED_BY_CLIENT = { reserveTokens: Infinity }

/**
 * Compacts a chat whose client asks for a summary of it, by an API that has no compaction of its own. Everything is
 * summarized. The client's instructions replace ours; if they set a form, code adds nothing to it.
 */
export const compactChat: Pipeline<ChatCompaction, ChatCompactionMaterial> = {
  /** @throws Problem `nothing-to-compact` */
  prepare({ maxTokens, stop, isStream, includeUsage, ...chat }, context) {
    const { text, messages, redaction } = readParts(chat, context)
    if (messages.length === 0) throw nothingToCompact(emptyChat(chat))
    const session = pairMessages(messages)
    const given = extractFileTags(redaction.text(chat.previousSummary ?? ''))
    const instructions = redaction.text(chat.instructions)
    const source = {
      texts: { history: text },
      kept: [],
      session,
      files: redactFiles(collectFiles(session, [given.files]), redaction),
      previousSummary: given.text,
      redaction,
      request: { promptOverride: instructions, settings: LIMITED_BY_CLIENT },
      withShortSummary: false,
      others: (previous: PreviousSummary) => ({ history: messages, ...readCovered(chat, previous, redaction) }),
    }
    const { material, writeTasks } = prepareSummary(source, withOwnLimits(context, { maxTokens }))
    const form = readForm(instructions, material.guidance.promptOverride)
    return { material: { ...material, ...form, stop, isStream, includeUsage, inputTokens: tokensOf(text) }, writeTasks }
  },

  finish(material, drafts, context) {
    const { summary, report } = finishChatSummary(material, drafts.history, context)
    const { isStream, includeUsage, inputTokens, tag, stop } = material
    const end = material.isBeforeText === true ? [END_OF_SUMMARY] : []
    const opening = tag === undefined ? '' : `<${tag}>\n`
    const whole = tag === undefined ? summary : `${opening}${[summary, ...end].join('\n\n')}\n</${tag}>`
    const text = cutSummaryAtStop(whole, stop, opening)
    const reply: CompletedChat = {
      text,
      usage: usageOf(drafts.history, { promptTokens: inputTokens, text }),
      isStream,
      includeUsage,
      report,
    }
    return { reply, summary, reported: { report } }
  },
}

/** Returns what the summary needs to know of messages of the user that it does not summarize. */
function readCovered(
  { covered = [], retained = [] }: Pick<ChatCompaction, 'covered' | 'retained'>,
  { earlierRequest, userMessages: { texts, leftOut } }: Pick<SummaryInputs, 'earlierRequest' | 'userMessages'>,
  redaction: Redaction,
): Pick<SummaryInputs, 'earlierRequest' | 'userMessages' | 'retainedTexts'> {
  const earlier = redaction.messages(covered)
  // Only secrets in what is summarized are counted.
  const staying = redaction.uncounted().messages(retained)
  return {
    // The summary may be newer: Roo keeps the first request.
    earlierRequest: earlierRequest ?? findLatestRequest(earlier),
    userMessages: {
      texts: [...collectUserMessages(pairMessages(earlier)).map(({ quoted }) => quoted), ...texts],
      leftOut,
    },
    retainedTexts: collectUserMessages(pairMessages(staying)).map(({ text }) => text),
  }
}

const tokensOf = ({ messages }: SegmentText): number =>
  messages.reduce((sum, message) => sum + (message.tokens ?? estimateMessageTokens(message)), 0)

/** Returns the conversation without secrets: as messages, and as the transcript of its client if it is one. */
function readParts(
  { messages: list, covered = [], transcript, firstLabel, previousSummary, instructions }: ChatParts,
  { transcriptTokens, redact }: WorkContext,
): { text: SegmentText; messages: readonly Message[]; redaction: Redaction } {
  const isChat = transcript === undefined
  const original = isChat
    ? list.map((message) => trimMessage(message, transcriptTokens))
    : readTranscript(transcript, firstLabel)
  const texts = [transcript, previousSummary, instructions]
  const redaction = startRedaction(redact, { messages: [...covered, ...original], texts })
  // Only secrets in a transcript's text are counted: the messages contain the same ones again.
  const messages = (isChat ? redaction : redaction.uncounted()).messages(original)
  if (isChat) return { text: { messages }, messages, redaction }
  const text: SegmentText = { messages, conversation: redaction.text(transcript), unit: 'text' }
  return { text, messages: messages.length === 1 ? messages.map(asUnknown) : messages, redaction }
}

/** A transcript without speakers that code can read is not one request of the user. */
const asUnknown = (message: Message): Message =>
  message.role === 'user' ? { role: 'custom', content: message.content } : message

/** Returns the summary of a chat within its limit, and the report. */
export function finishChatSummary(
  material: ChatCompactionMaterial,
  checked: CheckedDraft | undefined,
  context: FinishContext,
): { summary: string; report: Report } {
  if (checked === undefined) throw new Error('The task of a chat has a draft.')
  const { tag, asked, inputs } = material
  // An extract has a form of its own, whatever the client has asked for.
  const isExtract = checked.model === 'embedded'
  const draft = tag === undefined || isExtract ? checked : { ...checked, ...readSummary(unwrap(checked.text, tag)) }
  if (asked !== undefined && !isExtract && material.given === undefined) return finishText(material, draft, context)
  const { summary, report } = finishSummary(material, { history: draft }, context)
  return { summary: cutSummaryText(summary, inputs.limitTokens), report }
}
