import t from 'tap'
import { readingOf, readRequest } from '../../src/ingest/read-request.ts'
import { PLAN_FORMS } from '../../src/schemas/plan.ts'
import { cpuMsOf } from '../support/cpu-time.ts'
import { problemOf } from '../support/problem-of.ts'

const TRIMMED = readingOf(PLAN_FORMS, false)
const WHOLE = readingOf(PLAN_FORMS, true)
const LIMITS = { transcriptTokens: 40_000, maxSummaryTokens: 16_384 }

const read = (text: string, reading = WHOLE) =>
  readRequest({ body: Buffer.from(text), isLines: false, query: {} }, reading, LIMITS)

const readLines = (text: string, query = {}) =>
  readRequest({ body: Buffer.from(text), isLines: true, query }, WHOLE, LIMITS)

const readJson = (body: object, reading = WHOLE) => read(JSON.stringify(body), reading)

/** The faults of a body, and the type of its problem. */
const faultsOf = (body: object) => problemOf(() => readJson(body))

const typesOf = ({ session }: ReturnType<typeof read>) => session.entries.map(({ index, type }) => [index, type])

/** The elements as they are in the body. */
const elementsOf = ({ source }: ReturnType<typeof read>) =>
  source.places.map(({ range: { start, end } }) => source.body.toString('utf8', start, end))

t.test('a body that is not JSON is refused, and the fault quotes nothing of it', async (t) => {
  t.same(
    problemOf(() => read('')),
    { type: 'invalid-request', faults: [['', 'must not be empty']] },
  )
  for (const [text, column] of [
    ['{"entries":[{]}', 14],
    ['{"entries":[]', 14],
    ['hello', 1],
    ['{"entries":[1]} x', 17],
    ['{"entries":[{"type":"a"},{"secret":},', 36],
  ] as const)
    t.same(
      problemOf(() => read(text)),
      { type: 'invalid-request', faults: [['', `must be valid JSON (line 1, column ${column})`]] },
      text,
    )
})

t.test('a body without a list of a session has the faults of its form', async (t) => {
  const form = 'must have exactly one of entries, messages, session; it has none of them'
  const problem = (pointer: string, detail: string) => ({ type: 'invalid-request', faults: [[pointer, detail]] })
  t.same(faultsOf({ entries: 5 }), problem('/entries', 'must be an array'))
  t.same(faultsOf([{ entries: [] }]), { type: 'unknown-format', faults: [] })
  t.same(faultsOf({ prompt: 'p' }), problem('', form))
  for (const text of ['[]', 'null', '"text"'])
    t.same(
      problemOf(() => read(text)),
      { type: 'unknown-format', faults: [] },
      text,
    )
  t.same(
    problemOf(() => readRequest({ body: undefined, isLines: false, query: {} }, WHOLE, LIMITS)),
    problem('', 'must not be empty'),
  )
})

t.test('a valid body is its fields and its session, and each entry knows where it is in the body', async (t) => {
  const entries = [
    { type: 'session', version: 3 },
    { type: 'label', id: 'a', parentId: null, big: [1] },
    { type: 'message', id: 'b', parentId: 'a', message: { role: 'user', content: 'x' } },
  ]
  const request = readJson({ settings: { keepRecentTokens: 5 }, entries, leafId: 'b' })
  t.strictSame(request.fields, { settings: { keepRecentTokens: 5 }, leafId: 'b' })
  t.strictSame(
    elementsOf(request),
    entries.map((entry) => JSON.stringify(entry)),
  )
  const [, ...ranges] = request.source.places.map(({ range }) => range)
  t.strictSame(request.session.entries, [
    { index: 1, range: ranges[0], id: 'a', parentId: null, type: 'label' },
    {
      index: 2,
      range: ranges[1],
      id: 'b',
      parentId: 'a',
      type: 'message',
      role: 'user',
      message: { role: 'user', content: [{ type: 'text', text: 'x' }] },
    },
  ])
  t.same([...request.session.byId.keys()], ['a', 'b'])
  t.strictSame(typesOf(readJson({ messages: [] })), [])
})

t.test(
  'the list that counts is read: the last one of its name, also if the name is written with escapes',
  async (t) => {
    t.same(typesOf(read('{"entries":[{"type":"a"},5],"entri\\u0065s":[{"type":"b"}]}')), [[0, 'b']])
    t.same(elementsOf(read('{"entries":[{"type":"a"}],"entries":[ {"type":"b"} ]}')), ['{"type":"b"}'])
    t.same(
      problemOf(() => read('{"entries":[{"type":"a"}],"entries":5}')),
      { type: 'invalid-request', faults: [['/entries', 'must be an array']] },
    )
  },
)

