import { fieldsOf, NO_RANGE, type Entry } from '../../session/entry.ts'
import { nameTools } from '../../session/link-session.ts'
import { userMessage } from '../../session/message-text.ts'
import type { ContentBlock, Message, ToolCallBlock } from '../../session/message.ts'
import { chatToolCall, INSTRUCTION_ROLES } from '../../session/read-message.ts'
import { thinkingBlocks, toolResult, withoutImageData } from '../shared/messages.ts'
import { asText, listOf, type Fields } from '../shared/values.ts'
import { readAnthropicBlocks } from './anthropic-blocks.ts'

/** An entry of a chat: its `index` is the position of its value in the list. */
export type ChatEntry = Entry & { message: Message }

/** A chat, apart from its instructions. */
export interface MixedChat {
  /** In their order. One value may have several entries: the results of tools, and what the user wrote. */
  entries: ChatEntry[]
  /** The instructions, by the positions of their values in the list. */
  instructions: ReadonlyMap<number, Message>
}

/** Reads messages of OpenAI's chat API or of Anthropic's API, whatever they are: a broken value is never an error. */
export function readMixedChat(values: readonly unknown[]): MixedChat {
  const entries: ChatEntry[] = []
  const instructions = new Map<number, Message>()
  for (const [index, value] of values.entries()) {
    const fields = fieldsOf(value)
    const { blocks: all, results, attached } = readAnthropicBlocks(fields['content'])
    const role = asText(fields['role'])
    const files = role === 'user' ? all.filter((block) => attached.has(block)) : []
    const blocks = files.length === 0 ? all : all.filter((block) => !attached.has(block))
    if (INSTRUCTION_ROLES.has(role)) {
      instructions.set(index, { role: 'custom', content: blocks })
      continue
    }
    for (const read of [...results, ...readValue(role, blocks, fields), ...readValue('', files, fields)]) {
      const id = `m${entries.length}`
      const message = withoutImageData(read)
      entries.push({ id, parentId: entries.at(-1)?.id ?? null, type: 'message', index, range: NO_RANGE, message })
    }
  }
  nameTools(entries)
  return { entries, instructions }
}

function readValue(role: string, blocks: ContentBlock[], fields: Fields): Message[] {
  switch (role) {
    case 'assistant': // with the reasoning beside the content of DeepSeek and vLLM
      return [{ role, content: [...thinkingBlocks(fields['reasoning_content']), ...blocks, ...readCalls(fields)] }]
    case 'tool':
      return [toolResult(fields['tool_call_id'], blocks)]
    case 'function': // The older form of the API: a call has no id.
      return [toolResult(fields['name'], blocks)]
    default:
      // A message of the user may have only results of tools, which are read already.
      if (blocks.length === 0) return []
      return [role === 'user' ? userMessage(blocks) : { role: 'custom', content: blocks }]
  }
}

function readCalls({ tool_calls: calls, function_call: older }: Fields): ToolCallBlock[] {
  const found = listOf(calls).map(({ id, function: called }) => callOf(asText(id), fieldsOf(called)))
  const { name } = fieldsOf(older)
  return typeof name === 'string' ? [...found, callOf(name, fieldsOf(older))] : found
}

const callOf = (id: string, { name, arguments: args }: Fields): ToolCallBlock =>
  chatToolCall(id, asText(name) || 'unknown', asText(args) || '{}')
