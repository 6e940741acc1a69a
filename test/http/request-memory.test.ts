import { request, type ServerResponse } from 'node:http'
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
import { untilAborted } from '../../src/runtime/abort.ts'
import { until } from '../support/until.ts'
import { openSocket } from '../support/sockets.ts'

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
  app.post('/', async ({ budget }) => {
    await untilAborted(new Promise<void>((resolve) => answers.push(resolve)), budget.signal)
    return 'ok'
  })
  const sent: ServerResponse[] = []
  app.post('/large', async (_incoming, reply) => {
    sent.push(reply.raw)
    return 'x'.repeat(50_000_000)
  })
  await app.listen({ host: '127.0.0.1', port: 0 })
  t.teardown(() => app.close())
  const { port } = app.server.address() as AddressInfo
  return {
    port,
    refused: () => refused,
    underWay: () => answers.length,
    written: () => sent.filter(({ writableEnded }) => writableEnded).length,
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
  { path = '/', localAddress = '127.0.0.1' } = {},
): Promise<number> {
  return new Promise((resolve, reject) => {
    const sending = request({
      ...{ port, path, localAddress, host: '127.0.0.1', method: 'POST' },
      headers: { 'content-type': 'application/json', ...headers },
    })
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
    const answer = post(port, {}, BODY, { path: '/small' })
    await until(() => underWay() === count)
    return { answer }
  })
  const answers: Promise<number>[] = []
  for (const send of held) answers.push((await send()).answer)
  answerAll()
  t.same(await Promise.all(answers), [200, 200, 200, 200, 200, 200])
})

/** Sends a request of another caller, as far as the text goes, and collects what comes back while it reads. */
const open = (t: Test, port: number, text: string, isDeaf = false) =>
  openSocket(t, port, { text, isDeaf, localAddress: '127.0.0.2' })

const head = (path: string): string =>
  `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n`

const statusOf = ({ reply }: { reply: string }): string => reply.slice(9, 12)

t.test('if all memory is used, a caller with less of it takes that of a body that is arriving', async (t) => {
  const { port, refused, underWay, answerAll } = await start(t)
  const partial = [1, 2, 3, 4, 5].map(() => open(t, port, head('/') + BODY.slice(0, 99)))
  await until(() => refused() === 1)
  t.equal(underWay(), 0)
  const other = post(port, {})
  await until(() => underWay() === 1)
  answerAll()
  t.equal(await other, 200)
  await until(() => partial.filter((one) => statusOf(one) === '503').length === 2)
  t.equal(refused(), 2)
  const others = partial.filter((one) => statusOf(one) === '')
  for (const { socket } of others) socket.write(BODY.slice(99))
  await until(() => underWay() === 3)
  answerAll()
  await until(() => others.every((one) => statusOf(one) === '200'))
  t.match(partial.map(({ reply }) => reply).join(''), /requests of this caller use more memory than those of others/)
})

t.test('the largest body passes, although a caller with more uses all memory for requests under way', async (t) => {
  const { port, underWay, answerAll } = await start(t)
  const answers: Promise<number>[] = []
  for (let count = 1; count <= 4; count++) {
    answers.push(post(port, {}, BODY, { localAddress: '127.0.0.2' }))
    await until(() => underWay() === count)
  }
  const other = post(port, {})
  await until(() => underWay() === 5)
  answerAll()
  t.equal(await other, 200)
  t.same(await Promise.all(answers), [200, 200, 200, 503], 'the newest one has ended')
})

t.test('the largest body passes, although another caller does not read its replies', async (t) => {
  const { port, written, underWay, answerAll } = await start(t)
  const deaf = [1, 2, 3, 4].map(() => open(t, port, head('/large') + BODY, true))
  await until(() => written() === 4)
  const closed = new Promise((resolve) => {
    for (const { socket } of deaf) socket.once('close', resolve)
  })
  const other = post(port, {})
  await until(() => underWay() === 1)
  answerAll()
  t.equal(await other, 200)
  for (const { socket } of deaf) socket.resume()
  await closed
})

t.test('a client that does not read its reply ends before newer work of the same caller', async (t) => {
  const { port, written, underWay, answerAll } = await start(t)
  const deaf = [1, 2].map(() => open(t, port, head('/large') + BODY, true))
  await until(() => written() === 2)
  const answers: Promise<number>[] = []
  for (let count = 1; count <= 2; count++) {
    answers.push(post(port, {}, BODY, { localAddress: '127.0.0.2' }))
    await until(() => underWay() === count)
  }
  const other = post(port, {})
  await until(() => underWay() === 3)
  answerAll()
  t.same(await Promise.all([other, ...answers]), [200, 200, 200])
  for (const { socket } of deaf) socket.destroy()
})

t.test('a caller does not take memory from callers with less', async (t) => {
  const { port, refused, underWay, answerAll } = await start(t)
  const addresses = ['127.0.0.2', '127.0.0.2', '127.0.0.3', '127.0.0.4']
  const answers: Promise<number>[] = []
  for (const localAddress of addresses) {
    answers.push(post(port, {}, BODY, { localAddress }))
    await until(() => underWay() === answers.length)
  }
  t.equal(await post(port, {}, BODY, { localAddress: '127.0.0.3' }), 503)
  t.equal(refused(), 1)
  answerAll()
  t.same(await Promise.all(answers), [200, 200, 200, 200])
})
