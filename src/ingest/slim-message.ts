import type { RawContent, RawContentBlock } from '../schemas/content.ts'
import type { RawAssistantMessage, RawBashExecutionMessage, RawMessage } from '../schemas/message.ts'
import { estimateMessageTokens } from '../plan/estimate-tokens.ts'
import { readFailure } from '../extract/read-command.ts'
import { keepChoosable } from '../prompt/keep-choosable.ts'
import { textOf, type Message, type ToolResultMessage } from '../session/message.ts'
import { KNOWN_TOKENS } from '../session/known-tokens.ts'
import { readMessage } from '../session/read-message.ts'
import { pick } from './pick.ts'
import { slimCall } from './slim-call.ts'
import { shortenText } from './shorten-text.ts'

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

/**
 * Keeps of a checked message what a plan and its prompts need: of outputs, thinking and written files what could be
 * shown, of images that they are there. What the whole message takes in the context goes along as its tokens.
 */
export function slimMessage(raw: RawMessage): RawMessage {
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
      return typeof output === 'string' ? { output: keepChoosable(output, (exitCode ?? 0) !== 0) } : {}
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
  return keepChoosable(only.text, readFailure(message, textOf(message.content)) !== undefined)
}

function slimAssistant({ content }: RawAssistantMessage): Raw {
  return content === undefined || content === null ? {} : { content: slimContent(content) }
}

/** Content without the data of images and the signatures of thinking. */
function slimContent(content: RawContent): RawContent {
  return typeof content === 'string' ? content : content.map(slimBlock)
}

/** Content of which nothing is missing but the data of images. */
export const dropImages = (content: RawContent): RawContent =>
  typeof content === 'string' ? content : content.map((block) => (block.type === 'image' ? { type: 'image' } : block))

function slimBlock(block: RawContentBlock): RawContentBlock {
  switch (block.type) {
    case 'text':
      return { type: 'text', text: block['text'] as string }
    case 'thinking':
      return { type: 'thinking', thinking: shortenText(block['thinking'] as string) }
    case 'toolCall':
      return slimCall(block)
    default:
      return { type: block.type, ...pick(block, ['text']) }
  }
}
