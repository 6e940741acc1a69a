import { createServer } from 'node:http'
import { connect } from 'node:net'
import t, { type Test } from 'tap'
import { setTimeout as delay } from 'node:timers/promises'
import { once } from 'node:events'
import { Readable } from 'node:stream'
import fastify from 'fastify'
import { answerBrokenRequests, keepReplyOrder, onReplyEnd } from '../../src/http/reply-order.ts'
import { fakeSummarizer } from '../support/fake-summarizer.ts'
import { listenApp } from '../support/start-app.ts'
import { rejectOnAbort, until } from '../support/until.ts'
import { openSocket, listenOn } from '../support/sockets.ts'

/** A server that waits for a request as the service does. */
async function listen(t: Test, requestTimeout = 60_000): Promise<number> {
  const server = createServer({ requestTimeout, headersTimeout: requestTimeout, connectionsCheckingInterval: 20 })
  server.on('clientError', answerBrokenRequests)
  return listenOn(t, server)
}

/** All that comes back until the connection is closed. */
async function send(t: Test, port: number, text: string): Promise<string> {
  const opened = openSocket(t, port, { text })
  await opened.closed
  return opened.reply
}

t.test('a body that comes too slowly is 408, and its connection ends', async (t) => {
  const port = await listen(t, 50)
  const reply = await send(t, port, 'POST /compaction HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n{"pro')
  const [head = '', body = ''] = reply.split('\r\n\r\n')
  t.match(head, /^HTTP\/1\.1 408 The body arrived too slowly\r\nContent-Type: application\/problem\+json\r\n/)
  t.match(JSON.parse(body), { type: 'urn:precis:problem:request-timeout', status: 408 })
})

t.test('bytes that are no HTTP are 400', async (t) => {
  const port = await listen(t)
  const reply = await send(t, port, 'this is no request\r\n\r\n')
  t.match(reply, /^HTTP\/1\.1 400 Invalid request\r\n[^]*"type":"urn:precis:problem:invalid-request"/)
})

const REQUEST =
  'POST /compaction HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 14\r\n\r\n{"prompt":"p"}'

t.test('pipelined requests whose client hangs up end, give back their places, and are logged, each once', async (t) => {
  const summarizer = fakeSummarizer(async (_task, { signal, slot }) => {
    await slot?.acquire(signal)
    return rejectOnAbort(signal)
  })
  const { app, url, log } = await listenApp(t, { summarizer, settings: { concurrency: 4, queue: 4 } })
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  socket.write(REQUEST.repeat(3))
  await until(() => summarizer.tasks.length === 3)
  socket.destroy()
  const hungUp = () => log().match(/"status":499,"ms":\d+,"hungUp":true/g)?.length ?? 0
  await until(() => hungUp() >= 3)
  t.match(await (await fetch(`${url}/metrics`)).text(), /^precis_jobs_in_flight 0$/m)
  await app.close()
  t.equal(hungUp(), 3)
})

t.test('pipelined requests that are answered are logged once, whole', async (t) => {
  const { app, url, log } = await listenApp(t)
  const opened = openSocket(t, Number(new URL(url).port), { text: REQUEST.repeat(3) })
  await until(() => opened.reply.match(/HTTP\/1\.1 200 OK/g)?.length === 3)
  opened.socket.destroy()
  await app.close()
  t.equal(log().match(/"route":"\/compaction","status":200/g)?.length, 3)
  t.notMatch(log(), /hungUp/)
})

/** A reply that never ends. */
async function* forever() {
  for (;;) {
    yield 'x'.repeat(65_536)
    await delay(1)
  }
}

function build() {
  const app = fastify({ clientErrorHandler: answerBrokenRequests })
  keepReplyOrder(app)
  app.post('/read', async () => 'All of it.')
  const told: [url: string, status: number, hungUp: boolean][] = []
  onReplyEnd(app, [({ url }, { status, hungUp }) => told.push([url, status, hungUp])])
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
    'POST /read HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/plain\r\nTransfer-Encoding: chunked\r\n\r\nZZZ\r\n',
  )
  const [reply] = (await once(socket, 'data')) as [Buffer]
  t.match(reply.toString(), /^HTTP\/1\.1 400 /)
  await until(() => told.length > 0)
  await app.close()
  t.same(told, [['/read', 400, false]])
})

t.test('what is done after a reply ends nothing where it fails, and keeps nothing else from being done', async (t) => {
  const app = fastify()
  const told: number[] = []
  const fail = (): void => {
    throw new Error('broken')
  }
  onReplyEnd(app, [fail, (_request, { status }) => told.push(status)])
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
    socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`)
    socket.resume()
    await until(() => socket.bytesRead > 0 || isReady())
    socket.destroy()
    await until(() => told.length > count)
  }
  await hangUp('/large', () => false)
  await hangUp('/forever', () => false)
  await hangUp('/late', isLate)
  await app.close()
  t.same(told, [
    ['/large', 200, true],
    ['/forever', 200, true],
    ['/late', 499, true],
  ])
})

t.test('any number of pipelined requests adds one listener to their connection', async (t) => {
  const { app, url } = await listenApp(t)
  const listeners: number[] = []
  app.server.on('request', ({ socket }) => listeners.push(socket.listenerCount('close')))
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  t.teardown(() => socket.destroy())
  socket.resume()
  socket.write(REQUEST.repeat(40))
  await until(() => listeners.length === 40)
  t.ok(Math.max(...listeners) < 10, `${Math.max(...listeners)} listeners`)
})
