import t from 'tap'
import { readingOf, readRequest } from '../../src/ingest/read-request.ts'
import { COMPACTION_FORMS } from '../../src/schemas/compaction-request.ts'
import type { Ignored } from '../../src/schemas/ignored.ts'
import { PRUNE_FORMS } from '../../src/schemas/prune.ts'
import { growthOf, MAX_GROWTH } from '../support/cpu-time.ts'

const COMPACTION = readingOf(COMPACTION_FORMS, false)
const PRUNE = readingOf(PRUNE_FORMS, true)
const LIMITS = { transcriptTokens: 40_000, maxSummaryTokens: 16_384 }

const read = (body: string, query: Record<string, unknown> = {}): Ignored | undefined =>
  readRequest({ body: Buffer.from(body), isLines: false, query }, COMPACTION, LIMITS).ignored

const readLines = (lines: readonly string[], query: Record<string, unknown> = {}): Ignored | undefined =>
  readRequest({ body: Buffer.from(lines.join('\n')), isLines: true, query }, COMPACTION, LIMITS).ignored

const message = (content: unknown, role = 'user', fields: object = {}): object => ({ role, content, ...fields })
const user = message('Fix it.')
const entry = (fields: object): object => ({ type: 'message', message: user, ...fields })
const text = { type: 'text', text: 'x' }

const ONE_EACH: [name: string, body: object, ignored: Ignored | undefined][] = [
  ['a field', { messages: [user], custominstructions: 'x' }, { fields: { custominstructions: 1 } }],
  ['a field of another form', { prompt: 'p', settings: {} }, { fields: { settings: 1 } }],
  ['a field of the conversation form', { conversation: 'x', leafId: 'a' }, { fields: { leafId: 1 } }],
  ['a setting', { messages: [user], settings: { keepRecent: 1 } }, { settings: { keepRecent: 1 } }],
  ['a type of entries', { entries: [entry({ type: 'mesage' })] }, { entryTypes: { mesage: 1 } }],
  ['a type of entries twice', { entries: [{ type: 'x' }, { type: 'x' }] }, { entryTypes: { x: 2 } }],
  ['a role in messages', { messages: [message('x', '_note')] }, { roles: { _note: 1 } }],
  ['a role in entries', { entries: [entry({ message: message('x', 'bash') })] }, { roles: { bash: 1 } }],
  [
    'a block',
    { messages: [message([{ type: 'from_the_future', id: 'x' }, text])] },
    { blocks: { from_the_future: 1 } },
  ],
  ['a block of which the text is read', { messages: [message([{ ...text, type: 'txt' }])] }, { blocks: { txt: 1 } }],
  [
    'a block in a custom message',
    { entries: [{ type: 'custom_message', content: [{ type: 'txt' }] }] },
    { blocks: { txt: 1 } },
  ],
  [
    'a block in an output',
    { messages: [message([{ type: 'txt' }], 'tool', { tool_call_id: 'c' })] },
    { blocks: { txt: 1 } },
  ],
  [
    'a name of every object',
    { messages: [user], constructor: 1, toString: 2 },
    { fields: { constructor: 1, toString: 1 } },
  ],
  ['a field of data that belongs to the client', { messages: [user], preserveData: { mine: 1 } }, undefined],
  ['a field of an entry', { entries: [entry({ mine: 1 })] }, undefined],
  [
    'what is not part of the context',
    { entries: [entry({ message: message('x', '?'), excludeFromContext: true })] },
    undefined,
  ],
  ['instructions', { messages: [message('x', 'system'), message('x', 'developer')] }, undefined],
  ['a block that is encrypted', { messages: [message([{ type: 'redactedThinking', data: 'x' }])] }, undefined],
]

for (const [name, body, ignored] of ONE_EACH)
  t.test(`${ignored === undefined ? 'not reported' : 'reported'}: ${name}`, async (t) => {
    t.same(read(JSON.stringify(body)), ignored)
  })

