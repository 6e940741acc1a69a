import { request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import t from 'tap'
import { entriesBody, sendBody, SESSION_ROUTES, startEmbedded } from '../support/send-body.ts'

const MIB = 2 ** 20

t.test('deep nesting is a fault of the request or is read, and ends nothing', async (t) => {
  const { url } = await startEmbedded(t)
  const deep = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth)
  const call = (depth: number): string =>
    `{"type":"message","id":"b","parentId":"a","message":{"role":"assistant","content":[{"type":"toolCall","id":"c","name":"read","arguments":${deep(depth)}}]}}`
  for (const route of SESSION_ROUTES)
    for (const body of [
      deep(200_000),
      `{"prompt":${deep(100_000)}}`,
      entriesBody(call(100_000)),
      entriesBody(call(2_000)),
    ]) {
      const { status } = await sendBody(url + route, body)
      t.ok([200, 400, 422].includes(status), `${route} ${status}`)
    }
  t.equal((await fetch(`${url}/healthz`)).status, 200)
})

t.test('lone surrogates, numbers that are none, __proto__ and twice the same key', async (t) => {
  const { url } = await startEmbedded(t)
  const cases: [body: string, status: number][] = [
    [
      '{"messages":[{"role":"user","content":"\\ud800 \\udc00"},{"role":"user","content":"b"}],"settings":{"keepRecentTokens":1}}',
      200,
    ],
    ['{"entries":[],"settings":{"keepRecentTokens":NaN}}', 400],
    ['{"entries":[],"settings":{"keepRecentTokens":1e999}}', 400],
    ['{"entries":[],"settings":{"keepRecentTokens":"1"}}', 400],
    ['{"__proto__":{"prompt":"p"}}', 422],
    ['{"prompt":"p","__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}', 200],
    ['{"prompt":7,"prompt":"The later one counts."}', 200],
    ['{"prompt":"p","prompt":7}', 400],
  ]
  for (const [body, status] of cases) t.equal((await sendBody(`${url}/compaction`, body)).status, status, body)
  t.equal(({} as { polluted?: boolean }).polluted, undefined)
})

t.test('bytes that are no UTF-8 are read as their replacement', async (t) => {
  const { url } = await startEmbedded(t)
  const bytes = Buffer.concat([Buffer.from('{"prompt":"a'), Buffer.from([0xff, 0xc3, 0x28]), Buffer.from('b"}')])
  t.equal((await sendBody(`${url}/compaction`, bytes)).status, 200)
})

const MEMBER = gzipSync(Buffer.alloc(MIB, ' '))

t.test('a gzip bomb is refused at the body limit, not after it', async (t) => {
  // A gzip file may be many, one behind the other.
  const bomb = Buffer.concat(Array.from({ length: 200 }, () => MEMBER))
  const { url } = await startEmbedded(t, { bodyLimitBytes: MIB })
  const before = process.memoryUsage().rss
  const { status, type } = await sendBody(`${url}/compaction`, bomb, { 'content-encoding': 'gzip' })
  t.same([status, type], [413, 'body-too-large'])
  t.ok(process.memoryUsage().rss - before < 100 * MIB)
})

t.test('a body that is told longer than it is, or shorter, stops nothing', async (t) => {
  const { app, url } = await startEmbedded(t)
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
    context.write('{"prompt":', () => context.destroy())
  })
  t.equal((await fetch(`${url}/healthz`)).status, 200)
})
