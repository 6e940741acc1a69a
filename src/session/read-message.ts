import type {
  RawAssistantMessage,
  RawBashExecutionMessage,
  RawChatToolMessage,
  RawMessage,
  RawToolResultMessage,
  RawUsage,
  RawContent,
} from '../schemas/message.ts'
import type {
  AssistantMessage,
  BashExecutionMessage,
  Message,
  ToolCallBlock,
  ToolResultMessage,
  Usage,
} from './message.ts'
import { KNOWN_TOKENS } from './entry.ts'
import { readContent } from './read-content.ts'

/** Roles that are instructions of the agent to its model, not part of the conversation (planning rule 2). */
const UNSEEN_ROLES = new Set(['system', 'developer'])

const optional = <K extends string, V>(key: K, value: V | null | undefined): { [P in K]?: V } =>
  (value === null || value === undefined ? {} : { [key]: value }) as { [P in K]?: V }

const readUsage = (raw: RawUsage): Usage => ({
  input: raw.input ?? 0,
  output: raw.output ?? 0,
  cacheRead: raw.cacheRead ?? 0,
  cacheWrite: raw.cacheWrite ?? 0,
  ...optional('totalTokens', raw.totalTokens),
})

const readableContent = (content: unknown): RawContent | undefined =>
  typeof content === 'string' ? content : undefined

/**
 * Reads one message of pi, oh-my-pi or OpenAI's chat API.
 * @returns the message, or undefined where it contributes nothing to the context (planning rule 2)
 */
export function readMessage(raw: RawMessage): Message | undefined {
  const message = readByRole(raw)
  const tokens = (raw as { [KNOWN_TOKENS]?: number })[KNOWN_TOKENS]
  if (message !== undefined && tokens !== undefined) message.tokens = tokens
  return message
}

function readByRole(raw: RawMessage): Message | undefined {
  if (raw['excludeFromContext'] === true || UNSEEN_ROLES.has(raw.role)) return undefined
  switch (raw.role) {
    case 'user':
      return { role: 'user', content: readContent(raw['content'] as RawContent) }
    case 'assistant':
      return readAssistant(raw as RawAssistantMessage)
    case 'toolResult':
      return readToolResult(raw as RawToolResultMessage)
    case 'tool':
      return readChatTool(raw as RawChatToolMessage)
    case 'bashExecution':
      return readBashExecution(raw as RawBashExecutionMessage)
    case 'custom':
    case 'hookMessage': // the name of `custom` up to session version 2
      return { role: 'custom', content: readContent(raw['content'] as RawContent) }
    case 'branchSummary':
    case 'compactionSummary':
      return { role: raw.role, summary: raw['summary'] as string }
    default:
      return { role: 'other', content: readContent(readableContent(raw['content'])) }
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
    ...optional('usage', raw.usage && readUsage(raw.usage)),
  }
}

function readChatToolCalls({ tool_calls }: RawAssistantMessage): ToolCallBlock[] {
  return (tool_calls ?? []).map((call) => ({
    type: 'toolCall',
    id: call.id,
    name: call.function?.name ?? 'unknown',
    arguments: parseArguments(call.function?.arguments ?? '{}'),
  }))
}

/** A model may write arguments that are no JSON: they are kept as the text that they are. */
function parseArguments(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    return json
  }
}

function readToolResult(raw: RawToolResultMessage): ToolResultMessage {
  const details = raw['details'] as { exitCode?: unknown } | null | undefined
  return {
    role: 'toolResult',
    toolCallId: raw.toolCallId,
    toolName: raw.toolName ?? '',
    content: readContent(raw.content),
    isError: raw.isError === true,
    isPruned: raw['prunedAt'] !== undefined && raw['prunedAt'] !== null,
    ...(typeof details?.exitCode === 'number' ? { exitCode: details.exitCode } : {}),
  }
}

function readChatTool(raw: RawChatToolMessage): ToolResultMessage {
  return {
    role: 'toolResult',
    toolCallId: raw.tool_call_id,
    toolName: typeof raw['name'] === 'string' ? raw['name'] : '',
    content: readContent(raw.content),
    isError: false,
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
