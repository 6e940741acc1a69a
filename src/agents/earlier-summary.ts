import type { ChatMessage } from './apis/read-chat.ts'
import { textOf, type UserMessage } from '../session/message.ts'
import { fieldsOf, isObject } from '../session/entry.ts'
import {
  isBareSummary,
  isSummaryAcknowledgement,
  OWN_START,
  readFirstSummary,
  readSummaryMessage,
} from './summary-message.ts'

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

/** A chat, and what an earlier compaction has made of its beginning. */
interface SplitChat {
  /** The messages that no summary covers, and all instructions. */
  chat: readonly ChatMessage[]
  /** Messages of the user that the summary covers: the client has kept them before it. */
  covered: readonly UserMessage[]
  summary?: string
}

/**
 * Separates the newest summary of earlier messages from a chat. Messages of the user alone before it are copies of what it
 * covers: Codex and `POST /v1/responses/compact` keep them. Other messages before it belong to the conversation.
 */
export function takeSummary(chat: readonly ChatMessage[]): SplitChat {
  const first = chat.findIndex(isUser)
  const isFollowed = chat.findLastIndex(isUser) > first
  const summaries = chat.map((message, index) => readSummary(message, { place: index - first, isFollowed }))
  const at = summaries.findLastIndex((summary) => summary !== undefined)
  const summary = summaries[at]
  if (summary === undefined) return { chat, covered: [] }
  const isLeft = (message: ChatMessage, index: number): boolean =>
    summaries[index] === undefined && !(index === at + 1 && isAcknowledgement(message))
  const before = chat.slice(0, at).filter(isLeft)
  const after = chat.slice(at + 1).filter((message, index) => isLeft(message, at + 1 + index))
  const isCovered = after.some(isSpoken) && before.every((message) => !isSpoken(message) || isUser(message))
  if (!isCovered) return { chat: [...before, ...after], covered: [], summary }
  return { chat: [...before.filter((message) => !isUser(message)), ...after], covered: before.filter(isUser), summary }
}

const isSpoken = ({ role }: ChatMessage): boolean => role !== 'system'

/** Whether a message is only the model's answer to a summary. */
const isAcknowledgement = (message: ChatMessage): boolean =>
  message.role === 'assistant' && isSummaryAcknowledgement(textOf(message.content))

const isUser = (message: ChatMessage): message is UserMessage => message.role === 'user'

/**
 * Returns the summary that a message is.
 * @param place its place after the first message of the user
 */
function readSummary(message: ChatMessage, { place, isFollowed }: { place: number; isFollowed: boolean }) {
  if (message.role === 'system') return readSummaryMessage(message.text)
  if (isUser(message)) {
    const text = textOf(message.content)
    return place === 0 ? readFirstSummary(text, isFollowed) : readSummaryMessage(text)
  }
  if (place !== 1 || message.role !== 'assistant') return undefined
  const text = textOf(message.content)
  return isBareSummary(text) ? text : undefined
}
