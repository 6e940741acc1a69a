import type { RawContent, RawContentBlock } from '../schemas/message.ts'
import { isObject } from './entry.ts'
import type { ContentBlock } from './message.ts'

/**
 * Reads a message's content, a string or blocks. Empty texts, and blocks of an unknown type without a text, are left
 * out.
 */
export function readContent(content: RawContent | null | undefined): ContentBlock[] {
  if (content === null || content === undefined) return []
  return typeof content === 'string' ? readText(content) : content.flatMap(readBlock)
}

function readBlock(block: RawContentBlock): ContentBlock[] {
  switch (block.type) {
    case 'text':
      return readText(block.text)
    case 'thinking':
      return [{ type: 'thinking', thinking: block.thinking }]
    case 'toolCall':
      return [{ type: 'toolCall', id: block.id, name: block.name, arguments: limitDepth(block.arguments ?? {}) }]
    case 'image': // pi
    case 'image_url': // OpenAI's chat API
    case 'input_image': // OpenAI's Responses API
      return [{ type: 'image' }]
    default:
      return readText(block['text'])
  }
}

function readText(text: unknown): ContentBlock[] {
  return typeof text === 'string' && text !== '' ? [{ type: 'text', text }] : []
}

/** No real arguments are nested deeper. `JSON.stringify`, which is recursive, writes any value up to this depth. */
const MAX_DEPTH = 200

/** Returns a JSON value, with a note in the place of what is nested too deeply. */
export function limitDepth(value: unknown): unknown {
  return isDeeper(value, MAX_DEPTH) ? cutBelow(value, MAX_DEPTH) : value
}

function isDeeper(value: unknown, levels: number): boolean {
  if (!isObject(value)) return false
  return levels === 0 || Object.values(value).some((child) => isDeeper(child, levels - 1))
}

function cutBelow(value: unknown, levels: number): unknown {
  if (!isObject(value)) return value
  if (levels === 0) return '(nested too deeply)'
  if (Array.isArray(value)) return value.map((child) => cutBelow(child, levels - 1))
  return Object.fromEntries(Object.entries(value).map(([key, child]) => [key, cutBelow(child, levels - 1)]))
}
