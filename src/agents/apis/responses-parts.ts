import { fieldsOf } from '../../session/entry.ts'
import { textBlocks, type ContentBlock, type Message } from '../../session/message.ts'
import { blockText, fileNote, imageBlock } from '../shared/messages.ts'
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

/** Texts that Codex writes in the user's role, by their first words (0.120 and 0.169). */
const CLIENT_TEXTS = [
  ...['<environment_context>', '# AGENTS.md instructions', '<user_instructions>', '<turn_aborted>'],
  ...['<permissions instructions>', '<skills_instructions>', '<subagent_notification>', '<recommended_plugins>'],
  // The output of a command that the user ran, a skill, and the result of a review
  ...['<user_shell_command>', '<skill>', '<user_action>', '<hook_prompt'],
  // The words of other agents and of the speech model
  ...['<inter_agent_communication', '<realtime_conversation>', '<agent_message_board_notification>'],
  // A goal that Codex repeats (older versions: the second tag), what an extension or an editor adds, and a change of the model
  ...['<codex_internal_context', '<goal_context>', '<untrusted_objective>', '<extension_context>', '<external_'],
  ...['<model_switch>', '<next_prompt_suggestion>'],
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
  const own = ownParts(item) ?? content.filter((block) => !isClients(block))
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
  return CLIENT_TEXTS.some((start) => text.startsWith(start))
}
