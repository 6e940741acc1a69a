import type { FormatId } from '../../src/schemas/format.ts'
import { elementsOf } from './break-session.ts'
import { valuesOf, type Values } from './replay-trees.ts'

/** A message that an agent adds to its session. */
interface Added {
  role: 'user' | 'assistant'
  text: string
  /** Different for each message of a session, and growing. */
  number: number
}

/** Returns the newest value of a field among the elements of a session. */
type Newest = (field: string) => unknown

const TIME = Date.UTC(2027, 0, 1)
const parts = (text: string) => [{ text }]
const blocks = (text: string) => [{ type: 'text', text }]
const timeOf = (number: number): string => new Date(TIME + number * 1000).toISOString()

/** How the agents write a message. */
const WRITERS: Readonly<Partial<Record<FormatId, (added: Added, newest: Newest) => Values>>> = {
  pi: ({ role, text, number }, newest) => ({
    ...{ type: 'message', timestamp: timeOf(number), message: { role, content: blocks(text) } },
    ...(newest('id') === 's1' || newest('id') === undefined ? {} : { id: `n${number}`, parentId: newest('id') }),
  }),
  'claude-code': ({ role, text, number }, newest) => ({
    ...{ parentUuid: newest('uuid'), isSidechain: false, type: role, uuid: `n${number}`, sessionId: 's1' },
    message: { role, content: blocks(text), ...(role === 'assistant' ? { id: `m-${number}` } : {}) },
  }),
  codex: ({ role, text, number }) => ({
    ...{ timestamp: timeOf(number), type: 'response_item' },
    payload: { type: 'message', role, content: [{ type: role === 'user' ? 'input_text' : 'output_text', text }] },
  }),
  gemini: ({ role, text, number }) => ({
    ...{ id: `n${number}`, timestamp: timeOf(number), type: role === 'user' ? 'user' : 'gemini' },
    content: role === 'user' ? parts(text) : text,
  }),
  qwen: ({ role, text, number }, newest) => ({
    ...{ uuid: `n${number}`, parentUuid: newest('uuid'), type: role, sessionId: 's1' },
    provenance: role === 'user' ? 'real_user' : role,
    message: { role: role === 'user' ? 'user' : 'model', parts: parts(text) },
  }),
  opencode: ({ role, text, number }, newest) => {
    const id = `msg_ff${String(number).padStart(10, '0')}AbCdEfGhIjKlMn`
    const { sessionID } = valuesOf(newest('info'))
    const time = { created: TIME + number * 1000, completed: TIME + number * 1000 }
    const info = role === 'user' ? { id, role, time } : { id, role, time, finish: 'stop' }
    return {
      info: { ...info, sessionID },
      parts: [{ id: `prt_${id.slice(4)}`, messageID: id, sessionID, ...blocks(text)[0] }],
    }
  },
  cline: ({ role, text, number }) => ({ id: `n${number}`, role, content: blocks(text), ts: TIME + number }),
  'cline-legacy': ({ role, text, number }) => ({ role, content: blocks(text), ts: TIME + number }),
  'openhands-v0': ({ role, text }, newest) => ({
    ...{ id: Number(newest('id')) + 1, source: role === 'user' ? 'user' : 'agent' },
    ...{ action: 'message', message: text, args: { content: text } },
  }),
  'openhands-v1': ({ role, text, number }) => ({
    ...{ kind: 'MessageEvent', id: `n${number}`, source: role === 'user' ? 'user' : 'agent' },
    llm_message: { role, content: blocks(text) },
  }),
  atif: ({ role, text }, newest) => ({
    ...{ step_id: Number(newest('step_id')) + 1, source: role === 'user' ? 'user' : 'agent', message: text },
  }),
  'ai-ui': ({ role, text, number }) => ({ id: `n${number}`, role, parts: blocks(text) }),
  responses: ({ role, text }) => ({
    ...{ type: 'message', role, content: [{ type: role === 'user' ? 'input_text' : 'output_text', text }] },
  }),
  'gemini-contents': ({ role, text }) => ({ role: role === 'user' ? 'user' : 'model', parts: parts(text) }),
}

/** Returns a session to which its agent has added a message. */
export function addMessage(document: string, format: FormatId, added: Added): string {
  const { list, write } = elementsOf(document)
  const newest: Newest = (field) => list.findLast((element) => element[field] !== undefined)?.[field]
  const writeMessage = WRITERS[format] ?? (({ role, text }: Added) => ({ role, content: text }))
  return write([...list, writeMessage(added, newest)])
}