t.test('faults of elements and of other fields are reported together, with their pointers, at most 20', async (t) => {
  t.same(
    faultsOf({ settings: { keepRecentTokens: 'x' }, entries: [{ type: 'label' }, 5, { type: 'message' }] }).faults,
    [
      ['/entries/1', 'must be an object'],
      ['/entries/2/message', 'is required'],
      ['/settings/keepRecentTokens', 'must be an integer of at least 0'],
    ],
  )
  t.equal(faultsOf({ entries: Array(50).fill(5) }).faults.length, 20)
  const [[pointer] = []] = faultsOf({ messages: [{ role: 'human', content: 'Fix it.' }] }).faults
  t.equal(pointer, '/messages/0/role')
})

t.test('a body of two forms has that one fault', async (t) => {
  t.same(faultsOf({ entries: [5], messages: [] }).faults, [
    ['', 'must have exactly one of entries, messages, session; it has entries and messages'],
  ])
})

t.test('messages lose what no prompt shows and have the tokens of the whole, unless they are kept whole', async (t) => {
  const long = Array.from({ length: 200_000 }, (_, line) => `line ${line}`).join('\n')
  const messages = [
    { role: 'tool', tool_call_id: 'c', content: long },
    { role: 'user', content: long },
  ]
  const [result, user] = readJson({ messages }, TRIMMED).session.entries.map(({ message }) => message)
  const [whole] = readJson({ messages }).session.entries.map(({ message }) => message)
  t.ok(JSON.stringify(result).length < 2 * 8 * LIMITS.transcriptTokens * 1.1)
  t.equal(result?.tokens, user?.tokens)
  t.match(user, { role: 'user', content: [{ type: 'text', text: long }] })
  t.match(whole, { role: 'toolResult', content: [{ type: 'text', text: long }], tokens: undefined })
})

t.test('a message of an unknown role may have any content', async (t) => {
  const message = { role: 'from_the_future', content: [null, 5, { type: 'toolCall', id: 'c', arguments: { a: 1 } }] }
  for (const reading of [TRIMMED, WHOLE])
    t.match(readJson({ entries: [{ type: 'message', message }] }, reading).session.entries, [
      { role: message.role, message: { role: 'other', content: [] } },
    ])
})

t.test(
  'arguments that are nested too deeply have a note in their place, at any depth that JSON.parse reads',
  async (t) => {
    const nest = (depth: number): string => `${'[{"a":'.repeat(depth / 2)}1${'}]'.repeat(depth / 2)}`
    const argumentsOf = (json: string): unknown => {
      const call = `{"type":"toolCall","id":"c","name":"read","arguments":${json}}`
      const chatCall = { id: 'c', function: { name: 'read', arguments: json } }
      const body = `{"messages":[{"role":"assistant","content":[${call}],"tool_calls":[${JSON.stringify(chatCall)}]}]}`
      const [entry] = read(body, TRIMMED).session.entries
      const [one, other] = entry?.message?.role === 'assistant' ? entry.message.content : []
      t.ok(one?.type === 'toolCall' && other?.type === 'toolCall')
      t.strictSame({ ...one }, { ...other })
      return one?.type === 'toolCall' ? one.arguments : undefined
    }
    t.strictSame(argumentsOf(nest(200)), JSON.parse(nest(200)))
    const cut = JSON.stringify(argumentsOf(nest(100_000)))
    t.equal(cut, nest(200).replace('1', '"(nested too deeply)"'))
  },
)

t.test('NDJSON: a value a line, with or without a closing line break, also with Windows line ends', async (t) => {
  const expected = [
    [0, 'a'],
    [1, 'c'],
  ]
  for (const text of [
    '{"type":"a"}\n{"type":"c"}\n',
    '{"type":"a"}\r\n{"type":"c"}',
    '\uFEFF{"type":"a"}\n {"type":"c"} ',
  ]) {
    t.same(typesOf(readLines(text)), expected)
    t.same(elementsOf(readLines(text)), ['{"type":"a"}', '{"type":"c"}'])
  }
})

t.test('NDJSON: the other fields are query parameters', async (t) => {
  const { fields } = readLines('{"type":"a","id":"x"}', { leafId: 'x', keepRecentTokens: '5', unknown: '1' })
  t.strictSame(fields, { leafId: 'x', settings: { keepRecentTokens: 5 } })
})

