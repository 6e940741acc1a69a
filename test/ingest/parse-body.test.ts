import t from 'tap'
import { Problem } from '../../src/errors.ts'
import { AGENTS } from '../../src/agents/agents.ts'
import { problemOf } from '../support/problem-of.ts'
import { asLines, outline, readDocument } from '../support/read-document.ts'

const user = (uuid: string, parentUuid: string | null, content: string) => ({
  type: 'user',
  uuid,
  parentUuid,
  sessionId: 's',
  isSidechain: false,
  message: { role: 'user', content },
})
const CLAUDE = [user('u1', null, 'Fix it'), user('u2', 'u1', 'Quickly')]
const READ = [
  ['u1', 'user', 'Fix it'],
  ['u2', 'user', 'Quickly'],
]
const ENTRY = { type: 'message', id: 'a', parentId: null, message: { role: 'user', content: 'Fix it' } }
const CHAT = [{ role: 'user', content: 'Fix it' }]

t.test('what a body is counts more than its content type', async (t) => {
  for (const isLines of [true, false]) {
    const lines = readDocument(asLines(CLAUDE), { isLines })
    t.strictSame([lines.format, outline(lines)], ['claude-code', READ])
    const array = readDocument(JSON.stringify(CLAUDE, null, 2), { isLines })
    t.strictSame([array.format, outline(array)], ['claude-code', READ])
    t.strictSame(outline(readDocument(JSON.stringify({ entries: [ENTRY] }), { isLines })), [['a', 'user', 'Fix it']])
    t.strictSame(outline(readDocument(asLines([{ type: 'session' }, ENTRY]), { isLines })), [['a', 'user', 'Fix it']])
    t.strictSame(outline(readDocument(JSON.stringify(ENTRY), { isLines })), [['a', 'user', 'Fix it']])
    t.strictSame(outline(readDocument(JSON.stringify({ messages: CHAT }, null, 2), { isLines })), [
      ['m0', 'user', 'Fix it'],
    ])
  }
})

t.test('a document is never read as lines, whatever its lines are', async (t) => {
  const elements = ['{"role":"user","content":"a"},', '{"role":"assistant","content":"b"}']
  const document = (end: string): string => ['{', '"messages": [', ...elements, end, '}'].join('\n')
  for (const isLines of [true, false]) {
    t.strictSame(outline(readDocument(document(']'), { isLines })), [
      ['m0', 'user', 'a'],
      ['m1', 'assistant', 'b'],
    ])
    t.strictSame(
      problemOf(() => readDocument(document('],'), { isLines })),
      { type: 'invalid-request', faults: [['', 'must be valid JSON (line 6, column 1)']] },
      'a broken document',
    )
  }
})

t.test('a file of lines may begin with a broken line', async (t) => {
  const line = asLines(CLAUDE.slice(0, 1))
  for (const broken of ['{', '{"type":"us', '{"type":"user",', '{"message":', '"uuid":"u1"}', '{"type":"user"'])
    for (const isLines of [true, false])
      t.strictSame(outline(readDocument(`${broken}\n${line}`, { isLines })), READ.slice(0, 1), broken)
})

t.test('the format of a document is reported, but not that of the own forms', async (t) => {
  t.equal(readDocument({ entries: [ENTRY] }).format, undefined)
  t.equal(readDocument({ messages: CHAT }).format, undefined)
  t.equal(readDocument(asLines([ENTRY]), { isLines: true }).format, undefined)
  t.equal(readDocument([ENTRY]).format, 'pi')
  t.equal(readDocument(CHAT).format, 'chat')
  t.equal(readDocument({ session: { messages: CHAT } }).format, 'chat')
})

t.test('the other fields of a document are query parameters, or fields beside it in an envelope', async (t) => {
  const settings = { keepRecentTokens: 5 }
  const query = { keepRecentTokens: '5', leafId: 'u1', keepRecent: '5' }
  for (const document of [asLines(CLAUDE), JSON.stringify(CLAUDE)]) {
    const request = readDocument(document, { query })
    t.strictSame(request.fields, { settings, leafId: 'u1' })
    t.strictSame(request.ignored, { query: { keepRecent: 1 } })
  }
  for (const session of [CLAUDE, asLines(CLAUDE)]) {
    const request = readDocument({ session, settings, leafId: 'u1', unknown: 1 }, { query })
    t.strictSame([request.format, request.fields], ['claude-code', { settings, leafId: 'u1' }])
    t.strictSame(outline(request), READ)
    t.strictSame(request.ignored, { fields: { unknown: 1 }, query: { keepRecentTokens: 1, leafId: 1, keepRecent: 1 } })
  }
})

t.test('a client can name the format, in the query or in the envelope', async (t) => {
  // As text alone, Anthropic's messages are chat messages too.
  t.equal(readDocument(CHAT, { query: { format: 'anthropic' } }).format, 'anthropic')
  t.equal(readDocument({ messages: CHAT }, { query: { format: 'anthropic' } }).format, 'anthropic')
  t.equal(readDocument({ session: CHAT, format: 'anthropic' }).format, 'anthropic')
  t.strictSame(
    problemOf(() => readDocument(CHAT, { query: { format: 'emacs' } })).faults.map(([pointer]) => pointer),
    ['/format'],
  )
})

