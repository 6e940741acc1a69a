import { ACKNOWLEDGEMENT, wrapCompactionSummary } from '../../session/message-text.ts'
import { API_SUPPORT } from '../shared/fit-turn.ts'
import type { AssistantPart, Call, WrittenTurn, UserPart } from '../shared/turns.ts'
import { joinTexts, resultOf, type SessionWriter } from '../writer.ts'

/** A list of messages for Anthropic's API, as the field `messages` of a request. The summary is the first user message. */
export const anthropicWriter: SessionWriter = {
  contentType: 'application/json',
  supports: API_SUPPORT,
  write({ summary, turns }) {
    const messages: Message[] = []
    append(messages, 'user', [{ type: 'text', text: wrapCompactionSummary(summary) }])
    // The summary is a message of its own, so that it is recognized when the list is sent again.
    if (turns[0]?.role === 'user') append(messages, 'assistant', [{ type: 'text', text: ACKNOWLEDGEMENT }])
    for (const turn of turns) writeTurn(messages, turn)
    return JSON.stringify({ messages })
  },
}

interface Message {
  role: 'user' | 'assistant'
  content: object[]
}

function writeTurn(messages: Message[], turn: WrittenTurn): void {
  append(messages, turn.role, turn.role === 'user' ? turn.parts.map(userBlock) : turn.parts.map(answerBlock))
  if (turn.role === 'user') return
  append(
    messages,
    'user',
    turn.parts.flatMap((part) => (part.type === 'call' ? resultBlock(part) : [])),
  )
}

/** Adds blocks to the newest message if it has the role: the roles must alternate. */
function append(messages: Message[], role: Message['role'], content: object[]): void {
  const newest = messages.at(-1)
  if (content.length === 0) return
  if (newest?.role === role) for (const block of content) newest.content.push(block)
  else messages.push({ role, content })
}

/** Returns a block of a message of the user. */
export function userBlock(part: UserPart): object {
  if (part.type === 'text') return { type: 'text', text: part.text }
  if ('url' in part) return { type: 'image', source: { type: 'url', url: part.url } }
  return { type: 'image', source: { type: 'base64', media_type: part.mimeType, data: part.data } }
}

/** Returns a block of a message of the model. */
export function answerBlock(part: AssistantPart): object {
  if (part.type === 'call') return { type: 'tool_use', id: part.id, name: part.name, input: part.input }
  return part.type === 'text' ? { type: 'text', text: part.text } : { type: 'thinking', thinking: part.thinking }
}

/** Returns the result of a call. Its exit status is the first line, as in Claude Code 2.1.330. */
export function resultBlock(call: Call): object {
  const { parts, isError, exitCode } = resultOf(call)
  const line = exitCode === undefined ? '' : `Exit code ${exitCode}`
  const isMissing = line !== '' && !joinTexts(parts).startsWith(line)
  const shown: UserPart[] = isMissing ? [{ type: 'text', text: line }, ...parts] : parts
  const isText = shown.every(({ type }) => type === 'text')
  // The API rejects a failed result without content.
  const content = isText ? joinTexts(shown) || '(no output)' : shown.map(userBlock)
  return { type: 'tool_result', tool_use_id: call.id, content, ...(isError ? { is_error: true } : {}) }
}
