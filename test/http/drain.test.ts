import { once } from 'node:events'
import fastify from 'fastify'
import t, { type Test } from 'tap'
import { endConnections, refuseWhileDraining } from '../../src/http/drain.ts'
import { fakeTimers } from '../support/fake-timers.ts'
import { until } from '../support/until.ts'
import { openSocket, type OpenSocket } from '../support/sockets.ts'

const DEADLINE_MS = 600_000

const LARGE = 'x'.repeat(20_000_000)

/** A service on a real socket, whose deadlines run out only when the test says so. */
async function start(t: Test) {
  const { startTimer, runOut, running } = fakeTimers()
  const app = fastify({ return503OnClosing: false })
  refuseWhileDraining(app, () => undefined)
  endConnections(app, { deadlineMs: DEADLINE_MS, startTimer })
  const replies: (() => void)[] = []
  let received = 0
  app.addHook('onRequest', async () => void (received += 1))
  app.post('/body', async () => 'Read.')
  app.get('/large', async () => LARGE)
  app.get('/slow', (_request, reply) => {
    reply.raw.write('Beginning, ')
    replies.push(() => reply.raw.end('end.'))
  })
  const { port } = new URL(await app.listen({ host: '127.0.0.1', port: 0 }))
  /** Opens a connection that sends this text. */
  const open = async (text: string): Promise<OpenSocket> => {
    const opened = openSocket(t, Number(port), {})
    await once(opened.socket, 'connect')
    if (text !== '') opened.socket.write(text)
    return opened
  }
  const connections = () =>
    new Promise((resolve) =>
      app.server.getConnections((_error, count) => {
        resolve(count)
      }),
    )
  return { app, open, connections, replies, runOut, running, received: () => received }
}

const HALF_BODY =
  'POST /body HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/plain\r\nContent-Length: 100\r\n\r\nhalf'

const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`

t.test('connections without a complete head, and those that have their reply, end at once', async (t) => {
  const { app, open, connections, running } = await start(t)
  const silent = await open('')
  const halfHead = await open('POST /body HTTP/1.1\r\nHost: loc')
  const answered = await open(get('/nowhere'))
  await until(() => answered.reply.includes('404'))
  await until(async () => (await connections()) === 3)
  await app.close()
  t.same(running, [], 'no deadline was started')
  await Promise.all([silent.closed, halfHead.closed, answered.closed])
  t.equal(silent.reply + halfHead.reply, '')
})

t.test('a running request is finished, and its connection ends after the reply', async (t) => {
  const { app, open, replies, running } = await start(t)
  const slow = await open(get('/slow'))
  await until(() => replies.length === 1)
  const closing = app.close()
  await until(() => running.length === 1)
  replies[0]?.()
  await closing
  await slow.closed
  t.match(slow.reply, /Beginning, [^]*end\./)
  t.same(running, [], 'there is no deadline any more')
})

t.test('half a body, a dripping body and a reply that the client does not read end at the deadline', async (t) => {
  const { app, open, running, runOut, received } = await start(t)
  const half = await open(HALF_BODY)
  const dripping = await open(HALF_BODY)
  const drip = setInterval(() => dripping.socket.write('.'), 20)
  t.teardown(() => {
    clearInterval(drip)
  })
  const deaf = await open('')
  deaf.socket.pause()
  deaf.socket.write(get('/large'))
  await until(() => received() === 3)
  let isClosed = false
  const closing = app.close().then(() => (isClosed = true))
  await until(() => running.length === 3)
  for (const { ms } of running) t.ok(ms > 0 && ms <= DEADLINE_MS + 1000, `${ms} ms are left`)
  t.equal(isClosed, false)
  while (running.length > 0) runOut()
  await closing
  deaf.socket.resume()
  await Promise.all([half.closed, dripping.closed, deaf.closed])
  t.ok(deaf.reply.length < LARGE.length)
})

t.test('a reply that is still being sent is not cut off', async (t) => {
  const { app, open, running, received } = await start(t)
  const late = await open('')
  late.socket.pause()
  late.socket.write(get('/large'))
  await until(() => received() === 1)
  const closing = app.close()
  await until(() => running.length === 1)
  late.socket.resume()
  await Promise.all([closing, late.closed])
  t.equal(late.reply.split('\r\n\r\n')[1]?.length, LARGE.length)
})
