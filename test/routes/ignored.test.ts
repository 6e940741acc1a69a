import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import t, { type Test } from 'tap'
import { readSettings } from '../../src/settings.ts'
import { JobRunner } from '../../src/jobs/job-runner.ts'
import { createSummarizer } from '../../src/model/create-summarizer.ts'
import { WorkerPool } from '../../src/runtime/worker-pool.ts'
import { compiled } from '../support/compile-source.ts'
import { fakeSummarizer } from '../support/fake-summarizer.ts'
import { startApp, type StartOptions } from '../support/start-app.ts'
import { templates } from '../support/templates.ts'
import { textOfTokens } from '../support/text-of-tokens.ts'

const NDJSON = { 'content-type': 'application/x-ndjson' }
const JSON_TYPE = { 'content-type': 'application/json' }
const WORKER = pathToFileURL(compiled('src/worker.ts'))

type App = Awaited<ReturnType<typeof startApp>>['app']

const post = async (app: App, url: string, { payload, lines }: { payload?: string; lines?: readonly unknown[] }) => {
  const body =
    payload ?? lines?.map((line) => (typeof line === 'string' ? line : JSON.stringify(line))).join('\n') ?? ''
  const headers = lines === undefined ? JSON_TYPE : NDJSON
  return (await app.inject({ method: 'POST', url, headers, payload: body })).json()
}

const user = (id: string, parentId: string | null, content: string) => ({
  type: 'message',
  id,
  parentId,
  message: { role: 'user', content },
})

/** A session with one unknown part of each kind that it may have. */
const LINES = [
  user('a', null, 'Fix the parser.'),
  { type: 'mesage', id: 'b', parentId: 'a' },
  { type: 'message', id: 'c', parentId: 'b', message: { role: 'asistant', content: 'Done.' } },
  {
    type: 'message',
    id: 'd',
    parentId: 'c',
    message: { role: 'assistant', content: [{ type: 'txt', text: 'Done.' }] },
  },
  '{"type":"message","id":"e","parentId":"d","mess',
  user('f', 'e', textOfTokens(200)),
]
const IGNORED = {
  entryTypes: { mesage: 1 },
  roles: { asistant: 1 },
  blocks: { txt: 1 },
  query: { traceId: 1 },
  lines: [5],
}
const ROUTES = [
  '/compaction?keepRecentTokens=50',
  '/compaction/plan?keepRecentTokens=50',
  '/prune?protectTokens=50',
  '/context?leafId=f',
  '/handoff?keepRecentTokens=50',
  '/branch-summary?fromId=f&targetId=a',
]

async function reportEverywhere(t: Test, options: StartOptions): Promise<void> {
  const { app } = await startApp(t, options)
  for (const route of ROUTES) {
    const reply = await post(app, `${route}&traceId=1`, { lines: LINES })
    t.same(reply.report?.ignored, IGNORED, route)
    const clean = await post(app, route, { lines: [user('a', null, 'Fix it.'), user('f', 'a', textOfTokens(200))] })
    t.notOk(clean.type, `${route} is answered`)
    t.notOk(JSON.stringify(clean).includes('"ignored":{'), `${route} reports nothing for a clean request`)
  }
}

t.test('every route reports what was not read, and the rest of the session is read', async (t) => {
  await reportEverywhere(t, {})
})

t.test('a worker reports the same, also after a model has answered', async (t) => {
  const pool = new WorkerPool({ script: WORKER, workers: 1, memoryMb: 1024 })
  t.teardown(() => {
    pool.close()
  })
  const { app } = await startApp(t, { jobs: new JobRunner(pool) })
  const long = textOfTokens(20_000)
  const payload = `{"messages":[{"role":"user","content":"${long}"},{"role":"user","content":"Go on."}],"__proto__":1,"settings":{"keepRecentTokens":5,"__proto__":2}}`
  for (const url of ['/compaction?__proto__=1', '/context?__proto__=1']) {
    const { report } = await post(app, url, { payload })
    const settings = url.startsWith('/context') ? '' : ',"settings":{"__proto__":1}'
    const fields = url.startsWith('/context') ? '"__proto__":1,"settings":1' : '"__proto__":1'
    t.equal(JSON.stringify(report.ignored), `{"fields":{${fields}}${settings},"query":{"__proto__":1}}`)
  }
})

