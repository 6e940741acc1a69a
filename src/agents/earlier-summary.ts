import { textOf, type Message, type UserMessage } from '../session/message.ts'
import { toLineFeeds } from '../text/shorten.ts'
import { withoutInstructions, type ChatMessage } from './apis/read-chat.ts'
import {
  isBareSummary,
  isSummaryAcknowledgement,
  readBareSummary,
  readFirstSummary,
  readKeptText,
  readNamedSummary,
  readSummaryMessage,
} from './summary-message.ts'
import { readKeptMessages } from './shared/bracket-labels.ts'

/** A chat, and what an earlier compaction has made of its beginning. */
interface SplitChat {
  /** The messages that no summary covers. */
  messages: Message[]
  /** Messages of the user that the summary covers: the client has kept them before it. */
  covered: readonly UserMessage[]
  summary?: string
}

/**
 * Separates the newest summary of earlier messages, and the instructions, from a chat. Messages of the user alone before it are copies of what it
 * covers: Codex and `POST /v1/responses/compact` keep them. Other messages before it belong to the conversation.
 */
export function takeSummary(chat: readonly ChatMessage[]): SplitChat {
  const summaries = findSummaries(chat)
  const at = [...summaries.keys()].at(-1)
  const summary = at === undefined ? undefined : summaries.get(at)
  if (at === undefined || summary === undefined) return { messages: withoutInstructions(chat), covered: [] }
  const isLeft = (message: ChatMessage, index: number): boolean =>
    !summaries.has(index) && !(index === at + 1 && isSummaryAnswer(message))
  const before = withoutInstructions(chat.slice(0, at).filter(isLeft))
  const rest = chat.slice(at + 1).filter((message, index) => isLeft(message, at + 1 + index))
  const after = [...keptIn(chat[at]), ...withoutInstructions(rest)]
  if (after.length > 0 && before.every(isUser)) return { messages: after, covered: before, summary }
  return { messages: [...before, ...after], covered: [], summary }
}

/** Returns the summaries of earlier messages in a chat by their positions, which ascend. */
export function findSummaries(chat: readonly ChatMessage[]): ReadonlyMap<number, string> {
  const first = chat.findIndex(isUser)
  const isFollowed = chat.findLastIndex(isUser) > first
  const found = new Map<number, string>()
  for (const [index, message] of chat.entries()) {
    const summary = readSummary(message, { place: index - first, isFollowed })
    if (summary !== undefined) found.set(index, summary)
  }
  return found
}

/** Returns the messages that the client has kept after the summary in a message. */
export const keptIn = (message: ChatMessage | undefined): Message[] =>
  message?.role === 'user' ? readKeptMessages(readKeptText(toLineFeeds(textOf(message.content)))) : []

/** Whether a message is only the model's answer to a summary. */
export const isSummaryAnswer = (message: ChatMessage | undefined): boolean =>
  message?.role === 'assistant' && isSummaryAcknowledgement(textOf(message.content))

const isUser = (message: ChatMessage): message is UserMessage => message.role === 'user'

/**
 * Returns the summary that a message is.
 * @param place its place after the first message of the user
 */
function readSummary(message: ChatMessage, { place, isFollowed }: { place: number; isFollowed: boolean }) {
  if (message.role === 'system') {
    const text = toLineFeeds(message.text)
    return readSummaryMessage(text) ?? readBareSummary(text, true) ?? readNamedSummary(text)
  }
  if (isUser(message)) {
    const text = toLineFeeds(textOf(message.content))
    if (place === 0) return readFirstSummary(text, isFollowed)
    return readSummaryMessage(text) ?? (place === 1 ? readBareSummary(text, isFollowed) : undefined)
  }
  if (message.role !== 'assistant' || Math.abs(place) !== 1) return undefined
  const text = toLineFeeds(textOf(message.content))
  return isBareSummary(text) ? text : readBareSummary(text, true)
}
