import type { AssistantMessage, Message, ToolCallBlock, ToolResultMessage } from '../../src/session/message.ts'
import { textOf } from './random-conversation.ts'
import type { Rendered } from './render-messages.ts'

/** Returns a conversation as events of OpenHands 1.x. */
export function renderEvents({ summary, messages, past }: Rendered): string {
  const covered = eventsOf(past).map((event, index) => ({ id: `past-${index}`, ...event }))
  const forgotten_event_ids = covered.map(({ id }) => id)
  const condensation = { kind: 'Condensation', forgotten_event_ids, summary, summary_offset: 0 }
  const events = [condensation, ...eventsOf(messages)].map((event, index) => ({ id: `event-${index}`, ...event }))
  return JSON.stringify([...covered, ...events])
}

const eventsOf = (messages: readonly Message[]): object[] =>
  messages.flatMap((message, index): object[] => {
    if (message.role === 'toolResult') {
      const { toolName: tool_name, toolCallId: tool_call_id, content, isError: is_error } = message
      return [{ kind: 'ObservationEvent', tool_name, tool_call_id, observation: { kind: 'O', content, is_error } }]
    }
    if (message.role === 'user') return [{ kind: 'MessageEvent', source: 'user', llm_message: { ...message } }]
    return message.role === 'assistant' ? answerEvents(message, `response-${index}`) : []
  })

/** Each call of an answer is an event of its own; the first one has the text of the answer. */
function answerEvents({ content }: AssistantMessage, llm_response_id: string): object[] {
  const thought = content.filter(({ type }) => type === 'text')
  const [thinking] = thinkingOf(content)
  const reasoning = thinking === undefined ? {} : { reasoning_content: thinking }
  const calls = callsOf(content)
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

type Content = AssistantMessage['content']

const callsOf = (content: Content): ToolCallBlock[] => content.filter((block) => block.type === 'toolCall')

const thinkingOf = (content: Content): string[] =>
  content.flatMap((block) => (block.type === 'thinking' ? [block.thinking] : []))

/** Returns a conversation as OpenHands 0.x can hold it: a command with an exit status other than 0 has failed. */
export const fitEvents = (messages: readonly Message[]): Message[] =>
  messages.map((message) =>
    message.role === 'toolResult' && (message.exitCode ?? 0) !== 0 ? { ...message, isError: true } : message,
  )

/** Returns a conversation as a trajectory of OpenHands 0.x. Half of its condensations name a range of events. */
export function renderTrajectory({ summary, messages, past }: Rendered): string {
  const covered = actionsOf(past, 'past')
  const state = { source: 'environment', observation: 'agent_state_changed', content: '', extras: {} }
  const forgotten =
    messages.length % 2 === 0 && covered.length > 0
      ? { forgotten_events_start_id: 1, forgotten_events_end_id: covered.length }
      : { forgotten_event_ids: covered.map((_, index) => index + 1) }
  const condensation = { source: 'agent', action: 'condensation', args: { ...forgotten, summary, summary_offset: 0 } }
  const system = { source: 'agent', action: 'system', args: { content: 'Rules.' } }
  const events = [system, ...covered, condensation, state, ...actionsOf(messages, 'present')]
  return JSON.stringify(events.map((event, id) => ({ id, timestamp: '2026-01-01T00:00:00', ...event })))
}

/** Each call is followed by its result, also if an answer has several of them. */
function actionsOf(messages: readonly Message[], name: string): object[] {
  const results = new Map(
    messages.flatMap((message) => (message.role === 'toolResult' ? [[message.toolCallId, message] as const] : [])),
  )
  return messages.flatMap((message, index): object[] => {
    if (message.role === 'user') {
      const image_urls = message.content.flatMap(({ type }) =>
        type === 'image' ? ['data:image/png;base64,iVBORw0KGgo='] : [],
      )
      const args = { content: textOf(message), image_urls: image_urls.length === 0 ? null : image_urls }
      return [{ source: 'user', action: 'message', message: args.content, args }]
    }
    if (message.role !== 'assistant') return []
    const calls = callsOf(message.content)
    if (calls.length === 0) {
      const content = textOf(message)
      const isLast = index === messages.length - 1
      const args = isLast ? { final_thought: content, outputs: {}, thought: '' } : { content, image_urls: null }
      return [{ source: 'agent', action: isLast ? 'finish' : 'message', message: content, args }]
    }
    return calls.flatMap((call) => {
      const metadata = metadataOf(message, call, `${name}-${index}`)
      return [
        { source: 'agent', action: ACTIONS[call.name] ?? 'call_tool_mcp', ...metadata, args: { thought: '' } },
        ...observationsOf(results.get(call.id), metadata),
      ]
    })
  })
}

const ACTIONS: Readonly<Record<string, string>> = { read: 'read', edit: 'edit', write: 'write', bash: 'run' }

/** What the model wrote: the same in each action of an answer with several calls. */
function metadataOf(message: AssistantMessage, { id, name }: ToolCallBlock, response: string): object {
  const calls = callsOf(message.content)
  const [thinking] = thinkingOf(message.content)
  const answer = {
    role: 'assistant',
    content: textOf(message) === '' ? null : textOf(message),
    ...(thinking === undefined ? {} : { reasoning_content: thinking }),
    tool_calls: calls.map((call) => ({
      ...{ id: call.id, type: 'function' },
      function: { name: call.name, arguments: JSON.stringify(call.arguments) },
    })),
  }
  const model_response = { id: response, model: 'm', choices: [{ index: 0, message: answer }] }
  return {
    tool_call_metadata: {
      ...{ function_name: name, tool_call_id: id, total_calls_in_response: calls.length },
      model_response,
    },
  }
}

function observationsOf(result: ToolResultMessage | undefined, metadata: object): object[] {
  if (result === undefined) return []
  const { exitCode, isError } = result
  const hasCode = exitCode !== undefined
  const observation = isError && (exitCode ?? 0) === 0 ? 'error' : hasCode ? 'run' : 'read'
  const extras = hasCode ? { metadata: { exit_code: exitCode } } : {}
  return [{ source: 'agent', observation, content: textOf(result), extras, ...metadata }]
}
