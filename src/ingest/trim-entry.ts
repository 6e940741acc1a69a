import { readExitStatus } from '../extract/commands.ts'
import type { RawEntry } from '../schemas/entry.ts'
import type { RawAssistantMessage, RawContent, RawContentBlock, RawMessage } from '../schemas/message.ts'
import { KNOWN_TOKENS } from '../session/entry.ts'
import { fieldsOf } from '../session/entry.ts'
import { textOf, type Message } from '../session/message.ts'
import { readMessage } from '../session/read-message.ts'
import { estimateMessageTokens } from '../tokens/estimate-tokens.ts'
import { shortenText, trimCall, trimOutput } from './trim-text.ts'

const NODE_FIELDS = ['id', 'parentId', 'excludeFromContext'] as const

/** Returns a checked entry with only the parts that a plan and its prompts need. */
export function trimEntry(raw: RawEntry): RawEntry {
  switch (raw.type) {
    case 'branch_summary':
    case 'compaction':
      return raw
    case 'message':
      return { ...pick(raw, NODE_FIELDS), type: raw.type, message: trimMessage(raw.message) }
    case 'custom_message':
      return { ...pick(raw, NODE_FIELDS), type: raw.type, content: dropImages(raw.content) }
    default:
      return TYPES_KEPT_WHOLE.has(raw.type) ? raw : { ...pick(raw, NODE_FIELDS), type: raw.type }
  }
}

/** The model in use is read from all fields of these entries. */
const TYPES_KEPT_WHOLE = new Set<string>(['model_change'])

/** Returns content without the data of images. */
function dropImages(content: RawContent): RawContent {
  if (typeof content === 'string') return content
  return content.map((block) => (block.type === 'image' ? { type: block.type } : block))
}

type Fields = Record<string, unknown>

/** The fields that are read of messages, whatever their role; all other fields are dropped. */
const MESSAGE_FIELDS = [
  'role',
  'content',
  'excludeFromContext',
  'stopReason',
  'errorMessage',
  'provider',
  'model',
  'usage',
  'tool_calls',
  'toolCallId',
  'tool_call_id',
  'toolName',
  'name',
  'isError',
  'prunedAt',
  'command',
  'output',
  'exitCode',
  'cancelled',
  'summary',
] as const

/**
 * Returns a checked message with only the parts that a plan and its prompts need: the parts of outputs, thinking and
 * written files that a prompt may show, and images without their data. The tokens of the whole message are added.
 */
export function trimMessage(raw: RawMessage): RawMessage {
  const message = readMessage(raw)
  const { exitCode } = fieldsOf(raw['details'])
  const trimmed: Fields & { [KNOWN_TOKENS]?: number } = {
    ...pick(raw, MESSAGE_FIELDS),
    ...(typeof exitCode === 'number' ? { details: { exitCode } } : {}),
    ...(message === undefined ? {} : { ...trimParts(raw, message), [KNOWN_TOKENS]: estimateMessageTokens(message) }),
  }
  // Every field that the schema of a role requires is among `MESSAGE_FIELDS`.
  return trimmed as RawMessage
}

function trimParts(raw: RawMessage, message: Message): Fields {
  switch (raw.role) {
    case 'bashExecution':
      return typeof raw.output === 'string' ? { output: trimOutput(raw.output, (raw.exitCode ?? 0) !== 0) } : {}
    case 'toolResult':
    case 'tool':
      return { content: trimResult(raw.content, message) }
    case 'assistant':
      return trimAssistant(raw)
    case 'custom':
    case 'hookMessage':
    case 'user':
      return { content: trimContent(raw.content) }
    default:
      return {}
  }
}

/** Trims a result of one text as an output. In a result of several texts, or with images, each text stays whole. */
function trimResult(content: RawContent, message: Message): RawContent {
  if (message.role !== 'toolResult') return trimContent(content)
  const [only, ...others] = message.content
  if (only?.type !== 'text' || others.length > 0) return trimContent(content)
  return trimOutput(only.text, readExitStatus(message, textOf(message.content)) !== undefined)
}

function trimAssistant({ content }: RawAssistantMessage): Fields {
  return content === undefined || content === null ? {} : { content: trimContent(content) }
}

/** Returns content without the data of images and the signatures of thinking. */
function trimContent(content: RawContent): RawContent {
  return typeof content === 'string' ? content : content.map(trimBlock)
}

function trimBlock(block: RawContentBlock): RawContentBlock {
  switch (block.type) {
    case 'text':
      return { type: block.type, text: block.text }
    case 'thinking':
      return { type: block.type, thinking: shortenText(block.thinking) }
    case 'toolCall':
      return trimCall(block)
    default:
      return { type: block.type, ...pick(block, ['text']) }
  }
}

/** Returns the named fields of an object that it has. */
export function pick(raw: Readonly<Fields>, names: readonly string[]): Fields {
  const picked: Fields = {}
  for (const name of names) if (raw[name] !== undefined) picked[name] = raw[name]
  return picked
}
