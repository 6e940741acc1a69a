import type {
  AssistantMessage,
  ContentBlock,
  ToolCallBlock,
  ToolResultMessage,
  UserMessage,
} from '../../src/session/message.ts'

export const text = (value: string): ContentBlock => ({ type: 'text', text: value })

export const thinking = (value: string): ContentBlock => ({ type: 'thinking', thinking: value })

export const call = (name: string, args: unknown = {}, id = 'c1'): ToolCallBlock => ({
  type: 'toolCall',
  id,
  name,
  arguments: args,
})

export const user = (...content: (string | ContentBlock)[]): UserMessage => ({
  role: 'user',
  content: content.map((block) => (typeof block === 'string' ? text(block) : block)),
})

export const assistant = (...content: (string | ContentBlock)[]): AssistantMessage => ({
  role: 'assistant',
  content: content.map((block) => (typeof block === 'string' ? text(block) : block)),
})

export const result = (output: string, status: { isError?: boolean; exitCode?: number } = {}): ToolResultMessage => ({
  role: 'toolResult',
  toolCallId: 'c1',
  toolName: 'bash',
  content: output === '' ? [] : [{ type: 'text', text: output }],
  isError: false,
  isPruned: false,
  ...status,
})
