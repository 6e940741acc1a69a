import type { RawContentBlock, RawMessage } from '../../schemas/message.ts'
import { fieldsOf, isObject, type ElementPlace } from '../../session/entry.ts'
import { isAcknowledgement, readCompactionText } from '../../session/message-text.ts'
import { readBlocks, textOf } from './anthropic-blocks.ts'
import type { SessionReader, ValueReader, EntrySink } from '../reader.ts'

type Fields = Readonly<Record<string, unknown>>

/** `ModelMessage` of the AI SDK (ai 7.0.173); the messages of version 4 have other names for the same fields. */
export const aiModelReader: SessionReader = {
  detect: ({ values }) => values.some(isModelMessage),
  open: (sink) => new ModelMessagesReader(sink),
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
  return type === 'image' ? image !== undefined : OWN_PARTS.has(textOf(type))
}

class ModelMessagesReader implements ValueReader {
  readonly #sink: EntrySink

  constructor(sink: EntrySink) {
    this.#sink = sink
  }

  read(value: unknown, place: ElementPlace): void {
    const { role, content, id } = fieldsOf(value)
    if (!ROLES.has(role)) this.#sink.ignore('roles', textOf(role))
    if (role === 'system' || !ROLES.has(role)) return
    const parts = typeof content === 'string' ? [{ type: 'text', text: content }] : listOf(content)
    const named = textOf(id) === '' ? {} : { id: textOf(id) }
    const text = onlyText(parts)
    const summary = role === 'user' ? readCompactionText(text) : undefined
    if (summary !== undefined) this.#sink.add({ type: 'compaction', ...named, summary }, place)
    if (summary !== undefined || isAcknowledgement(role, text)) return
    const blocks = parts.flatMap(this.#readPart)
    const own: RawMessage =
      role === 'assistant' || role === 'user' ? { role, content: blocks } : { role: 'custom', content: blocks }
    const results = parts.filter(({ type }) => type === 'tool-result').map(readResult)
    for (const message of [...(blocks.length === 0 ? [] : [own]), ...results])
      this.#sink.add({ type: 'message', ...named, message }, place)
  }

  readonly #readPart = (part: Fields): RawContentBlock[] => {
    const type = textOf(part['type'])
    switch (type) {
      case 'reasoning':
        return textOf(part['text']) === '' ? [] : [{ type: 'thinking', thinking: textOf(part['text']) }]
      case 'tool-call':
        return [readCall(part)]
      case 'image':
        return [{ type: 'image', data: part['image'], mimeType: part['mediaType'] ?? part['mimeType'] }]
      case 'file':
        return [readFile(part)]
      case 'tool-result':
      case 'tool-approval-request':
      case 'tool-approval-response':
        return []
      default:
        return readBlocks([part], (unknown) => {
          this.#sink.ignore('blocks', unknown)
        }).blocks
    }
  }
}

/** Returns the text of parts of which only one has content; '' for others. The beginning of a step has none. */
export function onlyText(parts: readonly Fields[]): string {
  const [part, ...others] = parts.filter(({ type }) => type !== 'step-start')
  return others.length === 0 ? textOf(part?.['text']) : ''
}

/** Returns a call: version 4 has `args`, later ones have `input`. */
export const readCall = ({ toolCallId: id, toolName: name, input, args }: Fields) => ({
  type: 'toolCall' as const,
  id: textOf(id),
  name: textOf(name) || 'unknown',
  arguments: input ?? args ?? {},
})

/** Returns a file: an image, or a note with its name. */
export function readFile(part: Fields): RawContentBlock {
  const mimeType = part['mediaType'] ?? part['mimeType']
  if (textOf(mimeType).startsWith('image/')) return { type: 'image', data: part['data'] ?? part['url'], mimeType }
  return { type: 'text', text: `[File: ${textOf(part['filename']) || 'without a name'}]` }
}

function readResult({ toolCallId, toolName, output, result, isError }: Fields): RawMessage {
  const { type, value, reason } = fieldsOf(output)
  const kind = textOf(type)
  const isDenied = kind === 'execution-denied'
  const hasFailed = isDenied || kind.startsWith('error-')
  return {
    role: 'toolResult',
    toolCallId: textOf(toolCallId),
    toolName: textOf(toolName),
    content: isDenied ? textOf(reason) : outputOf(kind === '' ? (output ?? result) : value),
    ...(hasFailed || typeof isError === 'boolean' ? { isError: hasFailed || isError === true } : {}),
  }
}

/** Returns an output as content: a text, a list of parts, or any other value as JSON. */
export function outputOf(output: unknown): RawContentBlock[] {
  if (!isObject(output)) return textBlocks(typeof output === 'string' ? output : JSON.stringify(output ?? ''))
  const parts = listOf(output)
  const isContent = parts.length > 0 && parts.every(({ type }) => typeof type === 'string')
  if (!isContent) return textBlocks(JSON.stringify(output))
  return parts.flatMap((part) => (part['type'] === 'text' ? textBlocks(textOf(part['text'])) : [readFile(part)]))
}

const textBlocks = (text: string): RawContentBlock[] => (text === '' || text === '""' ? [] : [{ type: 'text', text }])

const listOf = (list: unknown): Fields[] => (Array.isArray(list) ? list.map(fieldsOf) : [])
