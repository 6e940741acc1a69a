import { connect } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import t from 'tap'
import { readSettings } from '../src/settings.ts'
import { createSummarizer } from '../src/model/create-summarizer.ts'
import { startModelServer, type RecordedRequest, type Script } from './support/model-server.ts'
import { listenApp, startApp } from './support/start-app.ts'
import { templates } from './support/templates.ts'
import { until } from './support/until.ts'

type Test = Parameters<typeof startModelServer>[0]

/** The whole service on a real socket, with a scripted model server behind it. */
async function serve(t: Test, script: Script, env: Record<string, string> = {}) {
  const model = await startModelServer(t, script)
  const settings = readSettings({
    OPENAI_BASE_URL: model.url,
    OPENAI_API_KEY: 'sk-secret-key',
    PRECIS_MODEL: 'm',
    ...env,
  })
  const app = await listenApp(t, { settings, summarizer: await createSummarizer(settings, templates) })
  return { ...app, model }
}

const post = (url: string, body: unknown) =>
  fetch(`${url}/compaction`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })

t.test('prompt form: the model server sees exactly what the client said, in one request', async (t) => {
  const { url, model } = await serve(t, ['A summary.'])
  const response = await post(url, { systemPrompt: 'sys', prompt: 'the prompt', maxTokens: 77 })
  t.match(await response.json(), { summary: 'A summary.', report: { model: 'm', calls: 1 } })
  t.strictSame(
    model.requests.map(({ body }) => body),
    [
      {
        model: 'm',
        messages: [
          { role: 'system', content: 'sys' },
          { role: 'user', content: 'the prompt' },
        ],
        max_completion_tokens: 77,
      },
    ],
  )
})

/** A client that hangs up while its model call is under way; returns once that has ended. */
async function hangUp(url: string, requests: RecordedRequest[]): Promise<void> {
  const count = requests.length
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  const body = '{"prompt":"p"}'
  const head = `POST /compaction HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${body.length}`
  socket.write(`${head}\r\n\r\n${body}`)
  await until(() => requests.length > count)
  socket.destroy()
  await requests[count]?.ended
}

// The model server never answers, and the deadline is minutes away: nothing but the hang-up can end the call.
t.test('a client that hangs up ends its model call', async (t) => {
  const { url, model, log } = await serve(t, [{ hang: 'before' }])
  for (let count = 0; count < 3; count++) await hangUp(url, model.requests)
  t.same(
    model.requests.map(({ aborted }) => aborted),
    [true, true, true],
  )
  t.equal(model.requests.length, 3, 'none is tried again')
  const logged = () => log().match(/"route":"\/compaction","status":499,"ms":\d+,"hungUp":true/g)?.length ?? 0
  await until(() => logged() >= 3)
  t.equal(logged(), 3, 'each has its log line')
  t.match(await (await fetch(`${url}/metrics`)).text(), /route="\/compaction",method="POST",status="499"} 3\n/)
})

t.test('no reply is listened to more often than Node takes for a leak', async (t) => {
  const { url } = await serve(t, [{ text: '## Goal\nDone.' }], { PRECIS_RATE_LIMIT: '1000' })
  const warnings: string[] = []
  const note = ({ message }: Error): void => void warnings.push(message)
  process.on('warning', note)
  t.teardown(() => process.off('warning', note))
  const headers = { 'content-type': 'application/json', accept: 'text/event-stream' }
  const response = await fetch(`${url}/compaction`, { method: 'POST', headers, body: '{"prompt":"p"}' })
  t.match(await response.text(), /^event: result$/m)
  t.same(warnings, [])
})

/** A session whose turn is split: history and turn prefix are summarized by a call each, at the same time. */
const SPLIT_TURN = {
  messages: ['user', 'user', 'assistant'].map((role) => ({ role, content: 'word'.repeat(50) })),
  settings: { keepRecentTokens: 60 },
}

t.test('a split turn: when one span fails for good, the reply is the failure, and its sibling is ended', async (t) => {
  const { url, model } = await serve(t, ({ body }) =>
    JSON.stringify(body).includes('Original Request') ? { hang: 'before' } : { status: 401 },
  )
  const response = await post(url, SPLIT_TURN)
  t.equal(response.status, 424)
  await until(() =>
    model.requests.every(({ body, aborted }) => !JSON.stringify(body).includes('Original Request') || aborted),
  )
})

