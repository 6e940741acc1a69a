import { fieldsOf } from '../../session/entry.ts'
import { textBlocks, type ContentBlock, type Message } from '../../session/message.ts'
import { CODEX_USER_TAGS } from './client-tags.ts'
import { blockText, fileNote, imageBlock } from '../shared/messages.ts'
import { textIn } from '../../text/tagged-text.ts'
import { asText, type Fields } from '../shared/values.ts'

/** Returns text and images of a content, in pi's format. */
export function readParts(content: unknown): ContentBlock[] {
  if (typeof content === 'string') return textBlocks(content)
  return Array.isArray(content) ? content.flatMap((part) => readPart(fieldsOf(part))) : []
}

function readPart(part: Fields): ContentBlock[] {
  const type = asText(part['type'])
  if (type === 'input_image' || type === 'computer_screenshot')
    return [imageBlock({ image_url: { url: part['image_url'] } })]
  if (type === 'input_file') return [fileNote(part['filename'])]
  const text = asText(part['text']) || asText(part['refusal'])
  return /^<\/?image\b[^>]*>$/.test(text.trim()) ? [] : textBlocks(text)
}

const CLIENT_TAG = new RegExp(`^<(?:${CODEX_USER_TAGS.join('|')})(?![\\w-])`)

/** Texts that Codex writes in the user's role, by their first words (0.120 and 0.169). */
const CLIENT_TEXTS = [
  '# AGENTS.md instructions',
  // Warnings of older versions
  ...['Warning: apply_patch was requested via ', 'Warning: The maximum number of unified exec processes '],
  'Warning: Your account was flagged for potentially high-risk cyber activity',
]

/**
 * Returns a message of the user, without the parts that the client wrote; `custom` if it wrote all of them; undefined
 * without content.
 */
export function readUserMessage(content: ContentBlock[], item: Fields): Message | undefined {
  if (content.length === 0) return undefined
  const own = ownParts(item) ?? content.filter((block) => !isClients(block)).flatMap(readSpoken)
  return own.length === 0 ? { role: 'custom', content } : { role: 'user', content: own }
}

/** Returns the parts of the user, where Codex names the origin of each part (0.169). */
function ownParts({
  content,
  internal_chat_message_metadata_passthrough: metadata,
}: Fields): ContentBlock[] | undefined {
  const { content_item_kinds: kinds } = fieldsOf(metadata)
  if (!Array.isArray(kinds) || !Array.isArray(content) || kinds.length !== content.length) return undefined
  if (kinds.length === 0 || kinds.includes('unknown')) return undefined
  return readParts(content.filter((_, index) => asText(kinds[index]).startsWith('user.')))
}

function isClients(block: ContentBlock): boolean {
  const text = blockText(block).trimStart()
  return CLIENT_TAG.test(text) || CLIENT_TEXTS.some((start) => text.startsWith(start))
}

/**
 * Returns what the user said to the speech model, of what that has passed on with its transcript; other parts as they are. With
 * a source, the client says that the conversation has ended.
 */
function readSpoken(block: ContentBlock): ContentBlock[] {
  const text = blockText(block).trimStart()
  if (!text.startsWith('<realtime_delegation>')) return [block]
  const [before = ''] = text.split('<input>', 1)
  const input = before.includes('<source>') ? '' : (textIn(text, 'input') ?? '')
  return textBlocks(input.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&').trim())
}
