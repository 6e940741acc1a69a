import { request } from 'node:http'
import { connect, type AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import fastifyCompress from '@fastify/compress'
import fastify from 'fastify'
import t, { type Test } from 'tap'
import { handleErrors } from '../../src/http/problems.ts'
import { createAdmission } from '../../src/http/admission.ts'
import { parseBodies } from '../../src/http/parse-bodies.ts'
import { addRequestBudget } from '../../src/http/request-budget.ts'
import { limitRequestMemory } from '../../src/http/request-memory.ts'
import { until } from '../support/until.ts'

/** A service that takes bodies of 100 bytes, so holds 400, and answers when it is told to. */
async function start(t: Test) {
  const app = fastify({ bodyLimit: 100 })
  await app.register(fastifyCompress, { globalCompression: false })
  handleErrors(app)
  let refused = 0
  parseBodies(app)
  addRequestBudget(app, { deadlineMs: 60_000, admission: createAdmission({ concurrency: 9, queue: 9 }) })
  limitRequestMemory(app, 100, () => refused++)
  const answers: (() => void)[] = []
  app.post('/small', async (incoming) => {
    incoming.memory.replace(10)
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
          headers: { 'content-type': 'application/json', ...headers },
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

t.test('a length that is only announced counts for nothing', async (t) => {
  const { port, underWay, answerAll } = await start(t)
  const sockets = [1, 2, 3, 4, 5].map(() => {
    const socket = connect(port, '127.0.0.1')
    socket.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n')
    return socket
  })
  const answer = post(port, { 'content-length': BODY.length })
  await until(() => underWay() === 1)
  answerAll()
  t.equal(await answer, 200)
  for (const socket of sockets) socket.destroy()
})

t.test('a request counts with what it holds once a job has read its body', async (t) => {
  const { port, underWay, answerAll } = await start(t)
  const held = [1, 2, 3, 4, 5, 6].map((count) => async () => {
    const answer = post(port, {}, BODY, '/small')
    await until(() => underWay() === count)
    return { answer }
  })
  const answers: Promise<number>[] = []
  for (const send of held) answers.push((await send()).answer)
  answerAll()
  t.same(await Promise.all(answers), [200, 200, 200, 200, 200, 200])
})
