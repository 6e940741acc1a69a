import type { RawContentBlock, RawMessage } from '../../schemas/message.ts'
import { fieldsOf } from '../../session/entry.ts'
import { textOf } from './anthropic-blocks.ts'

type Item = Readonly<Record<string, unknown>>

/** Returns text and images of a content, in pi's format. */
export function readParts(content: unknown): RawContentBlock[] {
  if (typeof content === 'string') return content === '' ? [] : [{ type: 'text', text: content }]
  return Array.isArray(content) ? content.flatMap((part) => readPart(fieldsOf(part))) : []
}

function readPart(part: Item): RawContentBlock[] {
  const type = textOf(part['type'])
  if (type === 'input_image' || type === 'computer_screenshot')
    return [{ type: 'image_url', image_url: { url: part['image_url'] } }]
  const text = textOf(part['text']) || textOf(part['refusal'])
  if (type === 'input_file') return [{ type: 'text', text: `[File: ${textOf(part['filename']) || 'without a name'}]` }]
  return text === '' || /^<\/?image\b[^>]*>$/.test(text.trim()) ? [] : [{ type: 'text', text }]
}

/** Texts that Codex writes in the user's role, by their first words (0.120 and 0.169). */
const CLIENT_TEXTS = [
  ...['<environment_context>', '# AGENTS.md instructions', '<user_instructions>', '<turn_aborted>'],
  ...['<permissions instructions>', '<skills_instructions>', '<subagent_notification>', '<recommended_plugins>'],
  // The output of a command that the user ran, a skill, and the result of a review
  ...['<user_shell_command>', '<skill>', '<user_action>', '<hook_prompt'],
]

/**
 * Returns a message of the user, without the parts that the client wrote; `custom` if it wrote all of them; undefined
 * without content.
 */
export function readUserMessage(content: RawContentBlock[], item: Item): RawMessage | undefined {
  if (content.length === 0) return undefined
  const own = ownParts(item) ?? content.filter((block) => !isClients(block))
  return own.length === 0 ? { role: 'custom', content } : { role: 'user', content: own }
}

/** Returns the parts of the user, where Codex names the origin of each part (0.169). */
function ownParts({
  content,
  internal_chat_message_metadata_passthrough: metadata,
}: Item): RawContentBlock[] | undefined {
  const { content_item_kinds: kinds } = fieldsOf(metadata)
  if (!Array.isArray(kinds) || !Array.isArray(content) || kinds.length !== content.length) return undefined
  if (kinds.length === 0 || kinds.includes('unknown')) return undefined
  return readParts(content.filter((_, index) => textOf(kinds[index]).startsWith('user.')))
}

function isClients(block: RawContentBlock): boolean {
  const text = textOf(block['text']).trimStart()
  return block.type === 'text' && CLIENT_TEXTS.some((start) => text.startsWith(start))
}
