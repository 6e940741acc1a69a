import { fieldsOf } from '../../session/entry.ts'
import { textBlocks, type ContentBlock, type Message } from '../../session/message.ts'
import { readAnthropicBlocks } from '../apis/anthropic-blocks.ts'
import type { ReadEntry } from '../reader.ts'
import { fileNote, modelFact, thinkingBlocks, toolCall, toolResult } from '../shared/messages.ts'
import { readKeptMessages } from '../shared/bracket-labels.ts'
import { asText, type Fields, listOf } from '../shared/values.ts'
import { readOpencodeAnswers } from './answers.ts'

/** Types of the flat messages of opencode 2.x that have no part in the conversation. */
const SILENT_TYPES = new Set<unknown>(['system', 'agent-switched', 'model-switched'])

/** Returns whether a value is a message of opencode 2.x, which has its content in its own fields (SDK 1.19.3, `/v2`). */
export function isFlatMessage(value: unknown): boolean {
  const { id, type, text, content, summary, recent, role, command } = fieldsOf(value)
  if (!asText(id).startsWith('msg_') || role !== undefined) return false
  switch (type) {
    case 'user':
    case 'synthetic':
      return typeof text === 'string'
    case 'assistant':
      return Array.isArray(content)
    case 'compaction':
      return typeof summary === 'string' || typeof recent === 'string'
    case 'shell':
      return typeof command === 'string'
    default:
      return SILENT_TYPES.has(type)
  }
}

/** Returns the entries of a flat message: what a compaction keeps, `recent`, is a transcript. */
export function readFlatMessage(message: Fields): ReadEntry[] {
  const { type, id, text, summary, recent, command, output } = message
  const node = { id: asText(id) }
  const entry = (read: Message): ReadEntry => ({ type: 'message', ...node, message: read })
  switch (type) {
    case 'user':
      return [entry({ role: 'user', content: [...textBlocks(text), ...listOf(message['files']).map(readFile)] })]
    case 'synthetic':
      return [entry({ role: 'custom', content: textBlocks(text) })]
    case 'shell':
      return [entry({ role: 'bashExecution', command: asText(command), output: asText(output), cancelled: false })]
    case 'compaction':
      return [
        // Without a summary, nothing is replaced.
        ...(typeof summary === 'string' ? [{ type: 'compaction' as const, ...node, summary }] : []),
        ...readKeptMessages(asText(recent)).map(entry),
      ]
    case 'assistant':
      return readAnswer(message).map(entry)
    default:
      return []
  }
}

function readAnswer(message: Fields): Message[] {
  const parts = listOf(message['content'])
  const { id: model } = fieldsOf(message['model'])
  const content = parts.flatMap(readPart)
  const results = parts.flatMap((part) => (part['type'] === 'tool' ? readResult(part) : []))
  return [{ role: 'assistant', content, ...modelFact(model) }, ...results]
}

function readPart(part: Fields): ContentBlock[] {
  if (part['type'] === 'text') return textBlocks(part['text'])
  if (part['type'] === 'reasoning') return thinkingBlocks(part['text'])
  return part['type'] === 'tool' ? [toolCall(part['id'], part['name'], fieldsOf(part['state'])['input'])] : []
}

function readResult({ id, name, state }: Fields): Message[] {
  const { status, content, output, error, metadata } = fieldsOf(state)
  if (status !== 'completed' && status !== 'error') return []
  const { exit } = fieldsOf(metadata)
  const blocks = readAnthropicBlocks(content ?? output).blocks
  return [
    toolResult(id, status === 'error' ? asText(error) || asText(fieldsOf(error)['message']) : blocks, {
      name,
      isError: status === 'error' || undefined,
      exitCode: exit,
      answers: readOpencodeAnswers(asText(name), fieldsOf(state)),
    }),
  ]
}

const readFile = ({ mime, name, filename }: Fields): ContentBlock =>
  asText(mime).startsWith('image/') ? { type: 'image' } : fileNote(asText(filename) || name)
