import type { RawEntry } from '../../schemas/entry.ts'
import type { RawContentBlock, RawMessage } from '../../schemas/message.ts'
import { fieldsOf } from '../../session/entry.ts'
import { markAnswers } from '../../session/marked-answers.ts'
import { readBlocks, textOf } from '../apis/anthropic-blocks.ts'
import { readOpencodeAnswers } from './answers.ts'

type Fields = Readonly<Record<string, unknown>>

/** Types of the flat messages of opencode 2.x that have no part in the conversation. */
const SILENT_TYPES = new Set<unknown>(['system', 'agent-switched', 'model-switched'])

/** Returns whether a value is a message of opencode 2.x, which has its content in its own fields (SDK 1.19.3, `/v2`). */
export function isFlatMessage(value: unknown): boolean {
  const { id, type, text, content, summary, role, command } = fieldsOf(value)
  if (!textOf(id).startsWith('msg_') || role !== undefined) return false
  switch (type) {
    case 'user':
    case 'synthetic':
      return typeof text === 'string'
    case 'assistant':
      return Array.isArray(content)
    case 'compaction':
      return typeof summary === 'string'
    case 'shell':
      return typeof command === 'string'
    default:
      return SILENT_TYPES.has(type)
  }
}

/** Returns the entries of a flat message: what a compaction keeps, `recent`, is a text. */
export function readFlatMessage(message: Fields): RawEntry[] {
  const { type, id, text, summary, recent, command, output } = message
  const node = { id: textOf(id) }
  const entry = (read: RawMessage): RawEntry => ({ type: 'message', ...node, message: read })
  switch (type) {
    case 'user':
      return [entry({ role: 'user', content: [...textBlocks(text), ...listOf(message['files']).map(readFile)] })]
    case 'synthetic':
      return [entry({ role: 'custom', content: textOf(text) })]
    case 'shell':
      return [entry({ role: 'bashExecution', command: textOf(command), output: textOf(output) })]
    case 'compaction':
      return [
        { type: 'compaction', ...node, summary: textOf(summary) },
        ...(textOf(recent) === '' ? [] : [entry({ role: 'custom', content: textOf(recent) })]),
      ]
    case 'assistant':
      return readAnswer(message).map(entry)
    default:
      return []
  }
}

function readAnswer(message: Fields): RawMessage[] {
  const parts = listOf(message['content'])
  const { id: model } = fieldsOf(message['model'])
  const content = parts.flatMap(readPart)
  const results = parts.flatMap((part) => (part['type'] === 'tool' ? readResult(part) : []))
  const facts = typeof model === 'string' ? { model } : {}
  return [{ role: 'assistant', content, ...facts }, ...results]
}

function readPart(part: Fields): RawContentBlock[] {
  const text = textOf(part['text'])
  if (part['type'] === 'text') return textBlocks(text)
  if (part['type'] === 'reasoning') return text === '' ? [] : [{ type: 'thinking', thinking: text }]
  if (part['type'] !== 'tool') return []
  const { input } = fieldsOf(part['state'])
  return [{ type: 'toolCall', id: textOf(part['id']), name: textOf(part['name']) || 'unknown', arguments: input ?? {} }]
}

function readResult({ id, name, state }: Fields): RawMessage[] {
  const { status, content, output, error, metadata } = fieldsOf(state)
  if (status !== 'completed' && status !== 'error') return []
  const { exit } = fieldsOf(metadata)
  const blocks = readBlocks(content ?? output, () => undefined).blocks
  return [
    {
      role: 'toolResult',
      toolCallId: textOf(id),
      toolName: textOf(name),
      content: status === 'error' ? textOf(error) || textOf(fieldsOf(error)['message']) : blocks,
      ...(status === 'error' ? { isError: true } : {}),
      ...(typeof exit === 'number' ? { details: { exitCode: exit } } : {}),
      ...markAnswers(readOpencodeAnswers(textOf(name), fieldsOf(state))),
    },
  ]
}

const readFile = ({ mime, name, filename }: Fields): RawContentBlock =>
  textOf(mime).startsWith('image/')
    ? { type: 'image' }
    : { type: 'text', text: `[File: ${textOf(filename) || textOf(name) || 'without a name'}]` }

const textBlocks = (text: unknown): RawContentBlock[] =>
  textOf(text) === '' ? [] : [{ type: 'text', text: textOf(text) }]

const listOf = (list: unknown): Fields[] => (Array.isArray(list) ? list.map(fieldsOf) : [])
