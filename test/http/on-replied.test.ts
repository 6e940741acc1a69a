import { once } from 'node:events'
import { connect } from 'node:net'
import { Readable } from 'node:stream'
import { setTimeout as delay } from 'node:timers/promises'
import fastify from 'fastify'
import t from 'tap'
import { answerBrokenRequests } from '../../src/http/answer-broken-requests.ts'
import { onReplied } from '../../src/http/on-replied.ts'

/** A reply that never ends. */
async function* forever() {
  for (;;) {
    yield 'x'.repeat(65_536)
    await delay(1)
  }
}

function build() {
  const app = fastify({ clientErrorHandler: answerBrokenRequests })
  app.post('/read', async () => 'All of it.')
  const told: [url: string, status: number, hungUp: boolean][] = []
  onReplied(app, [({ url }, { status, hungUp }) => told.push([url, status, hungUp])])
  app.get('/text', async () => 'All of it.')
  app.get('/stream', async (_request, reply) => reply.send(Readable.from(['All ', 'of it.'])))
  app.get('/large', async () => 'x'.repeat(50_000_000))
  app.get('/forever', async (_request, reply) => reply.send(Readable.from(forever())))
  let late = 0
  app.get('/late', async (_request, reply) => {
    late += 1
    await once(reply.raw, 'close')
    return reply.code(499).send()
  })
  return { app, told, isLate: () => late > 0 }
}

t.test('what was sent is told of once', async (t) => {
  const { app, told } = build()
  t.teardown(() => app.close())
  const url = await app.listen({ host: '127.0.0.1', port: 0 })
  for (const path of ['/text', '/stream', '/nowhere']) await (await fetch(url + path)).text()
  t.same(told, [
    ['/text', 200, false],
    ['/stream', 200, false],
    ['/nowhere', 404, false],
  ])
})

t.test('a request that turns out to be no HTTP is told of with what it was answered', async (t) => {
  const { app, told } = build()
  t.teardown(() => app.close())
  const { port } = new URL(await app.listen({ host: '127.0.0.1', port: 0 }))
  const socket = connect(Number(port), '127.0.0.1')
  socket.write(
    'POST /read HTTP/1.1\r\nHost: x\r\nContent-Type: text/plain\r\nTransfer-Encoding: chunked\r\n\r\nZZZ\r\n',
  )
  const [reply] = (await once(socket, 'data')) as [Buffer]
  t.match(reply.toString(), /^HTTP\/1\.1 400 /)
  while (told.length === 0) await delay(2)
  t.same(told, [['/read', 400, false]])
})

t.test('what is done after a reply ends nothing where it fails, and keeps nothing else from being done', async (t) => {
  const app = fastify()
  const told: number[] = []
  const fail = (): void => {
    throw new Error('broken')
  }
  onReplied(app, [fail, (_request, { status }) => told.push(status)])
  app.get('/', async () => 'All of it.')
  t.equal((await app.inject('/')).statusCode, 200)
  t.same(told, [200])
})

t.test('a client that hangs up amid a reply, or before it, is told of once', async (t) => {
  const { app, told, isLate } = build()
  t.teardown(() => app.close())
  const { port } = new URL(await app.listen({ host: '127.0.0.1', port: 0 }))
  const hangUp = async (path: string, isReady: () => boolean): Promise<void> => {
    const count = told.length
    const socket = connect(Number(port), '127.0.0.1')
    socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`)
    socket.resume()
    while (socket.bytesRead === 0 && !isReady()) await delay(2)
    socket.destroy()
    while (told.length === count) await delay(2)
  }
  await hangUp('/large', () => false)
  await hangUp('/forever', () => false)
  await hangUp('/late', isLate)
  await delay(20)
  t.same(told, [
    ['/large', 200, true],
    ['/forever', 200, true],
    ['/late', 499, true],
  ])
})
