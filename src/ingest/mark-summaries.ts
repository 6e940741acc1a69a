import type { ChatMessage } from '../agents/apis/read-chat.ts'
import { findSummaries, isSummaryAnswer, keptIn } from '../agents/earlier-summary.ts'
import type { Entry, SourceElement } from '../session/entry.ts'
import { KeptAnswers } from '../session/kept-answers.ts'
import { wrapCompactionSummary } from '../session/message-text.ts'
import { textBlocks } from '../session/message.ts'

/** A list of messages as it was read. */
interface ListParts {
  places: readonly SourceElement[]
  /** The texts of instructions by the index of their element: they are no messages of the session. */
  instructions?: ReadonlyMap<number, string>
}

const NONE: ReadonlyMap<number, string> = new Map()

/**
 * Makes compactions of the messages in a list that are summaries of earlier ones, by the rules for chats: a client puts a
 * summary into its list as it likes. The messages before such a summary stay in the context.
 */
export function markSummaries(entries: readonly Entry[], { places, instructions = NONE }: ListParts): void {
  const chat = entries.map((entry) => asChatMessage(entry, instructions))
  const found = [...findSummaries(chat)].flatMap(([at, summary]) => {
    const [entry, message] = [entries[at], chat[at]]
    const isMarked = entry === undefined || entry.compaction !== undefined
    return isMarked || keptIn(message).length > 0 ? [] : [{ at, entry, summary }]
  })
  const first = entries.find(({ message }, at) => message !== undefined && found.every((one) => one.at !== at))
  for (const { at, entry, summary } of found) {
    const isAfter = first !== undefined && first.index < entry.index
    entry.compaction = { summary, isOpaque: false, ...(isAfter ? { firstKeptEntryId: first.id } : {}) }
    entry.type = 'compaction'
    delete entry.message
    if (isSummaryAnswer(chat[at + 1])) delete entries[at + 1]?.message
    if (!isOnly(summary, instructions.get(entry.index))) continue
    delete entry.asides
    const place = places.find(({ index }) => index === entry.index)
    if (place !== undefined) delete place.kind
  }
  const newest = found.at(-1)
  if (newest !== undefined) voidUsage(entries.slice(newest.at), places)
}

function asChatMessage({ index, message, compaction }: Entry, instructions: ReadonlyMap<number, string>): ChatMessage {
  if (compaction !== undefined) return { role: 'user', content: textBlocks(wrapCompactionSummary(compaction.summary)) }
  const text = instructions.get(index)
  return message ?? (text === undefined ? { role: 'other', content: [] } : { role: 'system', text })
}

/** Returns whether instructions are a summary and nothing else: LiteLLM has those of the client after it. */
function isOnly(summary: string, text = ''): boolean {
  const at = text.lastIndexOf(summary)
  return at >= 0 && /^(?:<\/[\w-]{1,40}>)?$/.test(text.slice(at + summary.length).trim())
}

/** Marks the usage of answers that the newest compaction has kept. @param entries those from the compaction on */
function voidUsage([compacted, ...later]: readonly Entry[], places: readonly SourceElement[]): void {
  const times = new Map(places.map(({ index, timeMs }) => [index, timeMs]))
  const kept = new KeptAnswers()
  kept.compact(compacted && times.get(compacted.index))
  for (const { index, message } of later) {
    if (message?.role !== 'assistant' || message.usage === undefined) continue
    const { usage } = message
    delete message.usage
    Object.assign(message, kept.describe(usage, times.get(index)))
  }
}