t.test('the prompt and conversation forms report unknown fields', async (t) => {
  const { app } = await startApp(t, {})
  for (const form of [{ prompt: 'Summarize.' }, { conversation: '[User]: Fix the parser.' }]) {
    const { report } = await post(app, '/compaction?a=1', { payload: JSON.stringify({ ...form, stream: true }) })
    t.same(report.ignored, { fields: { stream: 1 }, query: { a: 1 } })
  }
})

t.test('a chat has the format of OpenAI, which has no report', async (t) => {
  const { app } = await startApp(t, {})
  const payload = JSON.stringify({ messages: [{ role: 'user', content: 'Hi.' }], temperature: 1 })
  t.notMatch(JSON.stringify(await post(app, '/v1/chat/completions', { payload })), /ignored|temperature/)
})

t.test('a broken line in the middle is skipped, and what is before and after it is compacted', async (t) => {
  const summarizer = fakeSummarizer()
  const { app } = await startApp(t, { summarizer })
  const lines = [
    user('a', null, 'First.'),
    '{"type":"mess',
    user('c', 'b', 'Second.'),
    user('d', 'c', textOfTokens(200)),
  ]
  const reply = await post(app, '/compaction?keepRecentTokens=50', { lines })
  t.same([reply.firstKeptEntryId, reply.report.ignored], ['d', { lines: [2] }])
  t.match(summarizer.tasks[0]?.prompt, /\[User\]: First\.[^]*\[User\]: Second\./)
})

const SECRET = `ghp_${'a1B2'.repeat(9)}`

t.test('names are cut to 64 characters, never inside a surrogate pair, and their secrets are replaced', async (t) => {
  const names = ['x'.repeat(70), `${'y'.repeat(63)}😀`, `${'z'.repeat(50)} ${SECRET}`, `${'x'.repeat(64)}!`]
  const payload = JSON.stringify({ prompt: 'Summarize.', ...Object.fromEntries(names.map((name) => [name, 1])) })
  const { app, log } = await startApp(t, {})
  const { report } = await post(app, '/compaction', { payload })
  t.same(report.ignored.fields, {
    ['x'.repeat(64)]: 2,
    ['y'.repeat(63)]: 1,
    [`${'z'.repeat(50)} [redacted:git`]: 1,
  })
  t.equal(report.redactions, 1)
  t.notMatch(log(), /xxxx|yyyy|zzzz/)
  const { app: open } = await startApp(t, { settings: { redact: false } })
  const shown = await post(open, '/compaction', { payload })
  t.same(Object.keys(shown.report.ignored.fields)[2], `${'z'.repeat(50)} ${SECRET.slice(0, 13)}`)
})

t.test('secrets in names are replaced in the replies of routes that replace none elsewhere', async (t) => {
  const { app } = await startApp(t, {})
  const payload = JSON.stringify({ messages: [], [SECRET]: 1 })
  for (const url of ['/compaction/plan', '/prune', '/context'])
    t.match(Object.keys((await post(app, url, { payload })).report.ignored.fields), [/^\[redacted:/], url)
})

/** Real sessions that lie beside a checkout; they are not the project's to hand on. */
const FOLDER = new URL('../../../shared/sessions/', import.meta.url)
const files = existsSync(FOLDER) ? readdirSync(FOLDER).filter((name) => name.endsWith('.jsonl')) : []

t.test('nothing in real sessions is reported', { skip: files.length === 0 }, async (t) => {
  const { app } = await startApp(t, { summarizer: await createSummarizer(readSettings({}), templates) })
  for (const file of files)
    for (const url of ['/compaction?keepRecentTokens=100', '/compaction/plan', '/prune', '/context', '/handoff']) {
      const reply = await post(app, url, { lines: [readFileSync(new URL(file, FOLDER), 'utf8')] })
      t.equal(reply.type, undefined, `${file} ${url} is answered`)
      t.equal(reply.report?.ignored, undefined, `${file} ${url}`)
    }
})
