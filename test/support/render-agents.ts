import type {
  AssistantMessage,
  ContentBlock,
  Message,
  ToolCallBlock,
  ToolResultMessage,
} from '../../src/session/message.ts'
import { partsOf, textOf } from './random-conversation.ts'
import type { Rendered } from './render-messages.ts'

const DATA = 'iVBORw0KGgo='

/** Returns a conversation as an export of Goose. Messages that a summary covers are hidden from the model. */
export function renderGoose({ summary, messages, past }: Rendered): string {
  const hide = (message: object): object => ({ ...message, metadata: { userVisible: true, agentVisible: false } })
  const forModel = (role: string, text: string): object => ({
    ...{ role, content: [{ type: 'text', text }], metadata: { userVisible: false, agentVisible: true } },
  })
  const list = [
    // A summary covers at least one message.
    hide({ role: 'user', content: [{ type: 'text', text: 'The first prompt' }] }),
    ...gooseMessages(past).map(hide),
    forModel('user', summary),
    forModel('assistant', 'Your context was compacted. The previous message contains a summary.'),
    ...gooseMessages(messages),
  ]
  const conversation = list.map((message, index) => ({ id: `g${index}`, created: 1000 + index, ...message }))
  return JSON.stringify({ id: 's', working_dir: '/work', conversation })
}

const gooseMessages = (messages: readonly Message[]): object[] =>
  partsOf(messages).map((part) =>
    part.role === 'results'
      ? { role: 'user', content: part.results.map(gooseResult) }
      : { role: part.role, content: part.content.map(gooseBlock) },
  )

function gooseBlock(block: ContentBlock): object {
  if (block.type === 'image') return { type: 'image', data: DATA, mimeType: 'image/png' }
  if (block.type !== 'toolCall') return block
  const value = { name: block.name, arguments: block.arguments }
  return { type: 'toolRequest', id: block.id, toolCall: { status: 'success', value } }
}

/** A tool that has failed is an error of the tool, or a result that says so. */
function gooseResult(result: ToolResultMessage, index: number): object {
  const { toolCallId: id, content, isError } = result
  const toolResult =
    isError && index % 2 === 1
      ? { status: 'error', error: textOf(result) }
      : { status: 'success', value: { content, isError } }
  return { type: 'toolResponse', id, toolResult }
}

/**
 * Returns a function that renders contents of Gemini's API.
 * @param hasIds without ids, results are in the order of their calls
 */
export const renderContents =
  (hasIds: boolean) =>
  ({ summary, messages, past }: Rendered): string => {
    const idOf = (id: string): object => (hasIds ? { id } : {})
    const part = (block: ContentBlock): object => {
      if (block.type === 'image') return { inlineData: { mimeType: 'image/png', data: DATA } }
      if (block.type === 'text') return { text: block.text }
      if (block.type === 'thinking') return { text: block.thinking, thought: true }
      return { functionCall: { ...idOf(block.id), name: block.name, args: block.arguments } }
    }
    const response = (result: ToolResultMessage): object => {
      const { toolCallId, toolName: name, isError } = result
      const output = isError ? { error: textOf(result) } : { output: textOf(result) }
      return { functionResponse: { ...idOf(toolCallId), name, response: output } }
    }
    const contents = (of: readonly Message[]): object[] =>
      partsOf(of).map((one) =>
        one.role === 'results'
          ? { role: 'user', parts: one.results.map(response) }
          : { role: one.role === 'user' ? 'user' : 'model', parts: one.content.map(part) },
      )
    const snapshot = [
      { role: 'user', parts: [{ text: `<state_snapshot>\n${summary}\n</state_snapshot>` }] },
      { role: 'model', parts: [{ text: 'Got it. Thanks for the additional context!' }] },
    ]
    return JSON.stringify({ model: 'm', contents: [...contents(past), ...snapshot, ...contents(messages)] })
  }

/** Returns a conversation as a trajectory of SWE-agent. What is no part of it is a demonstration. */
export function renderHistory({ messages, past }: Rendered): string {
  const demonstrations = partsOf(past)
    .flatMap(historyItem)
    .map((item) => ({ ...item, is_demo: true }))
  const system = { role: 'system', content: 'Rules.', message_type: 'system_prompt' }
  const history = [system, ...demonstrations, ...partsOf(messages).flatMap(historyItem)]
  const named = history.map((item) => ({ agent: 'main', ...item }))
  return JSON.stringify({ environment: 'swe_main', trajectory: [], history: named, info: { exit_status: 'submitted' } })
}

