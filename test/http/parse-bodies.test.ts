import { connect, type AddressInfo, type Socket } from 'node:net'
import fastify from 'fastify'
import t from 'tap'
import { createAdmission } from '../../src/http/admission.ts'
import { parseBodies, type CollectedBody } from '../../src/http/parse-bodies.ts'
import { addRequestBudget } from '../../src/http/request-budget.ts'
import { limitRequestMemory } from '../../src/http/request-memory.ts'
import { until } from '../support/until.ts'

/** Returns a body as it is collected from chunks that Node hands over one by one. */
async function collect(chunks: readonly string[]): Promise<Buffer[]> {
  const app = fastify({ bodyLimit: 10_000_000 })
  parseBodies(app)
  addRequestBudget(app, { deadlineMs: 60_000, admission: createAdmission({ concurrency: 9, queue: 9 }) })
  limitRequestMemory(app, 10_000_000, () => undefined)
  let collected: Buffer[] | undefined
  app.post('/', async ({ body }) => {
    collected = (body as CollectedBody).chunks
    return 'ok'
  })
  await app.listen({ host: '127.0.0.1', port: 0 })
  const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1')
  socket.write('POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n')
  for (const chunk of chunks) socket.write(`${chunk.length.toString(16)}\r\n${chunk}\r\n`)
  socket.write('0\r\n\r\n')
  await until(() => collected !== undefined)
  socket.destroy()
  await app.close()
  return collected ?? []
}

/** The memory that buffers keep alive. */
function memoryOf(buffers: readonly Buffer[]): number {
  let bytes = 0
  for (const { byteLength } of new Set(buffers.map(({ buffer }) => buffer))) bytes += byteLength
  return bytes
}

t.test('a body of 20,000 chunks of one byte takes twice its bytes at most, in a few buffers', async (t) => {
  const chunks = Array.from({ length: 20_000 }, (_, index) => String(index % 10))
  const collected = await collect(chunks)
  t.equal(Buffer.concat(collected).toString(), chunks.join(''))
  t.ok(collected.length < 40, `${collected.length} buffers`)
  t.ok(memoryOf(collected) <= 2 * 20_000 + Buffer.poolSize, `${memoryOf(collected)} bytes`)
})

t.test('chunks of all sizes are collected in their order', async (t) => {
  const chunks = Array.from({ length: 60 }, (_, index) => String(index % 10).repeat((index * 7919) % 100_000 || 1))
  const collected = await collect(chunks)
  t.equal(Buffer.concat(collected).toString(), chunks.join(''))
})

t.test(
  'a large body of a caller who has left jobs behind is not read before they have ended; a small one is',
  async (t) => {
    const app = fastify({ bodyLimit: 50_000_000 })
    const waiting: (() => void)[] = []
    parseBodies(app, () => new Promise((goOn) => waiting.push(goOn)))
    addRequestBudget(app, { deadlineMs: 60_000, admission: createAdmission({ concurrency: 9, queue: 9 }) })
    limitRequestMemory(app, 50_000_000, () => undefined)
    app.post('/', async ({ body }) => String(Buffer.concat((body as CollectedBody).chunks).length))
    const url = await app.listen({ host: '127.0.0.1', port: 0 })
    t.teardown(() => app.close())
    const sockets: Socket[] = []
    app.server.on('connection', (socket) => sockets.push(socket))
    const post = async (length: number) => {
      const headers = { 'content-type': 'text/plain', connection: 'close' }
      return (await fetch(url, { method: 'POST', headers, body: 'a'.repeat(length) })).text()
    }
    const large = post(40_000_000)
    await until(() => waiting.length === 1)
    for (const length of [60_000, 1, 2, 3]) t.equal(await post(length), String(length))
    t.ok((sockets[0]?.bytesRead ?? Infinity) < 1_000_000, `${sockets[0]?.bytesRead}`)
    for (const goOn of waiting) goOn()
    t.equal(await large, '40000000')
  },
)
