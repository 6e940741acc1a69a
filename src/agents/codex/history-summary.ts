import { fieldsOf } from '../../session/entry.ts'
import { textOf } from '../../session/message.ts'
import { readParts, readUserMessage } from '../apis/responses-parts.ts'
import { readCompactedSummary } from '../own-summary.ts'
import { asText } from '../shared/values.ts'

/** A compaction of Codex: the history after it by value, and in some versions a text. */
interface CodexCompaction {
  message: string
  items: readonly unknown[]
  /** The messages of the user before it, which a history repeats. */
  said: readonly string[]
}

/** Returns the summary of a compaction, and its position in the items, -1 if it is no item; undefined without a readable one. */
export function findSummary({
  message,
  items,
  said,
}: CodexCompaction): { position: number; summary: string } | undefined {
  const position = items.findLastIndex((item) => codexSummaryOf(item) !== undefined)
  const summary = codexSummaryOf(items[position]) ?? withoutPreamble(message)
  if (summary !== '') return { position, summary }
  const written = writtenByServer(items, new Set(said.map(startOf)))
  return written === undefined ? undefined : { position: items.length - 1, summary: written }
}

/** A history may have the beginning of a long message only. */
const startOf = (text: string): string => text.trim().slice(0, 200)

/**
 * Returns the summary that a server has written as a message in the role of the user (0.120): the last item, with words that are
 * neither the user's nor the client's.
 */
function writtenByServer(items: readonly unknown[], said: ReadonlySet<string>): string | undefined {
  const item = fieldsOf(items.at(-1))
  if (item['role'] !== 'user' || items.some((one) => fieldsOf(one)['encrypted_content'] !== undefined)) return undefined
  const message = readUserMessage(readParts(item['content']), item)
  const text = message?.role === 'user' ? textOf(message.content).trim() : ''
  return text === '' || said.has(startOf(text)) ? undefined : text
}

/** Returns the summary in an item of Codex; undefined for other items. */
export function codexSummaryOf(item: unknown): string | undefined {
  const { role, content } = fieldsOf(item)
  const text = asText(fieldsOf(Array.isArray(content) ? content[0] : undefined)['text'])
  return role === 'user' && text.startsWith(SUMMARY_SENTENCE)
    ? withoutPreamble(text)
    : readCompactedSummary(fieldsOf(item))
}

/** Returns a summary without what Codex writes before it. */
function withoutPreamble(text: string): string {
  const end = text.startsWith(SUMMARY_SENTENCE) ? text.indexOf(SUMMARY_LEAD_END) : -1
  return text.slice(end < 0 ? 0 : end + SUMMARY_LEAD_END.length).trim()
}

/** The first words of what Codex writes before a summary, and by which it recognizes one (0.120 and 0.169). */
export const SUMMARY_LEAD = 'Another language model started to solve this problem'

/** Its first sentence. */
const SUMMARY_SENTENCE = `${SUMMARY_LEAD} and produced a summary of its thinking process.`

/** Its last words. */
export const SUMMARY_LEAD_END = 'assist with your own analysis:'

/** The whole text before a summary. */
export const SUMMARY_PREFIX =
  `${SUMMARY_SENTENCE} You also have access to the state of the tools that were used by that language model. Use this to build ` +
  'on the work that has already been done and avoid duplicating work. Here is the summary produced by the other language ' +
  `model, use the information in this summary to ${SUMMARY_LEAD_END}\n`
