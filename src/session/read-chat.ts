import type { RawChatMessage } from '../schemas/chat-completion.ts'
import { textOf, type Message } from './message.ts'
import { readContent } from './read-content.ts'
import { readMessage } from './read-message.ts'

/** A message of OpenAI's chat API: instructions, or what any session holds. */
export type ChatMessage = { role: 'system'; text: string } | Message

const asTool = (raw: RawChatMessage) => ({
  ...raw,
  role: 'tool',
  tool_call_id: raw['name'],
  content: raw.content ?? '',
})

/**
 * Reads OpenAI chat messages, in their order. `developer` is the newer name of `system`, and `function` the older one
 * of `tool` (OpenAI API reference, "Create chat completion").
 */
export const readChat = (messages: readonly RawChatMessage[]): ChatMessage[] => messages.map(readOne)

function readOne(raw: RawChatMessage): ChatMessage {
  const { role } = raw as { role: string }
  if (role === 'system' || role === 'developer') return { role: 'system', text: textOf(readContent(raw.content)) }
  const message = readMessage(role === 'function' ? asTool(raw) : raw)
  return message ?? { role: 'other', content: [] }
}
