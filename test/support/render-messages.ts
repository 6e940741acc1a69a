import type { FormatId } from '../../src/schemas/format.ts'
import { wrapCompactionSummary } from '../../src/session/message-text.ts'
import type { AssistantMessage, ContentBlock, Message, ToolResultMessage } from '../../src/session/message.ts'
import type { Holds } from '../../src/session/writers/fit-turn.ts'

/** A format that the service reads and does not write as a new session. */
interface Rendering {
  holds: Pick<Holds, 'thinking' | 'images' | 'toolErrors' | 'exitCodes'>
  /** Returns a session that begins with a summary, as JSON. */
  render: (summary: string, messages: readonly Message[]) => string
}

const HOLDS = { thinking: true, images: 'data', toolErrors: true, exitCodes: 'failed' } as const

export const RENDERINGS: { readonly [id in FormatId]?: Rendering } = {
  'ai-model': { holds: HOLDS, render: renderModelMessages },
  'ai-ui': { holds: HOLDS, render: renderUiMessages },
  'openhands-v1': { holds: { ...HOLDS, images: 'none' }, render: renderEvents },
}

const textOf = (blocks: readonly ContentBlock[]): string =>
  blocks.map((block) => (block.type === 'text' ? block.text : '')).join('')

const picture = { type: 'file', mediaType: 'image/png', data: 'iVBORw0KGgo=' }
const partOf = (block: ContentBlock): object => (block.type === 'image' ? picture : block)

function renderModelMessages(summary: string, messages: readonly Message[]): string {
  const part = (block: ContentBlock): object => {
    if (block.type === 'thinking') return { type: 'reasoning', text: block.thinking }
    if (block.type !== 'toolCall') return partOf(block)
    return { type: 'tool-call', toolCallId: block.id, toolName: block.name, input: block.arguments }
  }
  const list = messages.flatMap((message): object[] => {
    if (message.role === 'user' || message.role === 'assistant')
      return [{ role: message.role, content: message.content.map(part) }]
    if (message.role !== 'toolResult') return []
    const output = { type: message.isError ? 'error-text' : 'text', value: textOf(message.content) }
    const { toolCallId, toolName } = message
    return [{ role: 'tool', content: [{ type: 'tool-result', toolCallId, toolName, output }] }]
  })
  return JSON.stringify({ messages: [{ role: 'user', content: wrapCompactionSummary(summary) }, ...list] })
}

function renderUiMessages(summary: string, messages: readonly Message[]): string {
  const results = resultsOf(messages)
  const part = (block: ContentBlock): object => {
    if (block.type === 'thinking') return { type: 'reasoning', text: block.thinking }
    if (block.type !== 'toolCall') return partOf(block)
    const { isError = false, content = [] } = results.get(block.id) ?? {}
    const call = { type: `tool-${block.name}`, toolCallId: block.id, input: block.arguments }
    return isError
      ? { ...call, state: 'output-error', errorText: textOf(content) }
      : { ...call, state: 'output-available', output: textOf(content) }
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
  const first = { role: 'user', parts: [{ type: 'text', text: wrapCompactionSummary(summary) }] }
  return JSON.stringify([first, ...list].map((message, index) => ({ id: `m${index}`, ...message })))
}

const resultsOf = (messages: readonly Message[]): ReadonlyMap<string, ToolResultMessage> =>
  new Map(messages.flatMap((message) => (message.role === 'toolResult' ? [[message.toolCallId, message]] : [])))

function renderEvents(summary: string, messages: readonly Message[]): string {
  const condensation = { kind: 'Condensation', forgotten_event_ids: [], summary, summary_offset: 0 }
  const events = messages.flatMap((message, index): object[] => {
    if (message.role === 'toolResult') {
      const { toolName: tool_name, toolCallId: tool_call_id, content, isError: is_error } = message
      return [{ kind: 'ObservationEvent', tool_name, tool_call_id, observation: { kind: 'O', content, is_error } }]
    }
    if (message.role === 'user') return [{ kind: 'MessageEvent', source: 'user', llm_message: { ...message } }]
    return message.role === 'assistant' ? eventsOf(message, `response-${index}`) : []
  })
  return JSON.stringify([condensation, ...events].map((event, index) => ({ id: `event-${index}`, ...event })))
}

/** Each call of an answer is an event of its own; the first one has the text of the answer. */
function eventsOf({ content }: AssistantMessage, llm_response_id: string): object[] {
  const thought = content.filter(({ type }) => type === 'text')
  const [thinking] = content.flatMap((block) => (block.type === 'thinking' ? [block.thinking] : []))
  const reasoning = thinking === undefined ? {} : { reasoning_content: thinking }
  const calls = content.filter((block) => block.type === 'toolCall')
  if (calls.length === 0)
    return [
      { kind: 'MessageEvent', source: 'agent', llm_message: { role: 'assistant', content: thought, ...reasoning } },
    ]
  return calls.map(({ id, name, arguments: values }, index) => ({
    ...{ kind: 'ActionEvent', source: 'agent', tool_name: name, tool_call_id: id, llm_response_id },
    ...(index === 0 ? { thought, ...reasoning } : { thought: [] }),
    action: { kind: 'Action', ...Object(values) },
  }))
}
