import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { pathToFileURL } from 'node:url'
import t, { type Test } from 'tap'
import { JobRunner } from '../../src/jobs/job-runner.ts'
import { WorkerPool } from '../../src/runtime/worker-pool.ts'
import { compiled } from '../support/compile-source.ts'
import { conversation } from '../support/gateway.ts'
import { listenApp, startApp } from '../support/start-app.ts'
import { until } from '../support/until.ts'

const WORKER = pathToFileURL(compiled('src/worker.ts'))
const NDJSON = { 'content-type': 'application/x-ndjson' }
const JSON_TYPE = { 'content-type': 'application/json' }
const SESSION = readFileSync(new URL('../../examples/session.jsonl', import.meta.url), 'utf8')

const message = (length: number): object => ({ role: 'user', content: [{ type: 'text', text: 'é'.repeat(length) }] })

function openPool(t: Test, memoryMb = 1024): WorkerPool {
  const pool = new WorkerPool({ script: WORKER, workers: 1, memoryMb })
  t.teardown(() => {
    pool.close()
  })
  return pool
}

/** Nested arrays, whose values take some thirty times their bytes. */
const EXPLODING = `{"messages":[{"role":"user","content":"x"}],"unknown":[${'[],'.repeat(7_000_000)}[]]}`

t.test('a worker replies as the main process does', async (t) => {
  const { app: inline } = await startApp(t)
  const { app } = await startApp(t, { jobs: new JobRunner(openPool(t)) })
  for (const url of ['/compaction/plan?contextWindow=50000', '/context']) {
    const ask = { method: 'POST' as const, url, headers: NDJSON, payload: SESSION }
    t.same((await app.inject(ask)).json(), (await inline.inject(ask)).json(), url)
  }
  const words = { role: 'user', content: `Fix it. ${'Then the next one. '.repeat(2000)}` }
  const ask = { method: 'POST' as const, url: '/v1/responses/compact', payload: { model: 'm', input: [words] } }
  const headers = { 'x-precis-items': 'messages' }
  const outputOf = async (one: typeof app) =>
    (await one.inject({ ...ask, headers })).json<{ output: unknown[] }>().output
  t.same(await outputOf(app), await outputOf(inline), 'a worker knows what the headers have chosen')
  t.match(await outputOf(app), [{ role: 'user' }, { role: 'user', type: 'message' }])
  const chat = { messages: conversation(30), token_budget: 3000 }
  const compressed = { method: 'POST' as const, url: '/v1/compress', payload: chat }
  t.same((await app.inject(compressed)).json(), (await inline.inject(compressed)).json())
  t.match((await app.inject(compressed)).json(), { transforms_applied: ['precis:summary'] })
  const broken = JSON.stringify({ messages: [{ role: 'user', content: 7 }], padding: 'x'.repeat(100_000) })
  const refused = { method: 'POST' as const, url: '/context', headers: JSON_TYPE, payload: broken }
  const [fromWorker, fromInline] = [await app.inject(refused), await inline.inject(refused)]
  t.equal(fromWorker.statusCode, 400)
  t.same(fromWorker.json(), fromInline.json())
})

t.test('a body that needs more memory than a worker may use is refused alone', async (t) => {
  const { app } = await startApp(t, { jobs: new JobRunner(openPool(t, 256)) })
  const ask = (payload: string, headers: object) =>
    app.inject({ method: 'POST', url: '/compaction/plan', headers: { ...headers }, payload })
  const [huge, good] = await Promise.all([ask(EXPLODING, JSON_TYPE), ask(SESSION, NDJSON)])
  t.equal(huge.statusCode, 413)
  t.match(huge.json(), { type: 'urn:precis:problem:body-too-large', detail: /PRECIS_WORKER_MEMORY_MB/ })
  t.equal(good.statusCode, 200)
})

t.test('a job ends at the deadline of its request', async (t) => {
  const pool = openPool(t)
  const { app } = await startApp(t, { jobs: new JobRunner(pool), settings: { deadlineMs: 1 } })
  const response = await app.inject({ method: 'POST', url: '/compaction/plan', headers: NDJSON, payload: SESSION })
  t.equal(response.statusCode, 504)
  t.match(response.json(), { type: 'urn:precis:problem:deadline-exceeded' })
})

t.test('a job that runs when the service shuts down is finished', async (t) => {
  const pool = openPool(t)
  const { app, url } = await listenApp(t, { jobs: new JobRunner(pool) })
  const reply = fetch(`${url}/compaction/plan`, { method: 'POST', headers: NDJSON, body: SESSION })
  await until(() => pool.counts().inFlight === 1)
  await app.close()
  t.equal((await reply).status, 200)
})

t.test('a large reply is whole, and its length stands in the head', async (t) => {
  const { url } = await listenApp(t)
  const messages = Array.from({ length: 200 }, () => message(3000))
  const headers = { 'content-type': 'application/json' }
  const response = await fetch(`${url}/context`, { method: 'POST', headers, body: JSON.stringify({ messages }) })
  const body = await response.text()
  t.equal(response.headers.get('content-type'), 'application/json; charset=utf-8')
  t.equal(Number(response.headers.get('content-length')), Buffer.byteLength(body))
  t.same(JSON.parse(body), { messages })
})

t.test('a client that hangs up amid a large reply leaves one log line, and a service that lives', async (t) => {
  const { url, log } = await listenApp(t)
  const body = JSON.stringify({ messages: Array.from({ length: 2000 }, () => message(3000)) })
  const head = `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}`
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  socket.write(`POST /context HTTP/1.1\r\nHost: localhost\r\n${head}\r\n\r\n${body}`)
  await once(socket, 'data')
  socket.destroy()
  await until(() => log().includes('/context'))
  t.equal((await fetch(`${url}/healthz`)).status, 200)
  const lines = log().trim().split('\n')
  t.equal(lines.filter((line) => line.includes('"route":"/context"')).length, 1)
  t.notMatch(log(), /"level":(40|50|60)/)
})