function historyItem(part: ReturnType<typeof partsOf>[number], index: number): object[] {
  if (part.role === 'results')
    return part.results.map(({ content, toolCallId }) => ({
      ...{ role: 'tool', content, message_type: 'observation', tool_call_ids: [toolCallId] },
    }))
  if (part.role === 'assistant') return [historyAnswer(part)]
  const content = part.content.map((block) =>
    block.type === 'image' ? { type: 'image_url', image_url: { url: `data:image/png;base64,${DATA}` } } : block,
  )
  // The first prompt is written as an observation, later ones are those of a user in the loop.
  return [{ role: 'user', content, message_type: index === 0 ? 'observation' : 'user' }]
}

function historyAnswer(message: AssistantMessage): object {
  const calls = callsOf(message).map(({ id, name, arguments: values }) => ({
    ...{ id, type: 'function', function: { name, arguments: JSON.stringify(values) } },
  }))
  const thinking = message.content.filter(({ type }) => type === 'thinking')
  return {
    ...{ role: 'assistant', content: textOf(message), thought: textOf(message), message_type: 'action' },
    ...(calls.length === 0 ? { action: '' } : { action: 'a command', tool_calls: calls }),
    ...(thinking.length === 0 ? {} : { thinking_blocks: thinking }),
  }
}

const callsOf = ({ content }: AssistantMessage): ToolCallBlock[] => content.filter((block) => block.type === 'toolCall')

/** What Aider writes of a file that it read or edited. */
const AIDER_LINES: Readonly<Record<string, (path: string) => string>> = {
  read: (path) => `Added ${path} to the chat.`,
  edit: (path) => `Applied edit to ${path}`,
}

/**
 * Returns a conversation as the chat history of Aider can hold it: of calls, only the files that were read or edited, in messages of
 * their own. Answers in a row are one answer.
 */
export function fitAider(messages: readonly Message[]): Message[] {
  const fitted: Message[] = []
  for (const message of messages) {
    if (message.role === 'user') fitted.push(message)
    if (message.role !== 'assistant') continue
    const text = textOf(message)
    if (text !== '') addAnswer(fitted, text)
    addFiles(fitted, callsOf(message))
  }
  return fitted
}

function addAnswer(fitted: Message[], text: string): void {
  const last = fitted.at(-1)
  const isAnswer = last?.role === 'assistant' && callsOf(last).length === 0
  if (isAnswer) fitted[fitted.length - 1] = { ...last, content: [{ type: 'text', text: `${textOf(last)}\n\n${text}` }] }
  else fitted.push({ role: 'assistant', content: [{ type: 'text', text }] })
}

function addFiles(fitted: Message[], calls: readonly ToolCallBlock[]): void {
  const files = calls.flatMap((call) => {
    const { path } = Object(call.arguments) as { path: string }
    const line = AIDER_LINES[call.name]?.(path)
    return line === undefined ? [] : [{ call: { ...call, arguments: { path } }, line }]
  })
  if (files.length === 0) return
  const results = files.map(({ call, line }): Message => ({
    ...{ role: 'toolResult', toolCallId: call.id, toolName: call.name, content: [{ type: 'text', text: line }] },
    ...{ isError: false, isPruned: false },
  }))
  // Steps without a text between them are one list of files.
  const at = fitted.findLastIndex(({ role }) => role !== 'toolResult')
  const last = fitted[at]
  const isOpen = last?.role === 'assistant' && callsOf(last).length > 0
  if (isOpen) fitted[at] = { ...last, content: [...last.content, ...files.map(({ call }) => call)] }
  else fitted.push({ role: 'assistant', content: files.map(({ call }) => call) })
  fitted.push(...results)
}

/** Returns a conversation as the chat history of Aider. What is no part of it is an earlier session. */
export function renderAider({ messages, past }: Rendered): string {
  const session = (of: readonly Message[]): string[] => [
    '# aider chat started at 2026-01-02 09:00:00',
    '> Aider v0.86.0  \n> Models: m with diff edit format  ',
    ...partsOf(of).flatMap((part) => {
      if (part.role === 'results') return part.results.map((result) => `> ${textOf(result)}  `).join('\n')
      const text = textOf(part)
      if (part.role === 'assistant') return text === '' ? [] : [text]
      return [
        text
          .split('\n')
          .map((line) => `#### ${line}  `)
          .join('\n'),
      ]
    }),
  ]
  return [...session(fitAider(past)), ...session(messages)].map((block) => `\n${block}\n`).join('')
}
