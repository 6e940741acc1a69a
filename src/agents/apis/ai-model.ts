import { fieldsOf, isObject } from '../../session/entry.ts'
import { isAcknowledgement, readCompactionText } from '../../session/message-text.ts'
import { textBlocks, type ContentBlock, type Message, type ToolCallBlock } from '../../session/message.ts'
import { eachValue, type Ignore, type ReadEntry, type SessionReader } from '../reader.ts'
import { fileNote, imageBlock, thinkingBlocks, toolCall, toolResult } from '../shared/messages.ts'
import { asText, type Fields, listOf } from '../shared/values.ts'
import { readAnthropicBlocks } from './anthropic-blocks.ts'

/** `ModelMessage` of the AI SDK (ai 7.0.173); the messages of version 4 have other names for the same fields. */
export const aiModelReader: SessionReader = {
  detect: ({ values }) => values.some(isModelMessage),
  open: eachValue(readModelMessage),
}

const ROLES = new Set<unknown>(['user', 'assistant', 'tool', 'system'])

/** Parts that only these messages have. */
const OWN_PARTS = new Set(['tool-call', 'tool-result', 'tool-approval-request', 'tool-approval-response', 'reasoning'])

function isModelMessage(value: unknown): boolean {
  const { role, content } = fieldsOf(value)
  return ROLES.has(role) && listOf(content).some(isOwnPart)
}

/** Returns whether only these messages have a part. Their files and images have fields that no other API has. */
function isOwnPart({ type, mediaType, image }: Fields): boolean {
  if (type === 'file') return typeof mediaType === 'string'
  return type === 'image' ? image !== undefined : OWN_PARTS.has(asText(type))
}

function readModelMessage({ role, content, id: own }: Fields, ignore: Ignore): ReadEntry[] {
  if (!ROLES.has(role)) ignore('roles', asText(role))
  if (role === 'system' || !ROLES.has(role)) return []
  const id = asText(own)
  const parts = typeof content === 'string' ? [{ type: 'text', text: content }] : listOf(content)
  const text = onlyText(parts)
  const summary = role === 'user' ? readCompactionText(text) : undefined
  if (summary !== undefined) return [{ type: 'compaction', id, summary }]
  if (isAcknowledgement(role, text)) return []
  const blocks = parts.flatMap((part) => readPart(part, ignore))
  const message: Message =
    role === 'assistant' || role === 'user' ? { role, content: blocks } : { role: 'custom', content: blocks }
  const results = parts.filter(({ type }) => type === 'tool-result').map(readResult)
  return [...(blocks.length === 0 ? [] : [message]), ...results].map((one) => ({ type: 'message', id, message: one }))
}

function readPart(part: Fields, ignore: Ignore): ContentBlock[] {
  switch (part['type']) {
    case 'reasoning':
      return thinkingBlocks(part['text'])
    case 'tool-call':
      return [readAiModelCall(part)]
    case 'image':
      return [imageBlock({ data: part['image'], mimeType: part['mediaType'] ?? part['mimeType'] })]
    case 'file':
      return [readAiModelFile(part)]
    case 'tool-result':
    case 'tool-approval-request':
    case 'tool-approval-response':
      return []
    default:
      return readAnthropicBlocks([part], ignore).blocks
  }
}

/** Returns the text of parts of which only one has content; '' for others. The beginning of a step has none. */
export function onlyText(parts: readonly Fields[]): string {
  const [part, ...others] = parts.filter(({ type }) => type !== 'step-start')
  return others.length === 0 ? asText(part?.['text']) : ''
}

/** Returns a call: version 4 has `args`, later ones have `input`. */
export const readAiModelCall = ({ toolCallId, toolName, input, args }: Fields): ToolCallBlock =>
  toolCall(toolCallId, toolName, input ?? args)

/** Returns a file: an image, or a note with its name. */
export function readAiModelFile(part: Fields): ContentBlock {
  const mimeType = part['mediaType'] ?? part['mimeType']
  const isImage = asText(mimeType).startsWith('image/')
  return isImage ? imageBlock({ data: part['data'] ?? part['url'], mimeType }) : fileNote(part['filename'])
}

function readResult({ toolCallId, toolName, output, result, isError }: Fields): Message {
  const { type, value, reason } = fieldsOf(output)
  const kind = asText(type)
  const isDenied = kind === 'execution-denied'
  const hasFailed = isDenied || kind.startsWith('error-')
  const isMarked = hasFailed || typeof isError === 'boolean'
  return toolResult(toolCallId, isDenied ? asText(reason) : contentOfOutput(kind === '' ? (output ?? result) : value), {
    name: toolName,
    isError: isMarked ? hasFailed || isError === true : undefined,
  })
}

/** Returns an output as content: a text, a list of parts, or any other value as JSON. */
export function contentOfOutput(output: unknown): ContentBlock[] {
  if (!isObject(output)) return jsonBlocks(typeof output === 'string' ? output : JSON.stringify(output ?? ''))
  const parts = listOf(output)
  const isContent = parts.length > 0 && parts.every(({ type }) => typeof type === 'string')
  if (!isContent) return jsonBlocks(JSON.stringify(output))
  return parts.flatMap((part) => (part['type'] === 'text' ? jsonBlocks(asText(part['text'])) : [readAiModelFile(part)]))
}

const jsonBlocks = (text: string): ContentBlock[] => (text === '""' ? [] : textBlocks(text))
