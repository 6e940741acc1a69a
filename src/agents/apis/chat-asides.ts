import { fieldsOf } from '../../session/entry.ts'
import { textBlocks, type ContentBlock, type Message } from '../../session/message.ts'
import { INSTRUCTION_ROLES } from '../../session/read-message.ts'
import { thinkingBlocks } from '../shared/messages.ts'
import { asText, type Fields } from '../shared/values.ts'
import { plainText } from './anthropic-blocks.ts'

/**
 * Returns the texts of a chat message that are in no context here, for look-ups: instructions, as a note; what the model refused with; and
 * its reasoning beside the content (DeepSeek and vLLM: `reasoning_content`; OpenRouter: `reasoning`).
 */
export function readChatAsides(fields: Fields): Message[] {
  const role = asText(fields['role'])
  if (fields['excludeFromContext'] === true) return []
  if (INSTRUCTION_ROLES.has(role)) return readInstruction(role, plainText(fields['content']))
  const { reasoning_content: reasoning = fields['reasoning'] } = fields
  const content = role === 'assistant' ? [...thinkingBlocks(reasoning), ...readRefusals(fields)] : []
  return content.length === 0 ? [] : [{ role: 'assistant', content }]
}

/** Returns instructions as a text that no user has written. */
export function readInstruction(role: string, text: string): Message[] {
  if (text.trim() === '') return []
  return [{ role: 'custom', content: textBlocks(`[${role === 'developer' ? 'Developer' : 'System'}]\n${text}`) }]
}

function readRefusals({ refusal, content }: Fields): ContentBlock[] {
  const parts = Array.isArray(content) ? content.map((part) => fieldsOf(part)['refusal']) : []
  return [refusal, ...parts].flatMap((text) => textBlocks(asText(text)))
}
