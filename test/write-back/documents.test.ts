import t, { type Test } from 'tap'
import { LISTS } from '../support/agent-sessions.ts'
import { asLines } from '../support/read-document.ts'
import { startApp } from '../support/start-app.ts'

const LONG = 'It must read every line of the file. '.repeat(120)
const SUMMARY = 'The conversation before this point was compacted into this summary:\n\n<summary>\nShort.\n</summary>'
const ANSWER = 'Understood. I continue from this summary.'

const CHAT = [
  { role: 'user', content: LONG },
  { role: 'assistant', content: LONG },
  { role: 'user', content: 'Now explain.' },
  { role: 'assistant', content: 'Explained.' },
]
const COMPACTED = [{ role: 'user', content: SUMMARY }, { role: 'assistant', content: ANSWER }, ...CHAT.slice(2)]

/** Returns the native form of a session, whose summary is `Short.`. */
async function write(t: Test, document: string | object, query = 'keepRecentTokens=20') {
  const { app } = await startApp(t)
  const payload = typeof document === 'string' ? document : JSON.stringify(document)
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  const url = `/compaction?reply=native&summary=Short.&${query}`
  const reply = await app.inject({ method: 'POST', url, headers, payload })
  if (reply.statusCode !== 200) throw new Error(reply.body)
  return { mode: reply.headers['x-precis-native'], type: reply.headers['content-type'], body: reply.body }
}

t.test('the fields beside a list of messages stay, without those of the request', async (t) => {
  const settings = { keepRecentTokens: 20 }
  const around = { model: 'm', system: 'Rules.' }
  const document = { ...around, messages: CHAT, settings, summary: 'Short.', native: true, tools: [] }
  const { app } = await startApp(t)
  const reply = await app.inject({ method: 'POST', url: '/compaction', payload: { ...document, history: true } })
  const { native, history } = reply.json<{ native: { mode: string; body: string }; history: unknown }>()
  t.strictSame(JSON.parse(native.body), { ...around, messages: COMPACTED, tools: [] })
  t.strictSame([Object.keys(native), native.mode, history], [['mode', 'contentType', 'body'], 'replace', COMPACTED])

  const { body } = await write(t, LISTS['anthropic'] ?? '', 'keepRecentTokens=45')
  t.match(JSON.parse(body), { model: 'm', system: 'Rules.', messages: [{ role: 'user' }] })
})

t.test('an array stays an array', async (t) => {
  const { body } = await write(t, CHAT)
  t.strictSame(JSON.parse(body), COMPACTED)
})

t.test('of two lists, the one that is not empty counts, as for the reader', async (t) => {
  const { body } = await write(
    t,
    { input: [], output: CHAT.map((one) => ({ type: 'message', ...one })) },
    'keepRecentTokens=20&format=responses',
  )
  t.match(JSON.parse(body), {
    input: [],
    output: [{ role: 'user' }, { content: 'Now explain.' }, { content: 'Explained.' }],
  })
})

t.test('messages on lines stay on lines', async (t) => {
  const { mode, type, body } = await write(t, asLines(CHAT))
  t.strictSame([mode, type], ['replace', 'application/x-ndjson; charset=utf-8'])
  t.strictSame(body, `${asLines(COMPACTED)}\n`)
})

t.test('a document of pi is replaced, with the compaction as its last entry', async (t) => {
  const entries = CHAT.map((message, at) => ({
    type: 'message',
    id: `p${at}`,
    parentId: at === 0 ? null : `p${at - 1}`,
    message,
  }))
  const own = { entries, name: 'x', summary: 'Short.', settings: { keepRecentTokens: 20 } }
  for (const document of [own, entries]) {
    const { mode, type, body } = await write(t, document, 'keepRecentTokens=20&format=pi')
    t.strictSame([mode, type], ['replace', 'application/json; charset=utf-8'])
    const written = JSON.parse(body) as typeof entries | { entries: typeof entries; name: string }
    const list = Array.isArray(written) ? written : written.entries
    t.strictSame(list.slice(0, -1), entries)
    t.match(list.at(-1), { type: 'compaction', parentId: 'p3', firstKeptEntryId: 'p2', summary: 'Short.' })
    if (!Array.isArray(written)) t.strictSame(Object.keys(written), ['entries', 'name'])
  }
})

t.test('elements of Roo Code without fields are left as they are, or get their first field', async (t) => {
  const roo = CHAT.map((message, ts) => ({ ...message, content: [{ type: 'text', text: message.content }], ts }))
  const { body } = await write(t, [{}, null, [], 'x', ...roo], 'keepRecentTokens=20&format=cline-legacy')
  const [empty, none, list, text] = JSON.parse(body) as unknown[]
  t.match(empty, { condenseParent: String })
  t.strictSame([none, list, text], [null, [], 'x'])
})

t.test('a message with very many blocks is written', async (t) => {
  const blocks = Array.from({ length: 130_000 }, () => ({ type: 'text', text: 'a' }))
  const messages = [...CHAT.slice(0, 3), { role: 'user', content: blocks }]
  const { app } = await startApp(t)
  const payload = { messages, summary: 'Short.', settings: { keepRecentTokens: 130_100 } }
  const reply = await app.inject({ method: 'POST', url: '/compaction?reply=anthropic', payload })
  t.equal(reply.statusCode, 200, reply.body.slice(0, 500))
  const written = reply.json<{ messages: { content: unknown[] }[] }>().messages
  t.strictSame(
    written.map(({ content }) => content.length),
    [1, 1, 130_001],
  )
})