/** Posts two sessions, waits for the state and the calls given, and returns how many model calls there are then. */
async function callsOfTwo(t: Test, env: Record<string, string>, awaited: { state: RegExp; calls: number }) {
  const { url, model, app } = await serve(t, [{ hang: 'before' }], env)
  const responses = ['One.', 'Two.'].map((customInstructions) => post(url, { ...SPLIT_TURN, customInstructions }))
  while (!awaited.state.test((await app.inject('/metrics')).body)) await delay(5)
  await until(() => model.requests.length >= awaited.calls)
  // A call too many would have started with the others; on a slow machine this can only miss it.
  await delay(50)
  const calls = model.requests.length
  await model.close()
  await Promise.all(responses)
  return calls
}

t.test('PRECIS_MODEL_CONCURRENCY limits model calls, not jobs', async (t) => {
  const env = { PRECIS_CONCURRENCY: '2', PRECIS_MODEL_CONCURRENCY: '1', PRECIS_DEADLINE_MS: '600000' }
  t.equal(await callsOfTwo(t, env, { state: /^precis_jobs_in_flight 2$/m, calls: 1 }), 1)
})

t.test('PRECIS_CONCURRENCY limits jobs, not the model calls of one job', async (t) => {
  const env = { PRECIS_CONCURRENCY: '1', PRECIS_MODEL_CONCURRENCY: '8', PRECIS_DEADLINE_MS: '600000' }
  t.equal(await callsOfTwo(t, env, { state: /^precis_jobs_waiting 1$/m, calls: 2 }), 2)
})

t.test('the deadline is kept, whatever the model server does', async (t) => {
  const { url } = await serve(t, [{ hang: 'before' }], { PRECIS_DEADLINE_MS: '150' })
  const response = await post(url, { prompt: 'p' })
  t.equal(response.status, 504)
  t.match(await response.json(), { type: 'urn:precis:problem:deadline-exceeded' })
})

const failures: [name: string, script: Script, status: number, type: string][] = [
  ['our key is refused', [{ status: 401 }], 424, 'model-misconfigured'],
  ['the prompt is too long', [{ status: 413 }], 413, 'prompt-too-large'],
  ['a refusal', [{ text: 'x', finishReason: 'content_filter' }], 502, 'model-failed'],
  ['any other 400', [{ status: 400, body: { error: { message: 'upstream secret text' } } }], 502, 'model-failed'],
]

for (const [name, script, status, type] of failures)
  t.test(`${name}: ${status} ${type}, and nothing of the upstream or the key is told or logged`, async (t) => {
    const { url, log } = await serve(t, script)
    const response = await post(url, { prompt: 'secret prompt' })
    const body = await response.text()
    t.equal(response.status, status)
    t.match(JSON.parse(body), { type: `urn:precis:problem:${type}`, title: response.statusText })
    t.notMatch(body + log(), /secret/)
  })

t.test('PRECIS_ON_FAILURE=embedded: the embedded summarizer stands in, and says so', async (t) => {
  const { url } = await serve(t, [{ status: 401 }], { PRECIS_ON_FAILURE: 'embedded' })
  const response = await post(url, { prompt: '<conversation>\n[User]: Fix it.\n</conversation>' })
  t.match(await response.json(), { summary: /Fix it\./, report: { model: 'embedded', degraded: true } })
})

t.test('/healthz says ok, /readyz takes work', async (t) => {
  const { app } = await startApp(t)
  t.strictSame(
    [(await app.inject('/healthz')).json(), (await app.inject('/readyz')).json()],
    [{ status: 'ok' }, { status: 'ready' }],
  )
})

t.test('a body that is no HTTP gets a problem, and the connection ends', async (t) => {
  const { url } = await listenApp(t)
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  socket.write('nonsense\r\n\r\n')
  let reply = ''
  for await (const chunk of socket) reply += String(chunk)
  t.match(reply, /^HTTP\/1\.1 400 Invalid request\r\nContent-Type: application\/problem\+json\r\n[^]*invalid-request/)
})
