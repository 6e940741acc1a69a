import type { RawContent, RawContentBlock } from '../schemas/message.ts'
import { fieldsOf } from './entry.ts'
import { bashExecutionText, wrapBranchSummary, wrapCompactionSummary } from './message-text.ts'
import type { AssistantMessage, Message, ToolResultMessage } from './message.ts'

type Raw = Record<string, unknown>
type RawWithContent = Raw & { content: ContextBlock[] }

/** A pi-style message as a model sees it; all other fields of the session's message are passed on. */
export type ContextMessage = RawWithContent & { role: 'user' | 'assistant' | 'toolResult' }

type ContextBlock = Raw & { type: string }

/** Returns the user message that replaces everything that a compaction has summarized. */
export function compactionMessage(summary: string): ContextMessage {
  return { role: 'user', content: [{ type: 'text', text: wrapCompactionSummary(summary) }] }
}

/**
 * Returns a message as the model's context has it, images included (openapi.yaml, `/context`).
 * @param rawMessage the checked message as it is in the request; a `custom_message` entry is its own message
 */
export function contextMessage(message: Message, rawMessage: Readonly<Raw>): ContextMessage {
  // The content of an unknown role has not been checked: only what was read of it is returned.
  const shown = message.role === 'other' ? message.content : rawMessage['content']
  const content = contextBlocks(shown as RawContent | null | undefined)
  switch (message.role) {
    case 'assistant':
      return assistantMessage(message, { ...rawMessage, content })
    case 'toolResult':
      return toolResultMessage(message, { ...rawMessage, content })
    case 'bashExecution':
    case 'branchSummary':
    case 'compactionSummary':
      return userMessage([{ type: 'text', text: contextText(message) }], rawMessage)
    default:
      return userMessage(content, rawMessage)
  }
}

/** OpenAI's tool calls are beside the content; pi's are part of it. */
function assistantMessage({ content }: AssistantMessage, raw: RawWithContent): ContextMessage {
  const { tool_calls: chatCalls, ...rest } = raw
  const calls = Array.isArray(chatCalls)
    ? content.flatMap((block) => (block.type === 'toolCall' ? { ...block } : []))
    : []
  return { ...rest, role: 'assistant', content: [...raw.content, ...calls] }
}

function toolResultMessage(
  { toolCallId, toolName, isError }: ToolResultMessage,
  { tool_call_id: _chatId, ...rest }: RawWithContent,
): ContextMessage {
  return { ...rest, role: 'toolResult', toolCallId, toolName, isError }
}

function userMessage(content: ContextBlock[], { timestamp }: Readonly<Raw>): ContextMessage {
  return { role: 'user', content, ...(timestamp === undefined ? {} : { timestamp }) }
}

type MessageWithoutContent = Extract<Message, { role: 'bashExecution' | 'branchSummary' | 'compactionSummary' }>

function contextText(message: MessageWithoutContent): string {
  if (message.role === 'bashExecution') return bashExecutionText(message)
  return message.role === 'branchSummary' ? wrapBranchSummary(message.summary) : wrapCompactionSummary(message.summary)
}

function contextBlocks(content: RawContent | null | undefined): ContextBlock[] {
  if (content === null || content === undefined || content === '') return []
  return typeof content === 'string' ? [{ type: 'text', text: content }] : content.map(contextBlock)
}

const BASE64_DATA_URL = /^data:([^;,]+);base64,/

/** Returns pi's image block for an OpenAI image with its data in the URL, and every other block unchanged. */
function contextBlock(block: RawContentBlock): ContextBlock {
  if (block.type !== 'image_url') return block
  const { url } = fieldsOf(block['image_url'])
  if (typeof url !== 'string') return block
  const [head, mimeType] = BASE64_DATA_URL.exec(url) ?? []
  return head === undefined ? block : { type: 'image', data: url.slice(head.length), mimeType }
}