t.test('a body of no known format is 422, and known fields with wrong values stay 400', async (t) => {
  const typeOf = (document: string | object, isLines = false) =>
    problemOf(() => readDocument(document, { isLines })).type
  const events = asLines([
    { type: 'session.start', data: {} },
    { type: 'user.message', data: {} },
  ])
  t.equal(typeOf(events), 'unknown-format')
  for (const document of [
    { a: 1, b: 2 },
    [{ a: 1 }],
    [1, 2],
    '[]',
    '5',
    'null',
    '{"a":1}\n{"b":2}',
    { session: { a: 1 } },
  ])
    t.equal(typeOf(document), 'unknown-format', JSON.stringify(document))
  t.equal(typeOf('{"a":1}\n{"b":2}', true), 'unknown-format')
  for (const document of [
    {},
    { settings: {} },
    { entries: 5 },
    { messages: [{ role: 5 }] },
    { session: 5 },
    { session: null },
    'x',
  ])
    t.equal(typeOf(document), 'invalid-request', JSON.stringify(document))
  // An envelope has one session, not another envelope.
  t.equal(typeOf({ session: { session: { messages: CHAT } } }), 'unknown-format')
})

t.test(
  'a named format in which the document has no message is refused, unless the document looks like it',
  async (t) => {
    const claude = { type: 'user', uuid: 'a', sessionId: 's', message: { role: 'user', content: 'Hello' } }
    const meta = { type: 'session_meta', payload: { id: 's', cwd: '/p' } }
    const read = (lines: object[]) => () => readDocument(asLines(lines), { isLines: true, query: { format: 'codex' } })
    t.same(problemOf(read([claude])), { type: 'unknown-format', faults: [] })
    t.same(read([meta])().session.entries, [])
  },
)

t.test('a problem with an unknown format quotes nothing of the body', async (t) => {
  try {
    readDocument({ secretName: 'secretValue' })
    t.fail()
  } catch (error) {
    t.notMatch((error as Error).message, /secret/)
  }
})

t.test('lines of any shape, in any format, are read or refused, and never an internal error', async (t) => {
  const values = [null, 5, 'x', [], {}, { type: 5 }, { type: 'user', uuid: 'u9', message: 5 }]
  const types = ['assistant', 'response_item', 'compacted', 'event_msg', 'gemini', 'system', 'tool_result', 'message']
  const odd = types.flatMap((type) =>
    values.map((value) => ({
      type,
      uuid: 'x',
      parentUuid: 'x',
      id: 'x',
      message: value,
      payload: value,
      content: [value],
      $set: value,
      info: value,
      parts: [value],
      toolCalls: [value],
      attachment: value,
      compactMetadata: value,
    })),
  )
  for (const { id: format } of Object.values(AGENTS).filter(({ reader }) => reader !== undefined))
    for (const list of [values, odd, [...odd, ...values]]) {
      const read = () => readDocument(list, { query: { format } })
      try {
        t.type(read().session.entries, Array, format)
      } catch {
        t.equal(problemOf(read).type, 'unknown-format', format)
      }
    }
})

t.test('faults of a session in an envelope point into the envelope', async (t) => {
  const broken = { type: 'message', id: 'a', parentId: null, message: { role: 'user' } }
  const orphan = { type: 'message', id: 'b', parentId: 'gone', message: { role: 'user', content: 'Fix it.' } }
  const pointersOf = (session: unknown): unknown => {
    try {
      return readDocument({ session })
    } catch (error) {
      return error instanceof Problem ? error.faults.map(({ pointer }) => pointer) : error
    }
  }
  t.strictSame(pointersOf({ entries: [ENTRY, broken] }), ['/session/entries/1/message/content'])
  t.strictSame(pointersOf([ENTRY, broken]), ['/session/1/message/content'])
  t.strictSame(pointersOf(asLines([ENTRY, broken])), ['/session/entries/1/message/content'])
  t.strictSame(pointersOf([ENTRY, orphan]), ['/session/1/parentId'])
  t.strictSame(pointersOf('{"entries": ['), ['/session'])
})

t.test('a session in an envelope keeps its numbers, and its places are those in the envelope', async (t) => {
  const message = '{"role":"user","content":"é","size":1234567890123456789}'
  for (const [before, after] of [
    ['{"keep":"é","session": {"messages": [', ']}, "leafId": "m0"}'],
    ['{"session":[', ']}'],
    ['[', ']'],
  ] as const) {
    const { source } = readDocument(before + message + after)
    const { start, end } = source.places[0]?.range ?? { start: 0, end: 0 }
    t.equal(source.body.toString('utf8', start, end), message)
    t.equal(start + source.offset, Buffer.byteLength(before))
  }
})
