import { wrapCompactionSummary } from '../../session/message-text.ts'
import { API_SUPPORT } from '../shared/fit-turn.ts'
import type { AssistantPart, Call, WrittenTurn, UserPart } from '../shared/turns.ts'
import { joinTexts, resultOf, type SessionWriter } from '../writer.ts'

/** A list of items for OpenAI's Responses API, as the field `input` of a request. The summary is the first user message. */
export const responsesWriter: SessionWriter = {
  contentType: 'application/json',
  supports: API_SUPPORT,
  write: ({ summary, turns }) =>
    JSON.stringify({ input: [userItem(wrapCompactionSummary(summary)), ...turns.flatMap(itemsOf)] }),
}

export const userItem = (text: string): object => ({
  type: 'message',
  role: 'user',
  content: [{ type: 'input_text', text }],
})

/** Returns the items of a turn: messages and calls, then the results of the calls. */
export function itemsOf(turn: WrittenTurn): object[] {
  if (turn.role === 'user') return [{ type: 'message', role: 'user', content: turn.parts.map(inputPart) }]
  return [
    ...turn.parts.map(answerItem),
    ...turn.parts.flatMap((part) => (part.type === 'call' ? outputItem(part) : [])),
  ]
}

function inputPart(part: UserPart): object {
  if (part.type === 'text') return { type: 'input_text', text: part.text }
  const url = 'url' in part ? part.url : `data:${part.mimeType};base64,${part.data}`
  return { type: 'input_image', image_url: url }
}

function answerItem(part: AssistantPart): object {
  if (part.type === 'call')
    return { type: 'function_call', call_id: part.id, name: part.name, arguments: JSON.stringify(part.input) }
  if (part.type === 'thinking') return { type: 'reasoning', summary: [{ type: 'summary_text', text: part.thinking }] }
  return { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: part.text }] }
}

/** Returns the result of a call. Its exit status is in the first lines, as in Codex 0.169.0. */
function outputItem(call: Call): object {
  const { parts, isError, exitCode } = resultOf(call)
  const line = exitCode === undefined ? '' : `Process exited with code ${exitCode}`
  const isMissing = line !== '' && !joinTexts(parts).includes(line)
  const shown: UserPart[] = isMissing ? [{ type: 'text', text: `${line}\nOutput:` }, ...parts] : parts
  const isText = shown.every(({ type }) => type === 'text')
  const output = isText ? joinTexts(shown) : shown.map(inputPart)
  return { type: 'function_call_output', call_id: call.id, output, ...(isError ? { status: 'incomplete' } : {}) }
}
