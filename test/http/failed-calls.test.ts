import { readFileSync } from 'node:fs'
import t, { type Test } from 'tap'
import { createSummarizer } from '../../src/model/create-summarizer.ts'
import { FAILURE_KINDS } from '../../src/model/openai/failure.ts'
import { readSettings } from '../../src/settings.ts'
import { fakeTimers } from '../support/fake-timers.ts'
import { startModelServer, type Reply } from '../support/model-server.ts'
import { startApp, templates } from '../support/start-app.ts'

/** Sends a request to a service whose model server replies in this way, and returns its log line and the reply. */
async function send(t: Test, script: Reply[], env: Record<string, string> = {}) {
  const service = fakeTimers()
  const withHang = script.map((reply) => ({ ...reply, onHang: () => service.runOut() }))
  const server = await startModelServer(t, withHang)
  const settings = readSettings({ OPENAI_BASE_URL: server.url, OPENAI_API_KEY: 'sk-secret', PRECIS_MODEL: 'a', ...env })
  const time = { wait: async () => undefined, startTimer: fakeTimers().startTimer }
  const summarizer = await createSummarizer(settings, templates, { time })
  const { app, log } = await startApp(t, { settings, summarizer, startTimer: service.startTimer })
  const payload = { messages: [{ role: 'user', content: 'Fix it. '.repeat(200) }], settings: { keepRecentTokens: 1 } }
  const { body } = await app.inject({ method: 'POST', url: '/handoff', payload })
  const line =
    log()
      .split('\n')
      .find((one) => one.includes('"msg":"request"')) ?? '{}'
  t.notMatch(line, /sk-secret|upstream secret text|Fix it/)
  return { line: JSON.parse(line) as Record<string, unknown>, reply: JSON.parse(body) as Record<string, unknown> }
}

/** Returns the facts of the log line of such a request. */
async function logOf(...request: Parameters<typeof send>): Promise<Record<string, unknown>> {
  const { status, problem, model, outcome, upstreamStatus, calls } = (await send(...request)).line
  return { status, problem, model, outcome, upstreamStatus, calls }
}

t.test(
  'the log line of a failed request says which models failed, how, with which status, in how many calls',
  async (t) => {
    const misconfigured = { status: 424, problem: 'model-misconfigured', calls: 1 }
    t.same(await logOf(t, [{ status: 401 }]), {
      ...misconfigured,
      model: 'a',
      outcome: 'refused-key',
      upstreamStatus: 401,
    })
    t.same(await logOf(t, [{ status: 401 }, { status: 404 }], { PRECIS_MODEL: 'a,b' }), {
      ...{ ...misconfigured, calls: 2, model: 'a,b' },
      ...{ outcome: 'refused-key,unknown-model', upstreamStatus: 404 },
    })
    t.same(await logOf(t, [{ text: '' }]), {
      ...{ status: 502, problem: 'model-failed', model: 'a', outcome: 'empty', upstreamStatus: undefined, calls: 2 },
    })
  },
)

t.test('a call that has not ended at the deadline was aborted', async (t) => {
  t.same(await logOf(t, [{ hang: 'before' }]), {
    ...{ status: 504, problem: 'deadline-exceeded', model: 'a', outcome: 'aborted' },
    ...{ upstreamStatus: undefined, calls: 1 },
  })
})

t.test('the error at the deadline names the model that has not answered', async (t) => {
  const { reply } = await send(t, [{ status: 503 }, { hang: 'before' }], { PRECIS_DEADLINE_MS: '20000' })
  t.equal(
    reply['detail'],
    'Timed out: no reply after 20000 ms. a: the model server did not answer in time (1 of 2 calls).',
  )
})

t.test('a degraded reply says why; a summary after a failed call is no failure', async (t) => {
  const degraded = await logOf(t, [{ status: 401 }], { PRECIS_ON_FAILURE: 'embedded' })
  t.match(degraded, { status: 200, model: 'embedded', outcome: 'refused-key', upstreamStatus: 401 })
  const text = '## Goal\nFix it.\n\n## Progress\nNothing was done yet.'
  t.match(await logOf(t, [{ status: 503 }, { text }]), { status: 200, model: 'a', outcome: undefined })
})

t.test('docs/observability.md names all outcomes', async (t) => {
  const page = readFileSync(new URL('../../docs/observability.md', import.meta.url), 'utf8')
  t.same(
    FAILURE_KINDS.filter((kind) => !page.includes(`\`${kind}\``)),
    [],
  )
})

t.test(
  'a failure of the model or of the service is logged as an error, and what the client caused is not',
  async (t) => {
    t.match((await send(t, [{ status: 401 }])).line, { status: 424, level: 50 })
    t.match((await send(t, [{ status: 400 }])).line, { status: 502, level: 50 })
    t.match((await send(t, [{ text: '## Goal\nFix it.' }])).line, { status: 200, level: 30 })
    const { app, log } = await startApp(t)
    await app.inject({ method: 'POST', url: '/handoff', payload: {} })
    t.match(JSON.parse(log().trim().split('\n').at(-1) ?? ''), { status: 400, level: 30 })
  },
)

t.test('a stream that ends with a failure is logged as an error, although its status is 200', async (t) => {
  const server = await startModelServer(t, [{ status: 401 }])
  const settings = readSettings({ OPENAI_BASE_URL: server.url, PRECIS_MODEL: 'a' })
  const { app, log } = await startApp(t, { settings, summarizer: await createSummarizer(settings, templates) })
  const headers = { accept: 'text/event-stream' }
  await app.inject({
    method: 'POST',
    url: '/handoff',
    headers,
    payload: { messages: [{ role: 'user', content: 'Fix it. '.repeat(200) }] },
  })
  t.match(JSON.parse(log().trim().split('\n').at(-1) ?? ''), { problem: 'model-misconfigured', level: 50 })
})
