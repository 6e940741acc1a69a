import type { RawContent, RawContentBlock } from '../schemas/message.ts'
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
      return [{ type: 'toolCall', id: block.id, name: block.name, arguments: block.arguments ?? {} }]
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