t.test('the fields of `prune` are the settings of /prune', async (t) => {
  const body = Buffer.from(JSON.stringify({ messages: [user], prune: { mine: 1 }, settings: { a: 1 } }))
  t.same(readRequest({ body, isLines: false, query: {} }, PRUNE, LIMITS).ignored, {
    fields: { settings: 1 },
    settings: { mine: 1 },
  })
})

t.test(
  'query parameters are fields of a session: those that a JSON body or its settings have are ignored',
  async (t) => {
    const query = { keepRecentTokens: '5', context: ['a', 'b'] }
    t.same(read(JSON.stringify({ messages: [user] }), query), undefined)
    t.same(read(JSON.stringify({ messages: [user], settings: { keepRecentTokens: 7 } }), query), {
      query: { keepRecentTokens: 1 },
    })
    t.same(read(JSON.stringify({ messages: [user], context: [] }), query), { query: { context: 2 } })
    t.same(read(JSON.stringify({ conversation: 'x' }), query), { query: { keepRecentTokens: 1, context: 2 } })
    const lines = [JSON.stringify(entry({}))]
    t.same(readLines(lines, { keepRecentTokens: '5', context: ['a', 'b'], leafId: 'e0' }), undefined)
    t.same(readLines(lines, { keepRecentToken: '5', entries: 'x' }), { query: { keepRecentToken: 1, entries: 1 } })
    t.same(readLines(lines, { settings: '{"a":1}', keepRecentTokens: '5' }), {
      settings: { a: 1 },
      query: { keepRecentTokens: 1 },
    })
  },
)

t.test('the bookkeeping of agents is not reported', async (t) => {
  const known =
    'session title model_change thinking_level_change active_tools_change custom label session_info title_change mode_change ' +
    'service_tier_change session_init ttsr_injection credential_pin model_usage archive reset_boundary'
  t.equal(read(JSON.stringify({ entries: known.split(' ').map((type) => ({ type })) })), undefined)
})

t.test('a name may be that of a prototype', async (t) => {
  const ignored = read(
    '{"messages":[],"__proto__":1,"settings":{"__proto__":{"polluted":1}}}',
    JSON.parse('{"__proto__":"x"}'),
  )
  t.equal(JSON.stringify(ignored), '{"fields":{"__proto__":1},"settings":{"__proto__":1},"query":{"__proto__":1}}')
  t.equal(({} as Record<string, unknown>)['polluted'], undefined)
})

t.test('a group has the first 50 names, and their counts are complete', async (t) => {
  const types = Array.from({ length: 60 }, (_, index) => `t${index}`)
  const ignored = read(JSON.stringify({ entries: [...types, ...types].map((type) => ({ type })) }))
  t.same(ignored, { entryTypes: Object.fromEntries(types.slice(0, 50).map((type) => [type, 2])) })
})

t.test('lines that are not JSON are reported by their number, blank lines counted, the first 100', async (t) => {
  const good = JSON.stringify(entry({}))
  t.same(readLines([good, '', '{"type":"mess', good, '{']), { lines: [3, 5] })
  t.same(readLines([...Array<string>(150).fill('{'), good]), {
    lines: Array.from({ length: 100 }, (_, index) => index + 1),
  })
})

t.test('only the list that is read counts', async (t) => {
  t.same(read('{"entries":[{"type":"first"}],"entries":[{"type":"last"}]}'), { entryTypes: { last: 1 } })
})

t.test('the time for forty thousand unknown names grows with their number', async (t) => {
  const bodiesOf = (count: number): string[] => {
    const names = Array.from({ length: count }, (_, index) => `n${index}`)
    return [
      `{"messages":[],${names.map((name) => `"${name}":1`).join()}}`,
      `{"entries":[${names.map((type) => `{"type":"${type}"}`).join()}]}`,
      `{"messages":[{"role":"user","content":[${names.map((type) => `{"type":"${type}"}`).join()}]}]}`,
    ]
  }
  const [short, long] = [bodiesOf(10_000), bodiesOf(40_000)]
  for (const [index, body] of long.entries()) {
    const growth = growthOf({ work: read, short: short[index] ?? '', long: body, measurableMs: 200 })
    t.ok(growth < MAX_GROWTH, `body ${index} grows by ${growth.toFixed(1)}`)
  }
})
