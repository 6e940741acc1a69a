import type { ContentBlock, Message, ToolResultMessage } from '../../src/session/message.ts'
import { partsOf, textOf } from './random-conversation.ts'
import type { Rendered } from './render-messages.ts'

/** How a format writes messages with the blocks of Anthropic's API. */
interface Style {
  user: (text: string) => string
  image: object
  result: (result: ToolResultMessage) => object
}

interface Written {
  role: 'user' | 'assistant'
  content: object[]
}

/** Returns messages with blocks. The results of all calls of an answer are in one message of the user. */
function blockMessages(messages: readonly Message[], { user, image, result }: Style): Written[] {
  const userBlock = (block: ContentBlock): object => {
    if (block.type === 'image') return image
    return block.type === 'text' ? { type: 'text', text: user(block.text) } : block
  }
  return partsOf(messages).map((part): Written => {
    if (part.role === 'results') return { role: 'user', content: part.results.map(result) }
    if (part.role === 'user') return { role: 'user', content: part.content.map(userBlock) }
    return { role: 'assistant', content: part.content.map(answerBlock) }
  })
}

function answerBlock(block: ContentBlock): object {
  if (block.type === 'toolCall') return { type: 'tool_use', id: block.id, name: block.name, input: block.arguments }
  return block.type === 'thinking' ? { ...block, signature: 'x' } : block
}

/**
 * Returns what fits a format that has the exit status of failed commands only in the first line of their output.
 * @param line this line, with an N for the status
 */
export const fitBlocks =
  (line: string) =>
  (messages: readonly Message[]): Message[] =>
    messages.map((message) => {
      if (message.role !== 'toolResult') return message
      const { exitCode = 0, ...result } = message
      if (!result.isError || exitCode === 0) return result
      return {
        ...result,
        exitCode,
        content: [{ type: 'text', text: `${line.replace('N', String(exitCode))}\n${textOf(result)}` }],
      }
    })

const DATA = 'iVBORw0KGgo='

/** What Cline's SDK format has for each block. Tools that read have several queries in one call. */
const CLINE: Style = {
  user: (text) => `<user_input mode="act">${text}</user_input>`,
  image: { type: 'image', mediaType: 'image/png', data: DATA },
  result: (result) => {
    const { toolCallId: tool_use_id, toolName: name, isError } = result
    const head = { type: 'tool_result', tool_use_id, name }
    if (name !== 'read') return { ...head, content: textOf(result), is_error: isError }
    const found = isError ? { result: '', error: textOf(result) } : { result: textOf(result) }
    return { ...head, content: [{ query: 'a', ...found, success: !isError }] }
  },
}

/** Returns a conversation as a session of Cline 3.x. Its summary covers all messages before it. */
export function renderCline({ summary, messages, past }: Rendered): string {
  const metadata = { kind: 'compaction_summary', displayRole: 'system', summary }
  const compaction = { role: 'user', content: `Context summary:\n\n${summary}`, metadata }
  const list = [...blockMessages(past, CLINE), compaction, ...blockMessages(messages, CLINE)]
  const named = list.map((message, index) => ({ id: `msg_${index}`, ts: 1000 + index, ...message }))
  return JSON.stringify({ version: 1, updated_at: 'now', agent: 'lead', sessionId: 's', messages: named })
}

const LEGACY: Style = {
  user: (text) => text,
  image: { type: 'image', source: { type: 'base64', media_type: 'image/png', data: DATA } },
  result: (result) => ({
    ...{ type: 'tool_result', tool_use_id: result.toolCallId, is_error: result.isError },
    content: [{ type: 'text', text: textOf(result) }],
  }),
}

/** Returns a conversation as `api_conversation_history.json` of Roo, in which a turn was truncated. */
export function renderLegacy({ summary, messages, past }: Rendered): string {
  const covered = blockMessages(past, LEGACY).map((message) => ({ ...message, condenseParent: 'X' }))
  const compaction = { role: 'user', content: [{ type: 'text', text: summary }], isSummary: true, condenseId: 'X' }
  const truncated = [
    { role: 'user', content: 'Not like this', truncationParent: 'T' },
    { role: 'assistant', content: 'Truncated', isTruncationMarker: true, truncationId: 'T' },
  ]
  const list = [...covered, compaction, ...truncated, ...blockMessages(messages, LEGACY)].map(asTask)
  return JSON.stringify(list.map((message, index) => ({ ...message, ts: 1000 + index })))
}

/** The first message has tags, and what Cline says of the environment. */
function asTask(message: object, index: number): object {
  if (index > 0 || !('content' in message) || !Array.isArray(message.content) || 'isSummary' in message) return message
  const [{ text }, ...others] = message.content as [{ text: string }, ...object[]]
  const environment = { type: 'text', text: '<environment_details>\n/work\n</environment_details>' }
  return { ...message, content: [{ type: 'text', text: `<task>\n${text}\n</task>` }, ...others, environment] }
}

const GENCODE: Style = {
  user: (text) => text,
  image: {},
  result: (result) => ({
    ...{ type: 'tool_result', toolUseId: result.toolCallId, content: textOf(result), isError: result.isError },
  }),
}

/**
 * Returns a function that renders a session of GenCode.
 * @param isCompacted whether the summary stands for messages that are gone; else it names the messages that it covers
 */
export const renderGencode =
  (isCompacted: boolean) =>
  ({ summary, messages, past }: Rendered): string => {
    const [covered, present] = [blockMessages(past, GENCODE), blockMessages(messages, GENCODE)]
    const rules = { role: 'system', content: 'Rules.' }
    const summaries = [{ id: 'sum1', type: 'compaction', coveringMessages: [0, covered.length], content: summary }]
    const head = {
      role: 'system',
      content: `[Earlier conversation - ${covered.length} messages summarized]\n\n${summary}`,
    }
    const list = isCompacted ? [head, ...present] : [rules, ...covered, ...present]
    return JSON.stringify({ metadata: { id: 's', messageCount: list.length }, messages: list, summaries })
  }