t.test('NDJSON: a broken line is skipped: an agent may have been stopped while it wrote it', async (t) => {
  t.same(typesOf(readLines('{"type":"a"}\n{"b":\n{"type":"c"}')), [
    [0, 'a'],
    [2, 'c'],
  ])
  t.same(elementsOf(readLines('{"b":\n{"type":"a"}')), ['{"type":"a"}'])
  t.same(typesOf(readLines('{"type":"a"}\n{"b":')), [[0, 'a']])
  t.same(elementsOf(readLines('{"type":"a"}\n{"b":\n\n  \n')), ['{"type":"a"}'])
})

t.test('NDJSON: an entry whose parent was on a skipped line follows the entry before that line', async (t) => {
  const line = (id: string, parentId: string | null): string => JSON.stringify({ type: 'label', id, parentId })
  const parentsOf = (...lines: string[]) =>
    readLines(lines.join('\n')).session.entries.map(({ id, parentId }) => [id, parentId])
  t.same(parentsOf(line('a', null), line('b', 'a'), '{"id":"c"', '{"id":"d"', line('e', 'd'), line('f', 'e')), [
    ['a', null],
    ['b', 'a'],
    ['e', 'b'],
    ['f', 'e'],
  ])
  // Both branches begin at the lost entry, also the one that was written after another broken line.
  t.same(parentsOf(line('a', null), '{"id":"b"', line('c', 'b'), '{"id":"d"', line('e', 'b')), [
    ['a', null],
    ['c', 'a'],
    ['e', 'a'],
  ])
  t.same(parentsOf('{"id":"a"', line('b', null), line('c', 'a')), [
    ['b', null],
    ['c', null],
  ])
  // Before the first broken line, an unknown parent is a fault as ever.
  t.same(
    problemOf(() => parentsOf(line('a', null), line('b', 'x'), '{', line('c', 'b'))),
    {
      type: 'invalid-session',
      faults: [
        [
          '/entries/1/parentId',
          'must be the id of an entry in the body (line 2 of a session file): add that entry, or name another one',
        ],
      ],
    },
  )
})

t.test('NDJSON: of a body without a valid line, the first 20 broken lines are named', async (t) => {
  t.same(
    problemOf(() => readLines('{\n'.repeat(50))).faults,
    Array.from({ length: 20 }, (_, line) => [`/entries/${line}`, `must be valid JSON (line ${line + 1})`]),
  )
})

t.test(
  'NDJSON: a body of more than 10,000 broken lines is not a session file, and is not read to its end',
  async (t) => {
    const good = '{"type":"a"}\n'
    t.same(typesOf(readLines(good + '{\n'.repeat(10_000))), [[0, 'a']])
    t.equal(problemOf(() => readLines(good + '{\n'.repeat(10_001))).faults.length, 20)
    const endless = good + '{\n'.repeat(500_000)
    const cpuMs = cpuMsOf(() => problemOf(() => readLines(endless)), 1)
    t.ok(cpuMs < 20 * cpuMsOf(() => readLines(good + '{\n'.repeat(10_000)), 1), `${cpuMs} ms`)
  },
)

t.test('NDJSON: a body of one broken line is not a session file, and neither is an empty one', async (t) => {
  t.same(problemOf(() => readLines('hello')).faults, [['/entries/0', 'must be valid JSON (line 1)']])
  t.same(problemOf(() => readLines('\n \n')).faults, [['', 'must not be empty']])
  t.same(problemOf(() => readLines('')).faults, [['', 'must not be empty']])
})

t.test('NDJSON: a blank line counts as a line, so that pointers stay true, and is not kept', async (t) => {
  t.same(typesOf(readLines('{"type":"a"}\n\n\u00a0\n{"type":"c"}\n\n')), [
    [0, 'a'],
    [3, 'c'],
  ])
  t.same(problemOf(() => readLines('\n{"type":"a"}\n\n{"type":"message"}')).faults, [
    ['/entries/3/message', 'is required'],
  ])
  const message = '{"type":"message","message":{"role":"user","content":"x"}}'
  t.same(
    problemOf(() => readLines(`\n{"type":"label","id":"a"}\n\n${message}\n`)),
    { type: 'invalid-session', faults: [['/entries/3/id', 'is required, because other entries have an id']] },
  )
})

t.test('NDJSON: a line that is not an entry is a fault', async (t) => {
  t.same(problemOf(() => readLines('{"type":"a"}\n5\n{"type":"message"}')).faults, [
    ['/entries/1', 'must be an object'],
    ['/entries/2/message', 'is required'],
  ])
})
