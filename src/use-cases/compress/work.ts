import { readMixedChat, type ChatEntry } from '../../agents/apis/read-mixed-chat.ts'
import { writeSummaryMessage } from '../../agents/own-summary.ts'
import { readSummaryMessage, withoutMarker } from '../../agents/summary-message.ts'
import { collectFiles } from '../../extract/collect-files.ts'
import { pairCalls } from '../../extract/runs.ts'
import { extractFileTags } from '../../files/file-tags.ts'
import { trimMessage } from '../../ingest/trim-message.ts'
import type { Work, WorkRequest } from '../../jobs/protocol.ts'
import { findTurnStart } from '../../plan/choose-cut.ts'
import { messagesOf } from '../../plan/plan-compaction.ts'
import { withOwnLimits } from '../../plan/settings.ts'
import { CompressRequestSchema, type CompressRequest } from '../../schemas/compress.ts'
import { textOf } from '../../session/message.ts'
import { cutSummaryText } from '../../summary/cut-summary.ts'
import { estimateTextTokens } from '../../tokens/estimate-tokens.ts'
import type { Pipeline } from '../shared/pipeline.ts'
import { preparePlan, type PlannedRegion } from '../shared/prepare-plan.ts'
import { fieldsReader } from '../shared/read-fields.ts'
import { finishSummary, type SummaryMaterial } from '../shared/summary-material.ts'
import { summaryWork } from '../shared/summary-work.ts'
import { summaryTokensFor, surveyMessages } from './compress-messages.ts'
import { measureMessages, shortenMessages } from './shorten-messages.ts'
import type { CompressStep, EarlierSummary, PrefixReply, PrefixSummary } from './steps.ts'

interface PrefixRequest extends PrefixSummary {
  fields: CompressRequest
}

interface PrefixMaterial extends SummaryMaterial {
  maxTokens: number
}

/** `POST /v1/compress`: summarizes the messages before a cut. */
const summarizePrefix: Pipeline<PrefixRequest, PrefixMaterial> = {
  prepare({ fields, limitTokens: defaultLimit, at, from: known }, context) {
    const chat = readMixedChat(fields.messages)
    const limitTokens = fields.token_budget ?? defaultLimit
    const { instructionTokens, toEnd } = shortenMessages(measureMessages(fields.messages), limitTokens).sizes
    const cutAt = chat.entries.findIndex(({ index }) => index >= at)
    const room = limitTokens - instructionTokens - (toEnd[cutAt] ?? 0) - FRAME_TOKENS
    const maxTokens = Math.max(1, Math.min(summaryTokensFor(instructionTokens, limitTokens), room))
    const from = known ?? readEarlierSummary(chat.entries, cutAt)
    const entries = chat.entries.map((entry) => ({
      ...entry,
      message: trimMessage(entry.message, context.transcriptTokens),
    }))
    const { material, writeTasks } = preparePlan(
      { plan: planAt(entries, cutAt, from), request: {}, branch: entries },
      withOwnLimits(context, { maxTokens }),
    )
    return { material: { ...material, maxTokens }, writeTasks }
  },

  finish(material, drafts, context) {
    const { summary: written, report } = finishSummary(material, drafts, context)
    const summary = withoutMarker(cutSummaryText(written, material.maxTokens))
    const tokens = estimateTextTokens(writeSummaryMessage(summary))
    const reply: PrefixReply = { summary, tokens, model: report.model }
    return { reply, summary, reported: { report } }
  },
}

/** Returns the summary with which the messages begin: some clients send what they got instead of the messages before it. */
function readEarlierSummary([first, second]: readonly ChatEntry[], cutAt: number): EarlierSummary | undefined {
  if (first?.message.role !== 'user' || second === undefined || cutAt < 2) return undefined
  const summary = readSummaryMessage(textOf(first.message.content))
  return summary === undefined ? undefined : { at: second.index, summary }
}

/** The words around the summary in its message, and what the estimate of a whole text differs from those of its parts. */
const FRAME_TOKENS = 24

function planAt(entries: readonly ChatEntry[], cutAt: number, from: EarlierSummary | undefined): PlannedRegion {
  const start = from === undefined ? 0 : entries.findIndex(({ index }) => index >= from.at)
  const turnStart = findTurnStart({ branch: entries, playStart: 0, start }, cutAt)
  const history = entries.slice(start, turnStart ?? cutAt)
  const turnPrefix = entries.slice(turnStart ?? cutAt, cutAt)
  const previous = extractFileTags(from?.summary ?? '')
  const kept = entries.slice(cutAt)
  const runs = pairCalls(messagesOf(history, turnPrefix, kept))
  return {
    ...(from === undefined ? {} : { previousSummary: previous.text }),
    history,
    turnPrefix,
    kept,
    runs,
    files: collectFiles({ messages: messagesOf(history, turnPrefix), runs }, [previous.files]),
  }
}

const readFields = fieldsReader(CompressRequestSchema)

type Summarize = Extract<CompressStep, { kind: 'summarize' }>

const summaries = summaryWork({ prefix: summarizePrefix }, (received: WorkRequest<Summarize>, context) => {
  return { name: 'prefix', request: { fields: readFields(received, context), ...received.modes } }
})

export default {
  ...summaries,
  start({ modes, ...received }, context) {
    if (modes.kind === 'summarize') return summaries.start({ ...received, modes }, context)
    // A request without a body is refused by its schema.
    const read = { fields: readFields(received, context), body: received.body ?? Buffer.alloc(0) }
    const { body, ...outcome } = surveyMessages(read, modes)
    return { kind: 'reply', body, outcome }
  },
} satisfies Work<CompressStep>
