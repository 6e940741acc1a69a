import { connect } from 'node:net'
import { openModelServer } from '../test/support/model-server.ts'
import { describeMachine } from './support/describe-machine.ts'
import { headingsOf, promptOf } from './support/forgetful-model.ts'
import { printTable } from './support/print-table.ts'
import { spawnService } from './support/spawn-service.ts'

/**
 * Shows what one caller can do to another one. First, the tenant `large` keeps 30 connections busy without a pause, and
 * `small` sends 10 requests one after another: all of them must be answered, the slowest within twice the time of one job.
 * Then four clients announce 64 MiB and send nothing, and 13 do not read replies of 20 MB: all requests of others must be
 * answered.
 */
const CONNECTIONS = 30
const REQUESTS = 10
const MODEL_MS = 300
const SESSION_BYTES = 1_000_000
const ANNOUNCED_BYTES = 64 * 1024 * 1024
const DEAF_CLIENTS = 13
const DEAF_BYTES = 20_000_000

interface Answer {
  status: number
  ms: number
}

const model = await openModelServer((request) => ({
  text: headingsOf(promptOf(request))
    .map((heading) => `${heading}\nThe parser is being written.`)
    .join('\n\n'),
  delayMs: MODEL_MS,
}))
const service = await spawnService({
  OPENAI_BASE_URL: model.url,
  PRECIS_CONCURRENCY: '2',
  PRECIS_QUEUE: '10',
  PRECIS_TOKENS: 'large,small',
  PRECIS_WORKERS: '2',
})
let sent = 0
const text = (): string => `Write the parser, step ${++sent}.`
const messages = (bytes: number): string =>
  JSON.stringify({ messages: [{ role: 'user', content: text().padEnd(bytes, ' and then the next one') }] })

console.log(`${describeMachine()}; a model call takes ${MODEL_MS} ms`)
await compareTenants('/compaction', () => JSON.stringify({ conversation: `[User]: ${text()}` }))
const session = messages(SESSION_BYTES)
await compareTenants('/compaction/plan', () => session)
await blockMemory()
await service.terminate()
await model.close()

async function compareTenants(path: string, body: () => string): Promise<void> {
  await send(path, 'small', body())
  const alone = await sendInSequence(path, body)
  let isDone = false
  const large: Answer[] = []
  const flood = Array.from({ length: CONNECTIONS }, async () => {
    while (!isDone) large.push(await send(path, 'large', body()))
  })
  await new Promise((resolve) => setTimeout(resolve, 1000))
  const contended = await sendInSequence(path, body)
  isDone = true
  await Promise.all(flood)
  console.log(`\nPOST ${path}`)
  printTable(
    ['tenant', 'answered', 'refused', 'slowest', 'mean'],
    [row('small, alone', alone), row(`small, beside ${CONNECTIONS} connections`, contended), row('large', large)],
  )
}

async function sendInSequence(path: string, body: () => string): Promise<Answer[]> {
  const answers: Answer[] = []
  for (let count = 0; count < REQUESTS; count++) answers.push(await send(path, 'small', body()))
  return answers
}

function row(name: string, answers: Answer[]): string[] {
  const answered = answers.filter(({ status }) => status === 200)
  const times = answered.map(({ ms }) => ms)
  const mean = times.reduce((sum, ms) => sum + ms, 0) / times.length
  return [
    name,
    `${answered.length} of ${answers.length}`,
    String(answers.filter(({ status }) => status === 503).length),
    `${Math.max(...times).toFixed(0)} ms`,
    `${mean.toFixed(0)} ms`,
  ]
}

async function send(path: string, token: string, body: string): Promise<Answer> {
  const startedAt = performance.now()
  const response = await fetch(service.url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body,
  })
  await response.arrayBuffer()
  return { status: response.status, ms: performance.now() - startedAt }
}

async function blockMemory(): Promise<void> {
  const port = Number(new URL(service.url).port)
  const open = (path: string, length: number, body = ''): (() => void) => {
    const socket = connect(port, '127.0.0.1').pause()
    socket.on('error', () => undefined)
    socket.write(
      `POST ${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer large\r\n` +
        `Content-Type: application/json\r\nContent-Length: ${length}\r\n\r\n${body}`,
    )
    return () => socket.destroy()
  }
  const ends = Array.from({ length: 4 }, () => open('/compaction', ANNOUNCED_BYTES))
  const large = messages(DEAF_BYTES)
  for (let count = 0; count < DEAF_CLIENTS; count++) ends.push(open('/context', Buffer.byteLength(large), large))
  await new Promise((resolve) => setTimeout(resolve, 5000))
  const answers: Answer[] = []
  for (let count = 0; count < REQUESTS; count++) answers.push(await send('/context', 'small', large))
  console.log('\nPOST /context with 20 MB, beside 4 bodies that do not come and 13 replies that are not read')
  printTable(['tenant', 'answered', 'refused', 'slowest', 'mean'], [row('small', answers)])
  for (const end of ends) end()
}
