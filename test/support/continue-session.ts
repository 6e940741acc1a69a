import type { FormatId } from '../../src/schemas/format.ts'
import { elementsOf } from './break-session.ts'
import { valuesOf, type Values } from './replay-trees.ts'

/** The prompt with which a session goes on. */
export const NEXT = 'What follows?'

const content = [{ type: 'text', text: NEXT }]
const parts = [{ text: NEXT }]

/** What the agents write next, after the element that stands last. */
const WRITERS: Readonly<Partial<Record<FormatId, (last: Values) => Values>>> = {
  pi: ({ id }) => ({
    ...{ type: 'message', ...(id === undefined ? {} : { id: 'next', parentId: id }) },
    message: { role: 'user', content },
  }),
  'claude-code': ({ uuid, sessionId }) => ({
    ...{
      parentUuid: uuid,
      isSidechain: false,
      type: 'user',
      uuid: 'next',
      sessionId,
      message: { role: 'user', content },
    },
  }),
  codex: () => ({
    type: 'response_item',
    payload: { type: 'message', role: 'user', content: [{ type: 'input_text', text: NEXT }] },
  }),
  gemini: () => ({ id: 'next', timestamp: '2027-01-01T00:00:00.000Z', type: 'user', content: parts }),
  qwen: ({ uuid }) => ({
    ...{ uuid: 'next', parentUuid: uuid, type: 'user', provenance: 'real_user', message: { role: 'user', parts } },
  }),
  opencode: ({ info }) => ({
    info: { ...valuesOf(info), id: 'msg_ffffffffffffAbCdEfGhIjKlMn', role: 'user', summary: undefined },
    parts: content,
  }),
  cline: () => ({ id: 'next', role: 'user', content, ts: 1_900_000_000_000 }),
  'cline-legacy': () => ({ role: 'user', content, ts: 1_900_000_000_000 }),
  'openhands-v0': () => ({ id: 1_000_000, source: 'user', action: 'message', message: NEXT, args: { content: NEXT } }),
  'openhands-v1': () => ({ kind: 'MessageEvent', id: 'next', source: 'user', llm_message: { role: 'user', content } }),
  atif: () => ({ step_id: 1_000_000, source: 'user', message: NEXT }),
  'ai-ui': () => ({ id: 'next', role: 'user', parts: content }),
  responses: () => ({ type: 'message', role: 'user', content: [{ type: 'input_text', text: NEXT }] }),
  'gemini-contents': () => ({ role: 'user', parts }),
}

/** Returns a session in which the user has written the next prompt. */
export function continueSession(document: string, format: FormatId): string {
  const { list, write } = elementsOf(document)
  const next = WRITERS[format] ?? (() => ({ role: 'user', content: NEXT }))
  return write([...list, next(list.at(-1) ?? {})])
}
