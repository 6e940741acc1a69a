import type { ChatMessage } from './read-chat.ts'
import { textOf, type UserMessage } from './message.ts'
import { fieldsOf, isObject } from './entry.ts'
import { SUMMARY_PREAMBLE, SUMMARY_START } from './formats/claude-code-user.ts'

/** The first words of the message with a summary that this service returns among plain messages. */
const OWN_START = 'Summary of the earlier conversation, which this message replaces:'

/** Returns a summary as the text of a message, from which a later compaction reads it again. */
export const writeSummaryMessage = (summary: string): string => `${OWN_START}\n\n${summary}`

/** The content of a compaction item of this service: JSON in base64url. */
interface ItemContent {
  type: 'precis_compaction'
  version: 1
  summary: string
}

/** Returns a summary as the `encrypted_content` of a compaction item of the Responses API; it is encoded, not encrypted. */
export function encodeSummary(summary: string): string {
  const content: ItemContent = { type: 'precis_compaction', version: 1, summary }
  return Buffer.from(JSON.stringify(content)).toString('base64url')
}

/**
 * Returns the summary in an item of the Responses API with which this service has replaced a conversation: a compaction item, or
 * a message. @returns undefined for any other item
 */
export function readCompactedSummary({ type, role, content, encrypted_content: encrypted }: Item): string | undefined {
  if (type === 'compaction' || type === 'compaction_summary') return decodeSummary(encrypted)
  if (role !== 'user') return undefined
  const [part] = Array.isArray(content) ? (content as unknown[]) : [{ text: content }]
  const { text } = fieldsOf(part)
  return typeof text === 'string' && text.startsWith(OWN_START) ? readSummaryMessage(text) : undefined
}

type Item = Readonly<Record<string, unknown>>

const OWN_CONTENT = Buffer.from('{"type":"precis_compaction",').toString('base64url').slice(0, -2)

/** Returns the summary in the `encrypted_content` of a compaction item; undefined for an item of another service. */
function decodeSummary(encrypted: unknown): string | undefined {
  // All content of this service begins with these characters, so other content is not decoded.
  if (typeof encrypted !== 'string' || !encrypted.startsWith(OWN_CONTENT)) return undefined
  try {
    const content: unknown = JSON.parse(Buffer.from(encrypted, 'base64url').toString())
    const { type, version, summary } = fieldsOf(content)
    const isOurs = isObject(content) && type === 'precis_compaction' && version === 1
    return isOurs && typeof summary === 'string' && summary.trim() !== '' ? summary : undefined
  } catch {
    return undefined
  }
}

/** The first words of messages with a summary, as clients write them, and the words after which the summary begins. */
const STARTS: readonly { start: string; summaryAfter?: string }[] = [
  { start: OWN_START },
  // Codex 0.120 and 0.169
  { start: 'Another language model started to solve this problem', summaryAfter: 'assist with your own analysis:' },
  // Claude Code 2.1.330
  { start: SUMMARY_PREAMBLE, summaryAfter: SUMMARY_START },
  // LangChain 1.5
  { start: 'Here is a summary of the conversation to date:' },
  // Cline 3.0.65
  { start: 'Context summary:\n' },
  // LiteLLM, at the beginning of the system prompt
  { start: 'Previous conversation summary:' },
]

/** Returns the summary in a text that a client has written around it; undefined for any other text. */
export function readSummaryMessage(text: string): string | undefined {
  const trimmed = text.trimStart()
  const found = STARTS.find(({ start }) => trimmed.startsWith(start))
  if (found === undefined) return undefined
  const { start, summaryAfter } = found
  const at = summaryAfter === undefined ? -1 : trimmed.indexOf(summaryAfter)
  const summary = trimmed.slice(at < 0 ? start.length : at + (summaryAfter ?? '').length).trim()
  return summary === '' ? undefined : summary
}

/**
 * Separates the newest summary of earlier messages from a chat. The messages before it stay: they are those that the
 * compaction has kept.
 */
export function takeSummary(chat: readonly ChatMessage[]): { chat: readonly ChatMessage[]; summary?: string } {
  const summaries = chat.map((message) => readSummaryMessage(textOfMessage(message)))
  const at = summaries.findLastIndex((summary) => summary !== undefined)
  const summary = summaries[at]
  if (summary === undefined) return { chat }
  return { chat: chat.filter((_, index) => summaries[index] === undefined), summary }
}

const isUser = (message: ChatMessage): message is UserMessage => message.role === 'user'

function textOfMessage(message: ChatMessage): string {
  if (message.role === 'system') return message.text
  return isUser(message) ? textOf(message.content) : ''
}
