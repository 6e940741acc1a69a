import { wrapCompactionSummary } from '../../src/session/message-text.ts'
import type { ContentBlock, Message, ToolResultMessage } from '../../src/session/message.ts'
import { textOf } from './random-conversation.ts'
import type { Rendered } from './render-messages.ts'

const picture = { type: 'file', mediaType: 'image/png', data: 'iVBORw0KGgo=' }
const partOf = (block: ContentBlock): object => (block.type === 'image' ? picture : block)

/** Returns a conversation as `ModelMessage`s of the AI SDK. What the summary covers stands before it. */
export function renderModelMessages({ summary, messages, past }: Rendered): string {
  const first = { role: 'user', content: wrapCompactionSummary(summary) }
  return JSON.stringify({ messages: [...modelMessages(past), first, ...modelMessages(messages)] })
}

function modelMessages(messages: readonly Message[]): object[] {
  const part = (block: ContentBlock): object => {
    if (block.type === 'thinking') return { type: 'reasoning', text: block.thinking }
    if (block.type !== 'toolCall') return partOf(block)
    return { type: 'tool-call', toolCallId: block.id, toolName: block.name, input: block.arguments }
  }
  return messages.flatMap((message): object[] => {
    if (message.role === 'user' || message.role === 'assistant')
      return [{ role: message.role, content: message.content.map(part) }]
    if (message.role !== 'toolResult') return []
    const output = { type: message.isError ? 'error-text' : 'text', value: textOf(message) }
    const { toolCallId, toolName } = message
    return [{ role: 'tool', content: [{ type: 'tool-result', toolCallId, toolName, output }] }]
  })
}

/** Returns a conversation as `UIMessage`s of the AI SDK: one message has all steps of an answer. */
export function renderUiMessages({ summary, messages, past }: Rendered): string {
  const first = { role: 'user', parts: [{ type: 'text', text: wrapCompactionSummary(summary) }] }
  const list = [...uiMessages(past), first, ...uiMessages(messages)]
  return JSON.stringify(list.map((message, index) => ({ id: `m${index}`, ...message })))
}

function uiMessages(messages: readonly Message[]): object[] {
  const results = resultsOf(messages)
  const part = (block: ContentBlock): object => {
    if (block.type === 'thinking') return { type: 'reasoning', text: block.thinking }
    if (block.type !== 'toolCall') return partOf(block)
    const result = results.get(block.id)
    const call = { type: `tool-${block.name}`, toolCallId: block.id, input: block.arguments }
    if (result === undefined) return call
    return result.isError
      ? { ...call, state: 'output-error', errorText: textOf(result) }
      : { ...call, state: 'output-available', output: textOf(result) }
  }
  const list: { role: string; parts: object[] }[] = []
  for (const message of messages) {
    const last = list.at(-1)
    if (message.role === 'user') list.push({ role: 'user', parts: message.content.map(part) })
    if (message.role !== 'assistant') continue
    const step = [{ type: 'step-start' }, ...message.content.map(part)]
    if (last?.role === 'assistant') last.parts.push(...step)
    else list.push({ role: 'assistant', parts: step })
  }
  return list
}

const resultsOf = (messages: readonly Message[]): ReadonlyMap<string, ToolResultMessage> =>
  new Map(messages.flatMap((message) => (message.role === 'toolResult' ? [[message.toolCallId, message]] : [])))
