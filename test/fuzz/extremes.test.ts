import { request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import t from 'tap'
import type { Test } from 'tap'
import { readConfig } from '../../src/config.ts'
import { createSummarizer } from '../../src/model/create-summarizer.ts'
import { listenApp, templates } from '../support/start-app.ts'

const ROUTES = ['/compaction', '/compaction/plan', '/prune', '/context', '/handoff']
const MIB = 2 ** 20

/**
 * The service as it runs without a model. Large bodies are made before it, and each has one of its own: it shares its process
 * with the test, and a service whose process was kept busy refuses all that comes for a second.
 */
const start = async (t: Test, config = {}) =>
  listenApp(t, { summarizer: await createSummarizer(readConfig({}), templates), config })

interface Sent {
  status: number
  type: string
}

async function post(url: string, body: string | Uint8Array, headers: Record<string, string> = {}): Promise<Sent> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: body as string,
  })
  const reply = (await response.json()) as { type?: string }
  return { status: response.status, type: reply.type?.split(':').at(-1) ?? '' }
}

const entries = (messages: string): string =>
  `{"entries":[{"type":"message","id":"a","parentId":null,"message":{"role":"user","content":"Go."}},${messages}]}`

t.test('deep nesting is a fault of the request or is read, and ends nothing', async (t) => {
  const { url } = await start(t)
  const deep = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth)
  const call = (depth: number): string =>
    `{"type":"message","id":"b","parentId":"a","message":{"role":"assistant","content":[{"type":"toolCall","id":"c","name":"read","arguments":${deep(depth)}}]}}`
  for (const route of ROUTES)
    for (const body of [deep(200_000), `{"prompt":${deep(100_000)}}`, entries(call(100_000)), entries(call(2_000))]) {
      const { status } = await post(url + route, body)
      t.ok([200, 400, 422].includes(status), `${route} ${status}`)
    }
  t.equal((await fetch(`${url}/healthz`)).status, 200)
})

// What takes longer than in proportion to its length would take minutes here.
t.test('a line of ten million characters is summarized, cut, pruned and planned', async (t) => {
  const output = JSON.stringify('x'.repeat(5_000_000) + '😀 '.repeat(1_666_666))
  const body = entries(
    `{"type":"message","id":"b","parentId":"a","message":{"role":"assistant","content":[{"type":"toolCall","id":"c","name":"bash","arguments":{"command":"cat big"}}]}},` +
      `{"type":"message","id":"c","parentId":"b","message":{"role":"toolResult","toolCallId":"c","toolName":"bash","content":[{"type":"text","text":${output}}],"isError":true}},` +
      `{"type":"message","id":"d","parentId":"c","message":{"role":"user","content":"Next."}}`,
  )
  const bodies: [route: string, body: string][] = ROUTES.map((route) => [route, body])
  bodies.push(['/compaction', JSON.stringify({ conversation: `[User]: ${'y'.repeat(10_000_000)}` })])
  for (const [route, body] of bodies) {
    const { url } = await start(t)
    t.equal((await post(url + route, body)).status, 200, route)
  }
})

// `npm run fuzz` sends a million.
t.test('a hundred thousand tiny entries are planned and compacted', async (t) => {
  const lines = Array.from(
    { length: 100_000 },
    (_, index) => `{"type":"message","message":{"role":"user","content":"${index}"}}`,
  ).join('\n')
  for (const route of ['/compaction/plan', '/compaction']) {
    const { url } = await start(t)
    const { status } = await post(url + route, lines, { 'content-type': 'application/x-ndjson' })
    t.equal(status, 200, route)
  }
})

t.test('lone surrogates, numbers that are none, __proto__ and twice the same key', async (t) => {
  const { url } = await start(t)
  const cases: [body: string, status: number][] = [
    [
      '{"messages":[{"role":"user","content":"\\ud800 \\udc00"},{"role":"user","content":"b"}],"settings":{"keepRecentTokens":1}}',
      200,
    ],
    ['{"entries":[],"settings":{"keepRecentTokens":NaN}}', 400],
    ['{"entries":[],"settings":{"keepRecentTokens":1e999}}', 400],
    ['{"entries":[],"settings":{"keepRecentTokens":"1"}}', 400],
    ['{"__proto__":{"prompt":"p"}}', 400],
    ['{"prompt":"p","__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}', 200],
    ['{"prompt":7,"prompt":"The later one counts."}', 200],
    ['{"prompt":"p","prompt":7}', 400],
  ]
  for (const [body, status] of cases) t.equal((await post(`${url}/compaction`, body)).status, status, body)
  t.equal(({} as { polluted?: boolean }).polluted, undefined)
})

t.test('bytes that are no UTF-8 are read as their replacement', async (t) => {
  const { url } = await start(t)
  const bytes = Buffer.concat([Buffer.from('{"prompt":"a'), Buffer.from([0xff, 0xc3, 0x28]), Buffer.from('b"}')])
  t.equal((await post(`${url}/compaction`, bytes)).status, 200)
})

t.test('a gzip bomb is refused at the body limit, not after it', async (t) => {
  const bomb = gzipSync(Buffer.alloc(200 * MIB, ' '))
  const { url } = await start(t, { bodyLimitBytes: MIB })
  const before = process.memoryUsage().rss
  const { status, type } = await post(`${url}/compaction`, bomb, { 'content-encoding': 'gzip' })
  t.same([status, type], [413, 'body-too-large'])
  t.ok(process.memoryUsage().rss - before < 100 * MIB)
})

t.test('a body that is told longer than it is, or shorter, stops nothing', async (t) => {
  const { app, url } = await start(t)
  const { port } = app.server.address() as AddressInfo
  await new Promise<void>((resolve) => {
    const context = request({
      port,
      host: '127.0.0.1',
      method: 'POST',
      path: '/compaction',
      headers: { 'content-length': 50, 'content-type': 'application/json' },
    })
    context.on('error', () => {
      resolve()
    })
    context.write('{"prompt":')
    setTimeout(() => context.destroy(), 50)
  })
  t.equal((await fetch(`${url}/healthz`)).status, 200)
})
