import { connect, type Socket } from 'node:net'
import fastify from 'fastify'
import t, { type Test } from 'tap'
import { endSlowTransfers, RateMeter } from '../../src/http/min-rate.ts'
import { logRequests } from '../../src/http/record-requests.ts'
import { onReplyEnd } from '../../src/http/reply-end.ts'
import { answerBrokenRequests, keepReplyOrder } from '../../src/http/reply-order.ts'
import { until } from '../support/until.ts'

/** The second at which a transfer with these bytes in each second is found too slow. */
function slowAt(bytesPerSecond: (second: number) => number, seconds = 60): number | undefined {
  const meter = new RateMeter(1024)
  let bytes = 5000
  for (let second = 0; second <= seconds; second++) {
    if (meter.isTooSlow(second * 1000, bytes)) return second
    bytes += bytesPerSecond(second)
  }
  return undefined
}

t.test('a transfer is too slow if it had less than the rate over any ten seconds', async (t) => {
  t.equal(
    slowAt(() => 1024),
    undefined,
    'exactly the rate',
  )
  t.equal(
    slowAt(() => 1023),
    10,
  )
  t.equal(
    slowAt(() => 0),
    10,
  )
  t.equal(
    slowAt((second) => (second % 9 === 0 ? 20_000 : 0)),
    undefined,
    'in bursts',
  )
  t.equal(
    slowAt((second) => (second < 30 ? 1_000_000 : 0)),
    40,
    'what was fast before does not count',
  )
  t.equal(
    slowAt((second) => (second < 5 ? 0 : 2048)),
    undefined,
    'a slow beginning',
  )
})

t.test('a window begins anew after a restart, and after a time without samples', async (t) => {
  const meter = new RateMeter(1024)
  for (let second = 0; second < 10; second++) t.equal(meter.isTooSlow(second * 1000, 0), false)
  meter.restart()
  for (let second = 10; second < 20; second++) t.equal(meter.isTooSlow(second * 1000, 0), false)
  t.equal(meter.isTooSlow(26_000, 0), false, 'this process was late')
  for (let second = 27; second < 36; second++) t.equal(meter.isTooSlow(second * 1000, 0), false)
  t.equal(meter.isTooSlow(36_000, 0), true)
})

t.test('it keeps a few samples, however many it takes', async (t) => {
  const costOf = (count: number): number => {
    const meter = new RateMeter(1)
    const { user } = process.cpuUsage()
    for (let index = 0; index < count; index++) meter.isTooSlow(index * 1000, index * 1000)
    return process.cpuUsage().user - user
  }
  costOf(100_000)
  t.ok(costOf(400_000) < 8 * costOf(200_000) + 100_000)
})

/** A service whose windows are short, on a real socket. */
async function start(t: Test, minRate = 1_000_000) {
  const app = fastify({ clientErrorHandler: answerBrokenRequests, forceCloseConnections: true })
  const ended: object[] = []
  logRequests(app)
  keepReplyOrder(app)
  onReplyEnd(app, [({ facts }, { status, hungUp }) => ended.push({ status, hungUp, ...facts })])
  endSlowTransfers(app, { minRate, windowMs: 400, checkMs: 20 })
  app.post('/body', async ({ body }) => (body as { text: string }).text.length)
  app.get('/large', async () => 'x'.repeat(50_000_000))
  app.get('/wait', async () => {
    await new Promise((resolve) => setTimeout(resolve, 1000))
    return 'late'
  })
  t.teardown(() => app.close())
  const { port } = new URL(await app.listen({ host: '127.0.0.1', port: 0 }))
  const open = (text: string): { socket: Socket; reply: () => string; closed: Promise<unknown> } => {
    const socket = connect(Number(port), '127.0.0.1')
    let reply = ''
    socket.on('data', (chunk: Buffer) => (reply += chunk.toString()))
    socket.on('error', () => undefined)
    const closed = new Promise((resolve) => socket.once('close', resolve))
    socket.write(text)
    t.teardown(() => socket.destroy())
    return { socket, reply: () => reply, closed }
  }
  return { open, ended }
}

const post = (length: number) =>
  `POST /body HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n\r\n`

t.test('a body that stops, and one that drips, are refused with 408, and their connections end', async (t) => {
  const { open, ended } = await start(t)
  const stopped = open(`${post(100_000)}{"text":"`)
  const dripping = open(`${post(100_000)}{"text":"`)
  const drip = setInterval(() => dripping.socket.write('.'), 20)
  await Promise.all([stopped.closed, dripping.closed])
  clearInterval(drip)
  t.match(stopped.reply(), /^HTTP\/1\.1 408 The body arrived too slowly\r\n[^]*"urn:precis:problem:request-timeout"/)
  t.match(dripping.reply(), /^HTTP\/1\.1 408 /)
  await until(() => ended.length === 2)
  const refused = { status: 408, hungUp: false, problem: 'request-timeout' }
  t.same(ended, [refused, refused])
})

t.test('a client that does not read its reply is cut off', async (t) => {
  const { open, ended } = await start(t)
  const deaf = open('GET /large HTTP/1.1\r\nHost: localhost\r\n\r\n')
  deaf.socket.pause()
  await until(() => ended.length === 1)
  t.same(ended, [{ status: 200, hungUp: true, tooSlow: true }])
})

t.test('a client that reads, slowly but faster than the rate, gets all of a reply that is one write', async (t) => {
  const { open, ended } = await start(t, 1000)
  const slow = open('GET /large HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n')
  const turn = setInterval(() => {
    if (slow.socket.isPaused()) slow.socket.resume()
    else slow.socket.pause()
  }, 15)
  await slow.closed
  clearInterval(turn)
  t.equal(slow.reply().split('\r\n\r\n')[1]?.length, 50_000_000)
  t.same(ended, [{ status: 200, hungUp: false }])
})

t.test('a request that waits for its reply is not slow', async (t) => {
  const { open, ended } = await start(t)
  const waiting = open('GET /wait HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n')
  await waiting.closed
  t.match(waiting.reply(), /late$/)
  t.same(ended, [{ status: 200, hungUp: false }])
})

t.test('with 0 any rate is accepted', async (t) => {
  const { open, ended } = await start(t, 0)
  const stopped = open(`${post(13)}{"text":"`)
  await new Promise((resolve) => setTimeout(resolve, 1000))
  stopped.socket.write('ab"}')
  await until(() => stopped.reply().endsWith('2'))
  t.same(ended, [{ status: 200, hungUp: false }])
})
