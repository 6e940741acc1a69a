import t from 'tap'
import { startApp } from '../support/start-app.ts'

const TREE = [
  { type: 'message', id: 'a', parentId: null, message: { role: 'user', content: 'Fix it.' } },
  { type: 'message', id: 'b', parentId: 'a', message: { role: 'user', content: 'Now.' } },
]
const NO_SESSION = [{ pointer: '/session', detail: 'must be a session of a known format, or its text' }]
const ALL_FIELDS = 'A request has one of the fields `prompt`, `entries`, `messages`, `conversation`, `session`'
const FIELDS = 'A request has one of the fields `entries`, `messages`, `session`'

const cases: [name: string, url: string, payload: string | object, problem: object][] = [
  [
    'the text of an envelope that is no session',
    '/compaction',
    { session: 'hello' },
    {
      detail: 'The text in `session` is no session, because it is not valid JSON: the fault is at line 1, column 1.',
      errors: [{ pointer: '/session', detail: 'must be valid JSON (line 1, column 1)' }],
    },
  ],
  [
    'an empty text of an envelope',
    '/compaction',
    { session: '' },
    {
      detail: 'The text in `session` is empty. Send a session.',
      errors: [{ pointer: '/session', detail: 'must not be empty' }],
    },
  ],
  [
    'an object of an envelope that is no session',
    '/compaction',
    { session: { text: '' } },
    {
      detail:
        /^The format of the session is unknown: the value of `session` is a JSON object without a field of a known format\. Known formats are /,
      errors: NO_SESSION,
    },
  ],
  [
    'a field with a misspelt name',
    '/compaction',
    { message: [{ role: 'user', content: 'x' }] },
    {
      detail: new RegExp(`without a field of a known format\\. ${ALL_FIELDS}\\. Known formats are pi, `),
    },
  ],
  [
    'a body with unknown fields alone',
    '/compaction/plan',
    { story: [] },
    { detail: new RegExp(`of a known format\\. ${FIELDS}\\. Known formats are pi, `) },
  ],
  [
    'one fault of a body',
    '/compaction',
    { messages: [{ role: 'user', content: 5 }] },
    { detail: /^The request body is not valid: \/messages\/0\/content must be [^`]*\.$/ },
  ],
  [
    'several faults of a body',
    '/compaction',
    { messages: [{ role: 'user', content: 5 }], settings: 5 },
    { detail: /^The request body is not valid: \/messages\/0\/content must be .*\. See `errors` for each fault\.$/ },
  ],
  [
    'a leaf that is not in the body',
    '/branch-summary',
    { entries: TREE, fromId: 'x', targetId: 'a' },
    {
      detail: '`fromId` is the id of no entry in the body. Send the entries of both branches.',
      errors: [{ pointer: '/fromId', detail: 'must be the id of an entry in the body' }],
    },
  ],
  [
    'XML',
    '/compaction',
    '<?xml version="1.0"?><session/>',
    { detail: /^The request body is not valid JSON: .* It begins like XML or HTML\. Send JSON, or a session file\.$/ },
  ],
]

for (const [name, url, payload, problem] of cases)
  t.test(`${name}: the problem names the fault and its place`, async (t) => {
    const { app } = await startApp(t)
    const headers = { 'content-type': typeof payload === 'string' ? 'application/xml' : 'application/json' }
    const reply = await app.inject({ method: 'POST', url, headers, payload })
    t.match(reply.json(), problem)
  })

t.test('a body over the limit: the problem names both sizes, if the client has declared its own', async (t) => {
  const { app } = await startApp(t, { settings: { bodyLimitBytes: 1000 } })
  const payload = 'x'.repeat(1234)
  const reply = await app.inject({ method: 'POST', url: '/compaction', payload })
  const allowed =
    'is larger than the 1,000 bytes, after decompression, that this service allows (PRECIS_BODY_LIMIT). Send a smaller body.'
  t.equal(reply.json().detail, `The body of 1,234 bytes ${allowed}`)
})
