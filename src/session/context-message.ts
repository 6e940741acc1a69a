import type { RawContent, RawContentBlock } from '../schemas/message.ts'
import { bashExecutionText, wrapBranchSummary, wrapCompactionSummary } from './message-text.ts'
import type { Entry } from './entry.ts'
import type { AssistantMessage, Message, ToolResultMessage } from './message.ts'

type Raw = Record<string, unknown>

/** A pi-style message as a model sees it; fields that a session has beside these are handed on. */
export type ContextMessage = Raw & { role: 'user' | 'assistant' | 'toolResult'; content: ContextBlock[] }

type ContextBlock = Raw & { type: string }

/** The user message that stands for all that a compaction has summarized. */
export const compactionMessage = (summary: string): ContextMessage => ({
  role: 'user',
  content: [{ type: 'text', text: wrapCompactionSummary(summary) }],
})

const userMessage = (content: ContextBlock[], { timestamp }: Raw): ContextMessage => ({
  role: 'user',
  content,
  ...(timestamp === undefined ? {} : { timestamp }),
})

const DATA_URL = /^data:([^;,]+);base64,/

/**
 * Shows what one entry adds to the model's context, images included: one message an entry (docs/contract.md, `/context`).
 * @returns undefined for an entry without a message
 */
export function contextMessage({ message, raw }: Entry): ContextMessage | undefined {
  if (message === undefined) return undefined
  // A custom message entry is its own message.
  const rawMessage = (raw['message'] as Raw | undefined) ?? raw
  // Of a role that is not known nobody has checked the content: only what was read of it is shown.
  const shown = message.role === 'other' ? message.content : rawMessage['content']
  const content = contentBlocks(shown as RawContent | null | undefined)
  switch (message.role) {
    case 'assistant':
      return assistantMessage(message, { ...rawMessage, content })
    case 'toolResult':
      return toolResultMessage(message, { ...rawMessage, content })
    case 'bashExecution':
    case 'branchSummary':
    case 'compactionSummary':
      return userMessage([{ type: 'text', text: textOf(message) }], rawMessage)
    default:
      return userMessage(content, rawMessage)
  }
}

function textOf(message: Extract<Message, { role: 'bashExecution' | 'branchSummary' | 'compactionSummary' }>): string {
  if (message.role === 'bashExecution') return bashExecutionText(message)
  return message.role === 'branchSummary' ? wrapBranchSummary(message.summary) : wrapCompactionSummary(message.summary)
}

/** OpenAI's tool calls stand beside the content; pi's are part of it. */
function assistantMessage({ content }: AssistantMessage, raw: Raw & { content: ContextBlock[] }): ContextMessage {
  const { tool_calls: chatCalls, ...rest } = raw
  const calls = Array.isArray(chatCalls)
    ? content.flatMap((block) => (block.type === 'toolCall' ? { ...block } : []))
    : []
  return { ...rest, role: 'assistant', content: [...raw.content, ...calls] }
}

function toolResultMessage(
  { toolCallId, toolName, isError }: ToolResultMessage,
  raw: Raw & { content: ContextBlock[] },
) {
  const { tool_call_id: _chatId, ...rest } = raw
  return { ...rest, role: 'toolResult' as const, toolCallId, toolName, isError }
}

function contentBlocks(content: RawContent | null | undefined): ContextBlock[] {
  if (content === null || content === undefined || content === '') return []
  return typeof content === 'string' ? [{ type: 'text', text: content }] : content.map(piBlock)
}

/** An OpenAI image with its data in the URL becomes pi's image block; every other block is passed on as it came. */
function piBlock(block: RawContentBlock): ContextBlock {
  if (block.type !== 'image_url') return block
  const { url } = (block['image_url'] ?? {}) as { url?: unknown }
  const [head, mimeType] = (typeof url === 'string' && DATA_URL.exec(url)) || []
  return head === undefined ? block : { type: 'image', data: (url as string).slice(head.length), mimeType }
}
