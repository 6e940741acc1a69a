import t from 'tap'
import { COMPACTION_FORMS } from '../../src/schemas/compaction-request.ts'
import { startApp } from '../support/start-app.ts'

const MESSAGES = ['a', 'b', 'c'].map((content, at) => ({ role: at === 1 ? 'assistant' : 'user', content }))
const ENTRIES = MESSAGES.map((message, at) => ({
  ...{ type: 'message', id: `e${at}`, parentId: at === 0 ? null : 'e0' },
  message,
}))
const ASK = { role: 'user', content: 'Summarize our conversation, so that you can go on from it.' }
const settings = { keepRecentTokens: 1 }
const recall = 'Call the tool recall.'

/** A request of each form. */
const REQUESTS: [url: string, body: object][] = [
  ['/compaction', { conversation: '[User]: a\n\n[Assistant]: b' }],
  ['/compaction', { messages: MESSAGES, settings }],
  ['/compaction', { entries: ENTRIES, settings }],
  ['/compaction', { prompt: 'x y' }],
  ['/compaction', { session: MESSAGES, settings }],
  ['/compaction', { session: MESSAGES, settings: { ...settings, recall } }],
  ['/handoff', { entries: ENTRIES, settings: { recall } }],
  ['/recall', { messages: MESSAGES, kinds: ['request'], scope: 'all' }],
  ['/recall', { session: MESSAGES, query: 'a' }],
  ['/compaction/plan', { messages: MESSAGES }],
  ['/handoff', { messages: MESSAGES }],
  ['/context', { messages: MESSAGES }],
  ['/prune', { messages: MESSAGES }],
  ['/branch-summary', { entries: ENTRIES, fromId: 'e1', targetId: 'e2' }],
  ['/v1/chat/completions', { messages: [...MESSAGES.slice(0, 2), ASK] }],
  ['/v1/responses', { input: [...MESSAGES.slice(0, 2), ASK] }],
  ['/v1/responses/compact', { model: 'x', input: MESSAGES }],
  ['/v1/messages', { max_tokens: 100, messages: MESSAGES, compaction: { type: 'summarize' } }],
  ['/v1/compress', { messages: MESSAGES }],
]

/** Fields that select a form. */
const SELECTING = new Set([...Object.keys(COMPACTION_FORMS), 'session'])

/** Names that some form has, names of parameters, and names that every object has. */
const NAMES = [
  ...Object.values(COMPACTION_FORMS).flatMap(({ properties }) => Object.keys(properties)),
  ...['turnPrefix', 'prune', 'idle', 'fromId', 'include', 'candidate', 'newSession', 'reply', 'instructions', 'given'],
  ...['stream', 'system', 'tools', 'token_budget', 'toString', 'constructor', '__proto__', 'then'],
].filter((name) => !SELECTING.has(name))

const VALUES = ['null', '"short"', '5', '[1]', '{"a":1}']
const JSON_TYPE = { 'content-type': 'application/json' }

for (const [index, [url, body]] of REQUESTS.entries())
  t.test(`${url} (${index + 1}): no field reaches the code unchecked`, async (t) => {
    const { app } = await startApp(t)
    const postWith = (names: ReadonlySet<string>, value: string) => {
      const own = new Set(Object.keys(body))
      const fields = [...names].filter((name) => !own.has(name)).map((name) => `,${JSON.stringify(name)}:${value}`)
      // As text: an object literal has no field with the name `__proto__`.
      const payload = JSON.stringify(body).replace(/\}$/, `${fields.join('')}}`)
      return app.inject({ method: 'POST', url, headers: JSON_TYPE, payload })
    }
    for (const value of VALUES) {
      const names = new Set(NAMES)
      // The fields that the schema rejects come back as faults. All others are read, or ignored.
      let reply = await postWith(names, value)
      for (let faulty = faultyNames(reply); faulty.length > 0; faulty = faultyNames(reply)) {
        for (const name of faulty) names.delete(name)
        reply = await postWith(names, value)
      }
      t.equal(reply.statusCode, 200, `${value}: ${reply.statusCode === 200 ? '' : reply.body}`)
      t.ok(names.size >= 15, `${names.size} names are left`)
    }
  })

interface Reply {
  statusCode: number
  body: string
}

/** Returns the names of the fields that a problem finds fault with. Anthropic's errors have only a sentence for all. */
function faultyNames({ statusCode, body }: Reply): string[] {
  if (statusCode !== 400 && statusCode !== 422) return []
  const { errors, error } = JSON.parse(body) as { errors?: { pointer: string }[]; error?: { message: string } }
  if (errors !== undefined) return errors.map(({ pointer }) => pointer.split('/')[1] ?? '')
  return NAMES.filter((name) => error?.message.includes(name))
}

t.test('a field that a form does not have has no effect, and the reply reports it', async (t) => {
  const { app } = await startApp(t)
  const post = async (payload: object) =>
    (await app.inject({ method: 'POST', url: '/compaction', payload })).json<{
      summary: string
      report: { ignored?: object }
    }>()
  const [, [, messages] = ['', {}]] = REQUESTS
  for (const [body, name, value] of [
    [{ conversation: '[User]: a\n\n[Assistant]: b' }, 'style', 'short'],
    [messages, 'previousSummary', null],
    [messages, 'previousSummary', 'Never mind the parser.'],
  ] as const) {
    const { summary, report } = await post({ ...body, [name]: value })
    t.same([summary, report.ignored], [(await post(body)).summary, { fields: { [name]: 1 } }])
  }
})
