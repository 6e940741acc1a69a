import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import t, { type Test } from 'tap'
import { JobRunner } from '../../src/jobs/job-runner.ts'
import { WorkerPool } from '../../src/runtime/worker-pool.ts'
import { compiled } from '../support/compile-source.ts'
import { fakeSummarizer } from '../support/fake-summarizer.ts'
import { listenApp } from '../support/start-app.ts'
import { until } from '../support/until.ts'

const WORKER = pathToFileURL(compiled('src/worker.ts'))

const TOKENS = ['token-of-large', 'token-of-small']

async function send(url: string, token: string, body: string): Promise<number> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer token-of-${token}` },
    body,
  })
  await response.arrayBuffer()
  return response.status
}

/** Sends ten requests of one caller, one after another, while another one keeps 15 connections busy: more than are worked on and wait. */
async function sendBesideFlood(url: string, bodyOf: (token: string) => string): Promise<number[]> {
  let isDone = false
  let answered = 0
  const flood = Array.from({ length: 15 }, async () => {
    while (!isDone) if ((await send(url, 'large', bodyOf('large'))) === 200) answered += 1
  })
  await until(() => answered > 2)
  const statuses: number[] = []
  while (statuses.length < 10) statuses.push(await send(url, 'small', bodyOf('small')))
  isDone = true
  await Promise.all(flood)
  return statuses
}

const TEN_ANSWERS = Array.from({ length: 10 }, () => 200)

t.test('a caller that fills the queue delays the jobs of another one by one job at most', async (t) => {
  const waiting = new Set<object>()
  let overtaken = 0
  const summarizer = fakeSummarizer(async ({ prompt }, budget) => {
    const isSmall = prompt.includes('small')
    if (isSmall) waiting.add(budget)
    await budget.slot?.acquire(budget.signal)
    if (isSmall) waiting.delete(budget)
    else overtaken += waiting.size
    await new Promise((resolve) => setTimeout(resolve, 5))
    return '## Goal\nDone.'
  })
  const settings = { concurrency: 2, queue: 10, tokens: TOKENS }
  const { url } = await listenApp(t, { summarizer, settings })
  const statuses = await sendBesideFlood(`${url}/compaction`, (token) => JSON.stringify({ conversation: token }))
  t.same(statuses, TEN_ANSWERS)
  t.equal(overtaken, 0, 'the next place that is free is for the caller without jobs')
})

t.test('a caller that keeps all workers busy does not shut out another one', async (t) => {
  const pool = new WorkerPool({ script: WORKER, workers: 1, memoryMb: 512 })
  t.teardown(() => {
    pool.close()
  })
  const { url } = await listenApp(t, { settings: { tokens: TOKENS }, jobs: new JobRunner(pool) })
  const content = 'Write the parser. '.repeat(2000)
  const body = JSON.stringify({ messages: [{ role: 'user', content }] })
  t.same(await sendBesideFlood(`${url}/compaction/plan`, () => body), TEN_ANSWERS)
})

t.test(
  'the next large body of a caller whose left job has the only worker is not read, and others are answered',
  async (t) => {
    const file = join(t.testdir({ begun: '' }), 'begun')
    const script = pathToFileURL(compiled('test/support/job-worker.ts'))
    const options = { workers: 1, memoryMb: 512, hasSpare: true, graceMs: 600_000 }
    const pool = new WorkerPool({ script, args: [file, 'loop', '1'], ...options })
    const { app, url, log } = await listenApp(t, { settings: { tokens: TOKENS }, jobs: new JobRunner(pool) })
    // Before the service, which waits for the request that is not read.
    t.teardown(() => {
      pool.close()
    })
    const body = JSON.stringify({ conversation: 'a'.repeat(LARGE_BYTES) })
    const left = open(t, url, { path: '/compaction', length: body.length, body })
    await until(() => readFileSync(file).length === 1)
    left.destroy()
    await until(() => /"hungUp":true/.test(log()))
    const sockets: Socket[] = []
    app.server.on('connection', (socket: Socket) => sockets.push(socket))
    open(t, url, { path: '/compaction', length: body.length, body })
    // The worker of the test does no work of requests: its answer makes no sense.
    t.equal(await send(`${url}/compaction`, 'small', JSON.stringify({ conversation: 'a'.repeat(10_000) })), 500)
    t.ok((sockets[0]?.bytesRead ?? Infinity) < 1_000_000, `${sockets[0]?.bytesRead}`)
  },
)

/** The size of a reply that the buffers of a connection do not hold. */
const LARGE_BYTES = 16_000_000

function open(
  t: Test,
  url: string,
  { path, length, body = '' }: { path: string; length: number; body?: string },
): Socket {
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  socket.on('error', () => undefined)
  t.teardown(() => socket.destroy())
  socket.write(
    `POST ${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer token-of-large\r\n` +
      `Content-Type: application/json\r\nContent-Length: ${length}\r\n\r\n${body}`,
  )
  return socket
}

t.test('bodies that do not come and replies that are not read keep no memory from another caller', async (t) => {
  const settings = { tokens: TOKENS, bodyLimitBytes: LARGE_BYTES + 1000, minRate: 0 }
  const { url, log } = await listenApp(t, { settings })
  for (let count = 0; count < 4; count++) open(t, url, { path: '/compaction', length: LARGE_BYTES })
  const body = JSON.stringify({ messages: [{ role: 'user', content: 'x'.repeat(LARGE_BYTES) }] })
  for (let count = 0; count < 4; count++) {
    const deaf = open(t, url, { path: '/context', length: body.length, body })
    await once(deaf, 'readable')
  }
  t.equal(await send(`${url}/context`, 'small', body), 200)
  await until(() => /"status":200,[^\n]*"hungUp":true,[^\n]*"problem":"overloaded"/.test(log()))
})
