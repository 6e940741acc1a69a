import type {
  RawAssistantMessage,
  RawBashExecutionMessage,
  RawChatToolMessage,
  RawContent,
  RawContentBlock,
  RawMessage,
  RawToolResultMessage,
} from '../schemas/message.ts'
import { readKnownTime } from '../text/read-time.ts'
import { fieldsOf, isObject, jsonOrText } from './entry.ts'
import { userMessage } from './message-text.ts'
import {
  textBlocks,
  type AssistantMessage,
  type BashExecutionMessage,
  type ContentBlock,
  type Message,
  type ToolCallBlock,
  type ToolResultMessage,
  type Usage,
} from './message.ts'

/** Roles whose messages are instructions of the agent to its model, not part of the conversation (planning rule 2). */
export const INSTRUCTION_ROLES = new Set<string>(['system', 'developer'])

/**
 * Reads one message of pi, oh-my-pi or OpenAI's chat API.
 * @returns the message, or undefined if it adds nothing to the context (planning rule 2)
 */
export function readMessage(raw: RawMessage): Message | undefined {
  if (raw['excludeFromContext'] === true || INSTRUCTION_ROLES.has(raw.role)) return undefined
  switch (raw.role) {
    case 'user':
      return userMessage(readContent(raw.content), raw)
    case 'assistant':
      return readAssistant(raw)
    case 'toolResult':
      return readToolResult(raw)
    case 'tool':
      return readChatTool(raw)
    case 'bashExecution':
      return readBashExecution(raw)
    case 'custom':
    case 'hookMessage': // the name of `custom` up to session version 2
      return { role: 'custom', content: readContent(raw.content) }
    case 'branchSummary':
    case 'compactionSummary':
      return { role: raw.role, summary: raw.summary }
    default:
      // The content of an unknown role has not been checked.
      return { role: 'other', content: readContent(typeof raw.content === 'string' ? raw.content : undefined) }
  }
}

function readAssistant(raw: RawAssistantMessage): AssistantMessage {
  return {
    role: 'assistant',
    content: [...readContent(raw.content), ...readChatToolCalls(raw)],
    ...optional('stopReason', raw.stopReason),
    ...optional('errorMessage', raw.errorMessage),
    ...optional('provider', raw.provider),
    ...optional('model', raw.model),
    ...(raw.usage && { usage: readUsage(raw.usage), ...optional('timestamp', readKnownTime(raw['timestamp'])) }),
  }
}

function readUsage(raw: NonNullable<RawAssistantMessage['usage']>): Usage {
  return {
    input: raw.input ?? 0,
    output: raw.output ?? 0,
    cacheRead: raw.cacheRead ?? 0,
    cacheWrite: raw.cacheWrite ?? 0,
    ...optional('totalTokens', raw.totalTokens),
  }
}

/** Returns a call of OpenAI's chat API. @param json its arguments: those that a model has not written as JSON stay text */
export const chatToolCall = (id: string, name = 'unknown', json?: string | null): ToolCallBlock => ({
  type: 'toolCall',
  id,
  name,
  arguments: limitDepth(jsonOrText(json ?? '{}')),
})

const readChatToolCalls = ({ tool_calls: calls }: RawAssistantMessage): ToolCallBlock[] =>
  (calls ?? []).map(({ id, function: called }) => chatToolCall(id, called?.name, called?.arguments))

function readToolResult(raw: RawToolResultMessage): ToolResultMessage {
  const { exitCode } = fieldsOf(raw['details'])
  const mark = typeof raw.isError === 'boolean' ? {} : { isUnmarked: true as const }
  return {
    role: 'toolResult',
    toolCallId: raw.toolCallId,
    toolName: raw.toolName ?? '',
    content: readContent(raw.content),
    isError: raw.isError === true,
    isPruned: (raw['prunedAt'] ?? null) !== null,
    ...optional('prunedAt', readKnownTime(raw['prunedAt'])),
    ...(typeof exitCode === 'number' ? { exitCode } : mark),
  }
}

function readChatTool(raw: RawChatToolMessage): ToolResultMessage {
  return {
    role: 'toolResult',
    toolCallId: raw.tool_call_id,
    toolName: typeof raw['name'] === 'string' ? raw['name'] : '',
    content: readContent(raw.content),
    isError: false,
    isUnmarked: true,
    isPruned: false,
  }
}

function readBashExecution(raw: RawBashExecutionMessage): BashExecutionMessage {
  return {
    role: 'bashExecution',
    command: raw.command,
    output: raw.output ?? '',
    cancelled: raw.cancelled === true,
    ...optional('exitCode', raw.exitCode),
  }
}

/** Returns an object with one field, or an empty object if there is no value. */
const optional = <K extends string, V>(key: K, value: V | null | undefined): { [P in K]?: V } =>
  (value === null || value === undefined ? {} : { [key]: value }) as { [P in K]?: V }

/**
 * Reads a message's content, a string or blocks. Empty texts, and blocks of an unknown type without a text, are left
 * out.
 */
export function readContent(content: RawContent | null | undefined): ContentBlock[] {
  return typeof content === 'string' ? textBlocks(content) : (content ?? []).flatMap(readBlock)
}

function readBlock(block: RawContentBlock): ContentBlock[] {
  switch (block.type) {
    case 'text':
      return textBlocks(block.text)
    case 'thinking':
      return [{ type: 'thinking', thinking: block.thinking }]
    case 'toolCall':
      return [{ type: 'toolCall', id: block.id, name: block.name, arguments: limitDepth(block.arguments ?? {}) }]
    case 'image': // pi
    case 'image_url': // OpenAI's chat API
    case 'input_image': // OpenAI's Responses API
      return [{ type: 'image' }]
    default:
      return textBlocks(block['text'])
  }
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
