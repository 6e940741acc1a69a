import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import { gzip as gzipWithCallback } from 'node:zlib'
import t, { type Test } from 'tap'
import { listening, runServer } from '../support/run-server.ts'

/** Requests that once closed, stopped or ended the service for all its callers, against a process of its own. */
t.jobs = 2

/** In another thread: this process measures how long others wait for their replies. */
const gzip = promisify(gzipWithCallback)

const MIB = 2 ** 20
const JSON_TYPE = { 'content-type': 'application/json' }
const GZIP = { ...JSON_TYPE, 'content-encoding': 'gzip' }
const GOOD = '{"conversation":"[User]: Fix the parser."}'

async function start(t: Test, env: Record<string, string> = {}) {
  const { output, exited } = runServer(t, { PORT: '0', ...env })
  const { url } = await Promise.race([listening(output).then((url) => ({ url })), exited.then(() => ({ url: '' }))])
  if (url === '') throw new Error(`The service does not start: ${output()}`)
  return { url, port: Number(new URL(url).port) }
}

/** Returns the status of a request. A machine with much else to do makes the event loop late, which is not the question. */
async function send(url: string, body: string | Buffer, headers: Record<string, string> = JSON_TYPE): Promise<number> {
  for (;;) {
    // A service that refuses a large body closes the connection, perhaps before its reply has been read.
    const response = await fetch(url, { method: 'POST', headers, body: body as string }).catch(() => undefined)
    const text = (await response?.text().catch(() => undefined)) ?? 'bodies'
    if (response?.status !== 503 || /bodies/i.test(text)) return response?.status ?? 0
  }
}

/** Opens a connection that sends a text, and does not read. */
async function open(t: Test, port: number, text: string): Promise<void> {
  const socket = connect(port, '127.0.0.1').pause()
  socket.on('error', () => undefined)
  t.teardown(() => socket.destroy())
  await once(socket, 'connect')
  await new Promise((resolve) => socket.write(text, resolve))
}

const head = (path: string, length: number): string =>
  `POST ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n\r\n`

t.test('bodies that are only announced shut nobody out', async (t) => {
  const { url, port } = await start(t)
  for (let count = 0; count < 4; count++) await open(t, port, head('/compaction', 64 * MIB))
  t.equal(await send(`${url}/compaction`, GOOD), 200)
})

/** Bodies of 4 MB whose values take up to thirty times as much, all of which are valid. */
const call = (list: string): string =>
  `{"messages":[{"role":"user","content":"Go."},{"role":"assistant","content":[{"type":"toolCall","id":"c","name":"bash","arguments":{"a":[${list}]}}]},{"role":"user","content":"Next."}],"settings":{"keepRecentTokens":1}}`
const fill = (part: string): string => part.repeat(Math.floor((4 * MIB - 500) / part.length))
const list = (part: string): string => fill(`${part},`) + part
const EXPLODING: [kind: string, body: string][] = [
  ['turns of a conversation', `{"conversation":"${fill('[User]: a\\n\\n')}"}`],
  ['short messages', `{"messages":[${list('{"role":"user","content":"a"}')}],"settings":{"keepRecentTokens":1}}`],
  ...['[]', '{}'].flatMap((part): [string, string][] => [
    [`${part} in an unknown field`, `{"conversation":"[User]: a","unknown":[${list(part)}]}`],
    [`${part} in preserveData`, `{"conversation":"[User]: a","preserveData":{"a":[${list(part)}]}}`],
    [`${part} in arguments`, call(list(part))],
  ]),
]

