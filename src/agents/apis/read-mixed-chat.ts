import type { RawContentBlock, RawMessage } from '../../schemas/message.ts'
import { fieldsOf, NO_RANGE, type Entry } from '../../session/entry.ts'
import { readBlocks, textOf } from './anthropic-blocks.ts'
import { nameTools } from '../../session/link-session.ts'
import type { Message } from '../../session/message.ts'
import { INSTRUCTION_ROLES, readMessage } from '../../session/read-message.ts'

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
    const { blocks: all, results, attached } = readBlocks(fields['content'], () => undefined)
    const role = textOf(fields['role'])
    const files = role === 'user' ? all.filter((block) => attached.has(block)) : []
    const blocks = files.length === 0 ? all : all.filter((block) => !attached.has(block))
    if (INSTRUCTION_ROLES.has(role)) {
      instructions.set(index, { role: 'custom', content: readOwn('user', blocks)[0]?.content ?? [] })
      continue
    }
    for (const message of [
      ...results.flatMap(read),
      ...readValue(role, blocks, fields),
      ...readValue('', files, fields),
    ]) {
      const id = `m${entries.length}`
      entries.push({ id, parentId: entries.at(-1)?.id ?? null, type: 'message', index, range: NO_RANGE, message })
    }
  }
  nameTools(entries)
  return { entries, instructions }
}

type Fields = Readonly<Record<string, unknown>>

function readValue(role: string, blocks: readonly RawContentBlock[], fields: Fields): Message[] {
  switch (role) {
    case 'assistant':
      return read({ role, content: [...readReasoning(fields), ...blocks], tool_calls: readCalls(fields) })
    case 'tool':
      return read({ role, tool_call_id: textOf(fields['tool_call_id']), content: [...blocks] })
    case 'function': // The older form of the API: a call has no id.
      return read({ role: 'tool', tool_call_id: textOf(fields['name']), content: [...blocks] })
    default:
      // A message of the user may have only results of tools, which are read already.
      return blocks.length === 0 ? [] : readOwn(role, blocks)
  }
}

function read(raw: RawMessage): Message[] {
  const message = readMessage(raw)
  return message === undefined ? [] : [message]
}

function readOwn(role: string, blocks: readonly RawContentBlock[]): Extract<Message, { role: 'user' | 'custom' }>[] {
  const message = readMessage({ role: role === 'user' ? 'user' : 'custom', content: [...blocks] })
  return message?.role === 'user' || message?.role === 'custom' ? [message] : []
}

/** Returns the reasoning beside the content (DeepSeek, vLLM). */
function readReasoning({ reasoning_content: reasoning }: Fields): RawContentBlock[] {
  return textOf(reasoning) === '' ? [] : [{ type: 'thinking', thinking: textOf(reasoning) }]
}

function readCalls({ tool_calls: calls, function_call: older }: Fields) {
  const found = (Array.isArray(calls) ? calls : []).map((value: unknown) => {
    const { id, function: called } = fieldsOf(value)
    return callOf(textOf(id), fieldsOf(called))
  })
  const { name } = fieldsOf(older)
  return typeof name === 'string' ? [...found, callOf(name, fieldsOf(older))] : found
}

const callOf = (id: string, { name, arguments: args }: Fields) => ({
  id,
  type: 'function' as const,
  function: { name: textOf(name) || 'unknown', arguments: textOf(args) || '{}' },
})
