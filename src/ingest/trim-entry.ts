import type {
  RawContent,
  RawContentBlock,
  RawAssistantMessage,
  RawBashExecutionMessage,
  RawMessage,
} from '../schemas/message.ts'
import type { RawEntry, RawMessageEntry } from '../schemas/entry.ts'
import { estimateMessageTokens } from '../tokens/estimate-tokens.ts'
import { readExitStatus } from '../extract/commands.ts'
import { trimOutput, trimCall, shortenText } from './trim-text.ts'
import { textOf, type Message, type ToolResultMessage } from '../session/message.ts'
import { KNOWN_TOKENS } from '../session/entry.ts'
import { readMessage } from '../session/read-message.ts'

const NODE = ['type', 'id', 'parentId', 'excludeFromContext'] as const

/** Entries of which all may be needed: summaries with their details, and what tells of the model in use. */
const KEPT_WHOLE = new Set(['branch_summary', 'compaction', 'model_change'])

/** Keeps of a checked entry what a plan and its prompts need. */
export function trimEntry(raw: RawEntry): RawEntry {
  if (KEPT_WHOLE.has(raw.type)) return raw
  const node = pick(raw, NODE) as RawEntry
  switch (raw.type) {
    case 'message':
      return Object.assign(node, { message: trimMessage((raw as RawMessageEntry).message) })
    case 'custom_message':
      return Object.assign(node, { content: dropImages(raw['content'] as RawContent) })
    default:
      return node
  }
}

type Raw = Record<string, unknown>

/** The fields that are read of a message, whatever its role; what else clients write into it is dropped. */
const FIELDS = [
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

/** Content of which nothing is missing but the data of images. */
export const dropImages = (content: RawContent): RawContent =>
  typeof content === 'string' ? content : content.map((block) => (block.type === 'image' ? { type: 'image' } : block))

/**
 * Keeps of a checked message what a plan and its prompts need: of outputs, thinking and written files what could be
 * shown, of images that they are there. What the whole message takes in the context goes along as its tokens.
 */
export function trimMessage(raw: RawMessage): RawMessage {
  const message = readMessage(raw)
  const slim: Raw & { [KNOWN_TOKENS]?: number } = pick(raw, FIELDS)
  const { exitCode } = (raw['details'] ?? {}) as Raw
  if (typeof exitCode === 'number') slim['details'] = { exitCode }
  if (message === undefined) return slim as RawMessage
  slim[KNOWN_TOKENS] = estimateMessageTokens(message)
  Object.assign(slim, slimParts(raw, message))
  return slim as RawMessage
}

function slimParts(raw: RawMessage, message: Message): Raw {
  switch (message.role) {
    case 'bashExecution': {
      const { output, exitCode = 0 } = raw as RawBashExecutionMessage
      return typeof output === 'string' ? { output: trimOutput(output, (exitCode ?? 0) !== 0) } : {}
    }
    case 'toolResult':
      return { content: slimResult(raw['content'] as RawContent, message) }
    case 'assistant':
      return slimAssistant(raw as RawAssistantMessage)
    case 'custom':
    case 'user':
      return { content: slimContent(raw['content'] as RawContent) }
    default:
      return {}
  }
}

/** An output that came as one text is cut as one; of several texts, or beside images, each stays whole. */
function slimResult(content: RawContent, message: ToolResultMessage): RawContent {
  const [only, ...others] = message.content
  if (only?.type !== 'text' || others.length > 0) return slimContent(content)
  return trimOutput(only.text, readExitStatus(message, textOf(message.content)) !== undefined)
}

function slimAssistant({ content }: RawAssistantMessage): Raw {
  return content === undefined || content === null ? {} : { content: slimContent(content) }
}

/** Content without the data of images and the signatures of thinking. */
function slimContent(content: RawContent): RawContent {
  return typeof content === 'string' ? content : content.map(slimBlock)
}

function slimBlock(block: RawContentBlock): RawContentBlock {
  switch (block.type) {
    case 'text':
      return { type: 'text', text: block['text'] as string }
    case 'thinking':
      return { type: 'thinking', thinking: shortenText(block['thinking'] as string) }
    case 'toolCall':
      return trimCall(block)
    default:
      return { type: block.type, ...pick(block, ['text']) }
  }
}
/** Those of a value's fields that are there. */
export function pick(raw: Record<string, unknown>, names: readonly string[]): Record<string, unknown> {
  const picked: Record<string, unknown> = {}
  for (const name of names) if (raw[name] !== undefined) picked[name] = raw[name]
  return picked
}
