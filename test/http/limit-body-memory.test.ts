import { request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import fastifyCompress from '@fastify/compress'
import fastify from 'fastify'
import t, { type Test } from 'tap'
import { handleErrors } from '../../src/http/problems.ts'
import { limitBodyMemory, maxReservedBytes } from '../../src/http/limit-body-memory.ts'
import { until } from '../support/until.ts'

/** A service that takes bodies of 100 bytes, so holds 400, and answers when it is told to. */
async function start(t: Test) {
  const app = fastify({ bodyLimit: 100 })
  await app.register(fastifyCompress, { globalCompression: false })
  handleErrors(app)
  let refused = 0
  limitBodyMemory(app, 100, () => refused++)
  const answers: (() => void)[] = []
  app.post('/elements', async (incoming) => {
    incoming.reserveElements(incoming.body as number)
    await new Promise<void>((resolve) => answers.push(resolve))
    return 'ok'
  })
  app.post('/', async () => {
    await new Promise<void>((resolve) => answers.push(resolve))
    return 'ok'
  })
  await app.listen({ host: '127.0.0.1', port: 0 })
  t.teardown(() => app.close())
  const { port } = app.server.address() as AddressInfo
  return {
    port,
    refused: () => refused,
    underWay: () => answers.length,
    answerAll: () => {
      for (const answer of answers.splice(0)) answer()
    },
  }
}

const BODY = JSON.stringify('x'.repeat(98))

function post(
  port: number,
  headers: Record<string, string | number>,
  body: string | Buffer = BODY,
  path = '/',
): Promise<number> {
  return new Promise((resolve, reject) => {
    const sending = request({ port, path, method: 'POST', headers: { 'content-type': 'application/json', ...headers } })
    sending.on('error', reject)
    sending.on('response', (response) => {
      response.resume().on('end', () => {
        resolve(response.statusCode ?? 0)
      })
    })
    sending.end(body)
  })
}

/** How a body may come. */
const WAYS: [name: string, send: (port: number) => Promise<number>][] = [
  ['with its length', (port) => post(port, { 'content-length': BODY.length })],
  ['in chunks', (port) => post(port, { 'transfer-encoding': 'chunked' })],
  ['compressed', (port) => post(port, { 'content-encoding': 'gzip' }, gzipSync(BODY))],
]

for (const [name, send] of WAYS)
  t.test(`bodies that come ${name} are held up to four of the largest, and the next one is refused`, async (t) => {
    const { port, refused, underWay, answerAll } = await start(t)
    const held = [1, 2, 3, 4].map(() => send(port))
    await until(() => underWay() === 4)
    t.equal(await send(port), 503)
    t.equal(refused(), 1)
    answerAll()
    t.same(await Promise.all(held), [200, 200, 200, 200])
    const next = send(port)
    await until(() => underWay() === 1)
    answerAll()
    t.equal(await next, 200)
  })

t.test(
  'a compressed body that is refused for its size is forgotten at once, whatever it would have become',
  async (t) => {
    const { port, underWay, answerAll } = await start(t)
    const bomb = gzipSync(Buffer.alloc(10_000_000, ' '))
    const send = (body: Buffer, headers = {}): Promise<number> =>
      new Promise((resolve, reject) => {
        const context = request({
          port,
          method: 'POST',
          host: '127.0.0.1',
          headers: { 'content-type': 'text/plain', ...headers },
        })
        context.on('response', (response) => {
          response.resume()
          resolve(response.statusCode ?? 0)
        })
        context.on('error', reject)
        context.end(body)
      })
    for (let count = 0; count < 6; count++) t.equal(await send(bomb, { 'content-encoding': 'gzip' }), 413)
    const held = [1, 2, 3, 4].map(() => send(Buffer.alloc(100, ' ')))
    await until(() => underWay() === 4)
    answerAll()
    t.same(await Promise.all(held), [200, 200, 200, 200])
  },
)

t.test('four of the largest bodies are held where the heap has room for them, and always one', async (t) => {
  const MIB = 2 ** 20
  t.equal(maxReservedBytes(64 * MIB, 4096 * MIB), 256 * MIB)
  t.equal(maxReservedBytes(64 * MIB, 2000 * MIB), 200 * MIB)
  t.equal(maxReservedBytes(64 * MIB, 300 * MIB), 64 * MIB)
})

t.test('elements of a session count too, however small they are', async (t) => {
  const { port, underWay, answerAll, refused } = await start(t)
  const send = (count: string): Promise<number> => post(port, {}, count, '/elements')
  t.equal(await send('3'), 413, 'three would fill more than there is, whoever else is served')
  const first = send('2')
  await until(() => underWay() === 1)
  t.equal(await send('1'), 503)
  t.equal(refused(), 1)
  answerAll()
  t.equal(await first, 200)
  const second = send('1')
  await until(() => underWay() === 1)
  answerAll()
  t.equal(await second, 200)
})