t.test('bodies that take thirty times their bytes are refused or summarized, each alone', async (t) => {
  t.equal(EXPLODING.length, 8)
  const { url } = await start(t, {
    PRECIS_BODY_LIMIT: String(4 * MIB),
    PRECIS_WORKERS: '2',
    PRECIS_WORKER_MEMORY_MB: '256',
    NODE_OPTIONS: '--max-old-space-size=192',
  })
  // Four of the largest may be in memory at the same time.
  for (const batch of [EXPLODING.slice(0, 3), EXPLODING.slice(3, 6), EXPLODING.slice(6)]) {
    const good = send(`${url}/compaction`, GOOD)
    const sent = batch.map(async ([kind, body]) => ({
      kind,
      status: await send(`${url}/compaction`, await gzip(body), GZIP),
    }))
    for (const { kind, status } of await Promise.all(sent)) t.ok([200, 413].includes(status), `${kind}: ${status}`)
    t.equal(await good, 200)
  }
  t.equal(await send(`${url}/compaction`, GOOD), 200)
})

/**
 * Returns the longest time for which no other request was answered while a request ran, as a share of its whole time. A request
 * of less than a second cannot shut anybody out.
 */
async function stallOf(url: string, body: string | Buffer, headers = JSON_TYPE): Promise<number> {
  const times = [performance.now()]
  let status = 0
  const reply = send(`${url}/compaction`, body, headers).then((sent) => {
    status = sent
  })
  while (status === 0) {
    await fetch(`${url}/healthz`).then((response) => response.text())
    times.push(performance.now())
    await delay(10)
  }
  await reply
  const gaps = times.slice(1).map((time, index) => time - (times[index] ?? time))
  const wholeMs = (times.at(-1) ?? 0) - (times[0] ?? 0)
  return wholeMs < 1000 ? 0 : Math.max(...gaps) / wholeMs
}

const entries = (message: object, ...more: object[]): string =>
  JSON.stringify({
    messages: [{ role: 'user', content: 'Go.' }, message, ...more, { role: 'user', content: 'Next.' }],
    settings: { keepRecentTokens: 1 },
  })

const HEAVY: [kind: string, body: () => string][] = [
  [
    'tags that are never closed',
    () => JSON.stringify({ conversation: `[User]: ${'<environment_context>x'.repeat(40_000)}` }),
  ],
  [
    'a line of tool calls of 1.4 MB',
    () =>
      JSON.stringify({
        conversation: `[User]: Go.\n\n[Assistant tool calls]: ${'read(path="a.ts"); '.repeat(80_000)}`,
      }),
  ],
  ['9 MB of lists in an unknown field', () => `{"conversation":"[User]: a","unknown":[${'[],'.repeat(3_000_000)}[]]}`],
]

t.test('while a heavy request is worked on, others are answered', async (t) => {
  const { url } = await start(t)
  for (const [kind, body] of HEAVY) {
    const stall = await stallOf(url, await gzip(body()), GZIP)
    t.ok(stall < 0.5, `${kind}: ${stall.toFixed(2)}`)
  }
})

const run = (command: string, output: string): string =>
  entries(
    { role: 'assistant', content: [{ type: 'toolCall', id: 'c', name: 'bash', arguments: { command } }] },
    { role: 'toolResult', toolCallId: 'c', toolName: 'bash', content: output, isError: false },
  )

t.test('a session with 250,000 commits, or with a token of 8 MB, is summarized', async (t) => {
  const { url } = await start(t)
  t.equal(await send(`${url}/compaction`, run('git commit -m m', '[main abcdef1] m\n'.repeat(250_000))), 200)
  t.equal(await send(`${url}/compaction`, run('env', `eyJ${'aB3dE5fG'.repeat(1_000_000)}`)), 200)
})

t.test('clients that do not read their replies are cut off, and their memory is free again', async (t) => {
  const length = 20 * MIB
  const { url, port } = await start(t, { PRECIS_BODY_LIMIT: String(length), PRECIS_MIN_RATE: '100000' })
  const prefix = '{"messages":[{"role":"user","content":"'
  const body = `${prefix}${'x'.repeat(length - prefix.length - 4)}"}]}`
  for (let count = 0; count < 4; count++) await open(t, port, `${head('/context', length)}${body}`)
  while ((await send(`${url}/context`, body)) !== 200) await delay(1000)
  t.equal(await send(`${url}/context`, body), 200)
})
