import t, { type Test } from 'tap'
import { readSettings } from '../../src/settings.ts'
import { createSummarizer } from '../../src/model/create-summarizer.ts'
import { ServerState } from '../../src/model/openai/call-context.ts'
import { defineMetrics } from '../../src/observe/metrics.ts'
import { observeModel } from '../../src/observe/observe-model.ts'
import { startModelServer, type Script } from '../support/model-server.ts'
import { listenApp, startApp, type StartOptions } from '../support/start-app.ts'
import { templates } from '../support/templates.ts'
import { until } from '../support/until.ts'

/** The service as it runs, with a model's server behind it. */
async function startObserved(t: Test, script: Script, options: StartOptions = {}) {
  const server = await startModelServer(t, script)
  const metrics = defineMetrics()
  const settings = readSettings({ OPENAI_BASE_URL: server.url, PRECIS_MODEL: 'm' })
  const summarizer = await createSummarizer(settings, templates, { observer: observeModel(metrics) })
  return { server, ...(await listenApp(t, { summarizer, metrics, ...options })) }
}

const post = (url: string, body: object, init: RequestInit = {}) =>
  fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body), ...init })

/** Samples that are not 0, without what takes time. */
async function samplesOf(url: string): Promise<string[]> {
  const response = await fetch(`${url}/metrics`)
  return (await response.text())
    .split('\n')
    .filter((line) => /^precis_/.test(line) && !/ 0$|_seconds_(bucket|sum)/.test(line))
    .sort()
}

t.test('what the service does is counted, by route and by model', async (t) => {
  const { url } = await startObserved(t, [
    {
      status: 400,
      body: { error: { message: 'Unsupported parameter: max_completion_tokens', param: 'max_completion_tokens' } },
    },
    { status: 500, headers: { 'retry-after': '0' } },
    'A summary.',
  ])
  t.equal((await post(`${url}/compaction`, { prompt: 'Summarize.' })).status, 200)
  t.equal((await post(`${url}/compaction`, { prompt: 'Summarize.' })).status, 200)
  t.equal((await post(`${url}/compaction`, { prompt: 7 })).status, 400)
  await fetch(`${url}/nowhere?secret=1`)
  t.same(await samplesOf(url), [
    'precis_cache_entries 1',
    'precis_cache_requests_total{result="hit"} 1',
    'precis_cache_requests_total{result="miss"} 1',
    'precis_compactions_total{route="/compaction",strategy="single"} 2',
    'precis_http_request_duration_seconds_count{route="/compaction",status="200"} 2',
    'precis_http_request_duration_seconds_count{route="/compaction",status="400"} 1',
    'precis_http_request_duration_seconds_count{route="none",status="404"} 1',
    'precis_http_requests_total{route="/compaction",method="POST",status="200"} 2',
    'precis_http_requests_total{route="/compaction",method="POST",status="400"} 1',
    'precis_http_requests_total{route="none",method="GET",status="404"} 1',
    'precis_model_call_duration_seconds_count{model="m"} 3',
    'precis_model_calls_total{model="m",outcome="ok"} 1',
    'precis_model_calls_total{model="m",outcome="parameter-refused"} 1',
    'precis_model_calls_total{model="m",outcome="server-error"} 1',
    'precis_model_retries_total{model="m"} 1',
    'precis_tokens_total{direction="in"} 100',
    'precis_tokens_total{direction="out"} 10',
  ])
})

t.test('what is under way is shown, and a call that nobody waits for any more is aborted', async (t) => {
  const { url, server } = await startObserved(t, [{ hang: 'before' }])
  const gone = new AbortController()
  const context = post(`${url}/compaction`, { prompt: 'Summarize.' }, { signal: gone.signal }).catch(() => undefined)
  await until(() => server.requests.length > 0)
  t.match(await samplesOf(url), [
    'precis_cache_requests_total{result="miss"} 1',
    'precis_jobs_in_flight 1',
    /^precis_model_calls_in_flight 1/,
  ])
  gone.abort()
  await context
  await server.requests[0]?.ended
  const samples = await samplesOf(url)
  t.ok(samples.includes('precis_model_calls_total{model="m",outcome="aborted"} 1'))
  t.notOk(samples.some((sample) => sample.startsWith('precis_model_calls_in_flight')))
})

