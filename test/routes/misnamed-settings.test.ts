import t from 'tap'
import { startApp } from '../support/start-app.ts'

const MESSAGES = ['a', 'b', 'c'].map((content, at) => ({ role: at === 1 ? 'assistant' : 'user', content }))
const ENTRIES = MESSAGES.map((message, at) => ({
  ...{ type: 'message', id: `e${at}`, parentId: at === 0 ? null : `e${at - 1}` },
  message,
}))
/** A list in the format of Anthropic. */
const BLOCKS = [
  { role: 'user', content: 'List the files.' },
  { role: 'assistant', content: [{ type: 'tool_use', id: 't1', name: 'ls', input: {} }] },
  { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't1', content: 'a.ts' }] },
]

const BESIDE = [{ pointer: '/contextWindow', detail: 'belongs in `settings`' }]

const REQUESTS: [url: string, body: object][] = [
  ['/compaction', { messages: MESSAGES }],
  ['/compaction', { entries: ENTRIES }],
  ['/compaction', { session: MESSAGES }],
  ['/compaction', { conversation: '[User]: a\n\n[Assistant]: b' }],
  ['/compaction', { messages: BLOCKS }],
  ['/compaction/plan', { messages: MESSAGES }],
  ['/compaction/prepare', { messages: MESSAGES }],
  ['/handoff', { messages: MESSAGES }],
  ['/branch-summary', { entries: ENTRIES, fromId: 'e1', targetId: 'e2' }],
]

for (const [url, body] of REQUESTS)
  t.test(
    `${url} with ${Object.keys(body).join(', ')}: a setting at the wrong place is an error that names the right one`,
    async (t) => {
      const { app } = await startApp(t)
      const post = async (payload: object) => {
        const { statusCode, json } = await app.inject({ method: 'POST', url, payload })
        const { detail, errors } = json<{ detail?: string; errors?: unknown }>()
        return { statusCode, detail, errors }
      }
      t.same(await post({ ...body, contextWindow: 40_000 }), {
        statusCode: 400,
        detail: 'The request body is not valid: /contextWindow belongs in `settings`.',
        errors: BESIDE,
      })
      t.same(await post({ ...body, settings: { contextWindw: 40_000, keepRecentTokens: 1 } }), {
        statusCode: 400,
        detail: 'The request body is not valid: /settings/contextWindw is not known; use `contextWindow`.',
        errors: [{ pointer: '/settings/contextWindw', detail: 'is not known; use `contextWindow`' }],
      })
      t.same(await post({ ...body, setings: { keepRecentTokens: 1 } }), {
        statusCode: 400,
        detail: 'The request body is not valid: /setings is not known; use `settings`.',
        errors: [{ pointer: '/setings', detail: 'is not known; use `settings`' }],
      })
      t.not((await post({ ...body, setings: 'dark', settings: { keepRecentTokens: 1 } })).statusCode, 400)
      t.not((await post({ ...body, settings: { contextWindow: 40_000, keepRecentTokens: 1 } })).statusCode, 400)
    },
  )

t.test('a field of /prune that is beside its group is one too, and a name with a slash is escaped', async (t) => {
  const { app } = await startApp(t)
  const errorsOf = async (payload: object) =>
    (await app.inject({ method: 'POST', url: '/prune', payload })).json<{ errors?: unknown }>().errors
  t.same(await errorsOf({ messages: MESSAGES, protectTokens: 5, prune: { 'protectTokens/': 1 } }), [
    { pointer: '/protectTokens', detail: 'belongs in `prune`' },
    { pointer: '/prune/protectTokens~1', detail: 'is not known; use `protectTokens`' },
  ])
  t.equal(await errorsOf({ messages: MESSAGES, contextWindow: 5 }), undefined, 'a setting of other routes is ignored')
})

t.test(
  'the settings that oh-my-pi has besides ours, and those of later versions, are ignored and reported',
  async (t) => {
    const { app } = await startApp(t)
    const settings = {
      keepRecentTokens: 1,
      enabled: true,
      strategy: 'shake',
      midTurnEnabled: false,
      autoContinue: true,
    }
    const reply = await app.inject({ method: 'POST', url: '/compaction', payload: { messages: MESSAGES, settings } })
    t.same(
      [reply.statusCode, reply.json().report.ignored],
      [200, { settings: { enabled: 1, strategy: 1, midTurnEnabled: 1, autoContinue: 1 } }],
    )
  },
)

t.test('a field of the same name in the document of an agent is its own', async (t) => {
  const { app } = await startApp(t)
  const line = { type: 'message', id: 'a', parentId: null, message: MESSAGES[0], contextWindow: 5 }
  const reply = await app.inject({ method: 'POST', url: '/compaction/plan', payload: { session: [line] } })
  t.equal(reply.statusCode, 200)
})
