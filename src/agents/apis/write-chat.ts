import { ACKNOWLEDGEMENT, wrapCompactionSummary } from '../../session/message-text.ts'
import { ALL_CONTENT } from '../shared/fit-turn.ts'
import type { WrittenTurn, UserPart } from '../shared/turns.ts'
import { joinTexts, resultOf, type SessionWriter } from '../writer.ts'

/** A list of messages for OpenAI's chat API, as the field `messages` of a request. The summary is the first user message. */
export const chatWriter: SessionWriter = {
  contentType: 'application/json',
  supports: {
    ...ALL_CONTENT,
    ...{ thinking: false, resultImages: false, errorMessages: false, toolErrors: false, exitCodes: 'none' },
  },
  write({ summary, turns }) {
    const first = { role: 'user', content: wrapCompactionSummary(summary) }
    const answer = turns[0]?.role === 'user' ? [{ role: 'assistant', content: ACKNOWLEDGEMENT }] : []
    return JSON.stringify({ messages: [first, ...answer, ...turns.flatMap(messagesOf)] })
  },
}

function messagesOf(turn: WrittenTurn): object[] {
  if (turn.role === 'user') {
    const [only] = turn.parts
    const isOneText = turn.parts.length === 1 && only?.type === 'text'
    return [{ role: 'user', content: isOneText ? only.text : turn.parts.map(contentPart) }]
  }
  const text = joinTexts(turn.parts)
  const calls = turn.parts.filter((part) => part.type === 'call')
  const toolCalls = calls.map(({ id, name, input }) => ({
    id,
    type: 'function',
    function: { name, arguments: JSON.stringify(input) },
  }))
  return [
    { role: 'assistant', content: text === '' ? null : text, ...(calls.length === 0 ? {} : { tool_calls: toolCalls }) },
    ...calls.map((call) => ({ role: 'tool', tool_call_id: call.id, content: joinTexts(resultOf(call).parts) })),
  ]
}

function contentPart(part: UserPart): object {
  if (part.type === 'text') return { type: 'text', text: part.text }
  const url = 'url' in part ? part.url : `data:${part.mimeType};base64,${part.data}`
  return { type: 'image_url', image_url: { url } }
}
