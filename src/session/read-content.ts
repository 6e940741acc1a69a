import type { RawContent, RawContentBlock } from '../schemas/message.ts'
import type { ContentBlock } from './message.ts'

/** Block types that carry an image: pi's `image`, OpenAI's `image_url`, and the Responses API's `input_image`. */
const IMAGE_TYPES = new Set(['image', 'image_url', 'input_image'])

const textBlock = (text: unknown): ContentBlock[] =>
  typeof text === 'string' && text !== '' ? [{ type: 'text', text }] : []

/**
 * Reads a message's content, a string or blocks. Empty texts, and blocks of a kind that is not known and has no text,
 * contribute nothing.
 */
export function readContent(content: RawContent | null | undefined): ContentBlock[] {
  if (content === null || content === undefined || content === '') return []
  if (typeof content === 'string') return [{ type: 'text', text: content }]
  return content.flatMap(readBlock)
}

function readBlock(block: RawContentBlock): ContentBlock[] {
  switch (block.type) {
    case 'text':
      return textBlock(block['text'])
    case 'thinking':
      return [{ type: 'thinking', thinking: block['thinking'] as string }]
    case 'toolCall':
      return [
        {
          type: 'toolCall',
          id: block['id'] as string,
          name: block['name'] as string,
          arguments: block['arguments'] ?? {},
        },
      ]
    default:
      return IMAGE_TYPES.has(block.type) ? [{ type: 'image' }] : textBlock(block['text'])
  }
}
