import t from 'tap'
import { readDocument } from '../support/read-document.ts'

const TEXT = [{ type: 'text', text: 'Done.' }]
const GO = { role: 'user', content: 'Go' }
const openhands = (fields: object) => ({ id: 1, timestamp: '2026-01-01T00:00:00', action: 'message', ...fields })

/** A question and its answer, whose model server has counted tokens. */
const SESSIONS: Readonly<Record<string, (counts: object) => object>> = {
  anthropic: (usage) => ({ messages: [GO, { role: 'assistant', content: TEXT, usage }] }),
  cline: (metrics) => ({
    agent: 'lead',
    sessionId: 's',
    messages: [GO, { role: 'assistant', content: TEXT, metrics }],
  }),
  codex: (usage) => [
    { type: 'session_meta', payload: { id: 's' } },
    {
      type: 'response_item',
      payload: { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Go' }] },
    },
    { type: 'response_item', payload: { type: 'message', role: 'assistant', content: TEXT } },
    { type: 'event_msg', payload: { type: 'token_count', info: { last_token_usage: usage } } },
  ],
  gemini: (tokens) => ({
    sessionId: 's',
    messages: [
      { id: 'a', type: 'user', content: 'Go' },
      { id: 'b', type: 'gemini', content: 'Done.', tokens },
    ],
  }),
  qwen: (usageMetadata) => [
    { uuid: 'a', parentUuid: null, type: 'user', message: { role: 'user', parts: [{ text: 'Go' }] } },
    {
      uuid: 'b',
      parentUuid: 'a',
      type: 'assistant',
      message: { role: 'model', parts: [{ text: 'Done.' }] },
      usageMetadata,
    },
  ],
  opencode: (tokens) => ({
    info: { id: 'ses_1' },
    messages: [
      { info: { id: 'a', role: 'user' }, parts: [{ type: 'text', text: 'Go' }] },
      { info: { id: 'b', role: 'assistant', tokens }, parts: TEXT },
    ],
  }),
  atif: (metrics) => ({
    schema_version: 'ATIF-v1.7',
    steps: [
      { step_id: 1, source: 'user', message: 'Go' },
      { step_id: 2, source: 'agent', message: 'Done.', metrics },
    ],
  }),
  'openhands-v0': (usage) => [
    openhands({ source: 'user', args: { content: 'Go' } }),
    openhands({
      ...{ id: 2, source: 'agent', args: { content: 'Done.' } },
      tool_call_metadata: { model_response: { model: 'm', usage } },
    }),
  ],
}

type Usage = [input: number, output: number, cacheRead: number, cacheWrite: number]

/** The format, what the model server has counted, and what is read: the input is without the cached tokens. */
const COUNTS: [format: string, counts: object, usage: Usage][] = [
  [
    'anthropic',
    { input_tokens: 30, output_tokens: 5, cache_read_input_tokens: 60, cache_creation_input_tokens: 10 },
    [30, 5, 60, 10],
  ],
  ['anthropic', { input_tokens: 30, output_tokens: 5, cache_read_input_tokens: null }, [30, 5, 0, 0]],
  ['anthropic', { output_tokens: 5 }, [0, 5, 0, 0]],
  ['cline', { inputTokens: 100, outputTokens: 5, cacheReadTokens: 60, cacheWriteTokens: 10 }, [30, 5, 60, 10]],
  ['cline', { inputTokens: 100, cacheReadTokens: 110 }, [0, 0, 110, 0]],
  ['codex', { input_tokens: 90, cached_input_tokens: 40, output_tokens: 5 }, [50, 5, 40, 0]],
  ['codex', { input_tokens: 90 }, [90, 0, 0, 0]],
  ['codex', { input_tokens: 1, cached_input_tokens: 2 }, [0, 0, 2, 0]],
  ['gemini', { input: 90, cached: 40, output: 5, thoughts: 3 }, [50, 8, 40, 0]],
  ['gemini', { input: 90, output: 5 }, [90, 5, 0, 0]],
  ['gemini', { input: 1, cached: 2 }, [0, 0, 2, 0]],
  [
    'qwen',
    { promptTokenCount: 90, cachedContentTokenCount: 40, candidatesTokenCount: 5, thoughtsTokenCount: 3 },
    [50, 8, 40, 0],
  ],
  ['qwen', { promptTokenCount: 90 }, [90, 0, 0, 0]],
  ['opencode', { input: 30, output: 5, reasoning: 9, cache: { read: 60, write: 10 } }, [30, 5, 60, 10]],
  ['opencode', { input: 30, cache: null }, [30, 0, 0, 0]],
  ['atif', { prompt_tokens: 90, cached_tokens: 40, completion_tokens: 5 }, [50, 5, 40, 0]],
  ['atif', { prompt_tokens: 90 }, [90, 0, 0, 0]],
  ['openhands-v0', { prompt_tokens: 90, completion_tokens: 5 }, [90, 5, 0, 0]],
  ['openhands-v0', { prompt_tokens: 90 }, [90, 0, 0, 0]],
]

for (const format of Object.keys(SESSIONS))
  t.test(`${format}: the usage of an answer has all that was counted, and zero for the rest`, async (t) => {
    for (const [name, counts, [input, output, cacheRead, cacheWrite]] of COUNTS) {
      if (name !== format) continue
      const session = SESSIONS[format]?.(counts) ?? {}
      const document = Array.isArray(session) ? session.map((line) => JSON.stringify(line)).join('\n') : session
      const read = readDocument(document, { isLines: Array.isArray(session), query: { format } })
      const answers = read.session.entries.flatMap(({ message }) => (message?.role === 'assistant' ? message : []))
      t.strictSame(
        answers.map(({ usage }) => usage),
        [{ input, output, cacheRead, cacheWrite }],
        JSON.stringify(counts),
      )
    }
  })