t.test('the process is shown too, and it is text for Prometheus', async (t) => {
  const { app } = await startApp(t)
  const response = await app.inject('/metrics')
  t.match(response.headers['content-type'], /^text\/plain; version=0\.0\.4/)
  t.match(response.body, /^process_resident_memory_bytes \d+/m)
  t.match(response.body, /^nodejs_eventloop_lag_p99_seconds /m)
  t.match(response.body, /^nodejs_active_resources_total \d+/m)
  t.notMatch(response.body, /nodejs_active_(?:handles|requests)/, 'Node has aborted while it listed its handles')
})

t.test('it needs a token where tokens are set, and none of them stands in it', async (t) => {
  const { app } = await startApp(t, { settings: { tokens: ['one-token'], rateLimit: 2 } })
  t.equal((await app.inject('/metrics')).statusCode, 401)
  const headers = { authorization: 'Bearer one-token' }
  const first = await app.inject({ url: '/metrics', headers })
  t.equal(first.statusCode, 200)
  await app.inject({ url: '/metrics', headers })
  t.equal((await app.inject({ url: '/metrics', headers })).statusCode, 429)
  t.notMatch(first.body, 'one-token')
})

t.test('what is refused because of load is counted by its reason, and metrics are not refused', async (t) => {
  const { app } = await startApp(t, { settings: { concurrency: 0, queue: 0 } })
  const response = await app.inject({ method: 'POST', url: '/compaction', payload: { prompt: 'p' } })
  t.equal(response.statusCode, 503)
  const { statusCode, body } = await app.inject('/metrics')
  t.equal(statusCode, 200)
  t.match(body, 'precis_refused_total{reason="queue-full"} 1')
})

t.test('a model server that cannot be reached is named in the log and by /readyz, until it is reached', async (t) => {
  const env = { OPENAI_API_KEY: 'sk-secret', OPENAI_BASE_URL: 'http://127.0.0.1:1/v1', PRECIS_MODEL: 'm' }
  const settings = readSettings(env)
  const summarizer = await createSummarizer(settings, templates, { time: { wait: async () => undefined } })
  const { app, log } = await startApp(t, { settings, summarizer })
  t.same((await app.inject('/readyz')).json(), { status: 'ready' })
  const reply = await app.inject({ method: 'POST', url: '/compaction', payload: { prompt: 'p' } })
  t.match(reply.json(), { status: 502, detail: 'm: the model server cannot be reached (ECONNREFUSED).' })
  t.match(
    log(),
    '"model":"m","outcome":"dropped","problem":"model-failed","modelServer":"127.0.0.1:1","modelError":"ECONNREFUSED"',
  )
  const { status, modelServer } = (await app.inject('/readyz')).json()
  t.same([status, modelServer], ['ready', { host: '127.0.0.1:1', cause: 'ECONNREFUSED' }])
})

t.test('a server that was unreachable is forgotten after a call that had a reply, and after ten minutes', async (t) => {
  let nowMs = 0
  const server = new ServerState(() => nowMs)
  t.equal(server.unreachable(), undefined)
  server.note('models.example', { kind: 'dropped', unreachable: 'ENOTFOUND' })
  t.same(server.unreachable(), { host: 'models.example', cause: 'ENOTFOUND' })
  nowMs += 600_001
  t.equal(server.unreachable(), undefined)
  server.note('models.example', { kind: 'dropped', unreachable: 'ENOTFOUND' })
  server.note('models.example', { kind: 'server-error', status: 500 })
  t.equal(server.unreachable(), undefined)
})

t.test('GET /health, which gateways ask a compressor for, is the liveness probe', async (t) => {
  const { app } = await startApp(t, { settings: { tokens: ['one'], rateLimit: 1 } })
  for (let count = 0; count < 2; count++) {
    const { statusCode, body } = await app.inject('/health')
    t.same([statusCode, body], [200, (await app.inject('/healthz')).body])
  }
})
