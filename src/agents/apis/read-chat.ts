import type { RawChatMessage } from '../../schemas/chat-completion.ts'
import { textOf, type Message } from '../../session/message.ts'
import { readContent, readMessage } from '../../session/read-message.ts'

/** A message of OpenAI's chat API: instructions, or a message that any session may have. */
export type ChatMessage = { role: 'system'; text: string } | Message

export const withoutInstructions = (chat: readonly ChatMessage[]): Message[] =>
  chat.filter((message): message is Message => message.role !== 'system')

/**
 * Reads OpenAI chat messages, in their order. `developer` is the newer name of `system`, and `function` the older one
 * of `tool` (OpenAI API reference, "Create chat completion").
 */
export function readChat(messages: readonly RawChatMessage[]): ChatMessage[] {
  return messages.map(readChatMessage)
}

function readChatMessage(raw: RawChatMessage): ChatMessage {
  switch (raw.role) {
    case 'system':
    case 'developer':
      return { role: 'system', text: textOf(readContent(raw.content)) }
    case 'function':
      return withMessage({ ...raw, role: 'tool', tool_call_id: raw.name, content: raw.content ?? '' })
    default:
      return withMessage(raw)
  }
}

function withMessage(raw: Parameters<typeof readMessage>[0]): Message {
  return readMessage(raw) ?? { role: 'other', content: [] }
}
