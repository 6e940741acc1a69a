import { type Socket } from 'node:net'
import fastify from 'fastify'
import t, { type Test } from 'tap'
import { endSlowTransfers, RateMeter } from '../../src/http/min-rate.ts'
import { logRequests } from '../../src/http/record-requests.ts'
import { answerBrokenRequests, keepReplyOrder, onReplyEnd } from '../../src/http/reply-order.ts'
import { until } from '../support/until.ts'
import { openSocket } from '../support/sockets.ts'

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

/** A service on a real socket, whose clock is that of the test. */
async function start(t: Test, minRate = 1000) {
  const app = fastify({ clientErrorHandler: answerBrokenRequests, forceCloseConnections: true })
  const ended: object[] = []
  const arrived: Socket[] = []
  let check: (nowMs: number) => void = () => undefined
  let nowMs = 0
  let answer = (): void => undefined
  app.addHook('onRequest', async ({ raw }) => void arrived.push(raw.socket))
  logRequests(app)
  keepReplyOrder(app)
  onReplyEnd(app, [({ facts }, { status, hungUp }) => ended.push({ status, hungUp, ...facts })])
  endSlowTransfers(app, {
    minRate,
    startChecks: (run) => {
      check = run
      return () => undefined
    },
  })
  app.post('/body', async ({ body }) => (body as { text: string }).text.length)
  app.get('/large', async () => 'x'.repeat(50_000_000))
  app.get('/wait', async () => {
    await new Promise<void>((resolve) => (answer = resolve))
    return 'late'
  })
  t.teardown(() => app.close())
  const { port } = new URL(await app.listen({ host: '127.0.0.1', port: 0 }))
  const open = (text: string) => openSocket(t, Number(port), { text })
  /** Lets some milliseconds pass, and what has happened meanwhile. */
  const pass = async (ms: number): Promise<void> => {
    check((nowMs += ms))
    await new Promise(setImmediate)
  }
  return {
    open,
    ended,
    arrived,
    pass,
    answer: () => {
      answer()
    },
  }
}

const post = (length: number) =>
  `POST /body HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n\r\n`

const refused = { status: 408, hungUp: false, problem: 'request-timeout' }

t.test('a body that stops is refused with 408 after ten seconds, and its connection ends', async (t) => {
  const { open, ended, arrived, pass } = await start(t)
  const opened = open(`${post(100_000)}{"text":"`)
  await until(() => arrived.length === 1)
  for (let second = 0; second < 10; second++) await pass(1000)
  t.same(ended, [])
  await pass(1000)
  await until(() => opened.isClosed)
  t.match(opened.reply, /^HTTP\/1\.1 408 The body arrived too slowly\r\n[^]*"urn:precis:problem:request-timeout"/)
  await until(() => ended.length === 1)
  t.same(ended, [refused])
})

t.test('a body that drips more slowly than the rate is refused, and a faster one is not', async (t) => {
  for (const [bytes, expected] of [
    [999, [refused]],
    [1000, []],
  ] as const) {
    const { open, ended, arrived, pass } = await start(t)
    const { socket } = open(`${post(100_000)}{"text":"`)
    await until(() => arrived.length === 1)
    for (let second = 0; second < 30 && arrived[0]?.destroyed === false; second++) {
      await pass(1000)
      const before = arrived[0].bytesRead
      socket.write('.'.repeat(bytes))
      await until(() => arrived[0]?.bytesRead === before + bytes || ended.length > 0)
    }
    t.same(ended, expected, `${bytes} bytes per second`)
  }
})

t.test('a client that does not read its reply is cut off', async (t) => {
  const { open, ended, pass } = await start(t)
  const deaf = open('GET /large HTTP/1.1\r\nHost: localhost\r\n\r\n')
  deaf.socket.pause()
  await until(async () => {
    await pass(1000)
    return ended.length === 1
  })
  t.same(ended, [{ status: 200, hungUp: true, tooSlow: true }])
})

t.test('a client that reads, slowly but faster than the rate, gets all of a reply that is one write', async (t) => {
  const { open, ended, pass } = await start(t)
  const slow = open('GET /large HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n')
  // Two bytes in each millisecond of the clock: what the system stores between both ends is read too.
  slow.socket.on('data', (chunk: Buffer) => void pass(chunk.length / 2))
  await until(() => slow.isClosed)
  t.equal(slow.reply.split('\r\n\r\n')[1]?.length, 50_000_000)
  t.same(ended, [{ status: 200, hungUp: false }])
})

t.test('a request that waits for its reply is not slow', async (t) => {
  const { open, ended, arrived, pass, answer } = await start(t)
  const waiting = open('GET /wait HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n')
  await until(() => arrived.length === 1)
  for (let second = 0; second < 60; second++) await pass(1000)
  answer()
  await until(() => waiting.isClosed)
  t.match(waiting.reply, /late$/)
  t.same(ended, [{ status: 200, hungUp: false }])
})

t.test('with 0 any rate is accepted', async (t) => {
  const { open, ended, arrived, pass } = await start(t, 0)
  const stopped = open(`${post(13)}{"text":"`)
  await until(() => arrived.length === 1)
  for (let second = 0; second < 60; second++) await pass(1000)
  stopped.socket.write('ab"}')
  await until(() => stopped.reply.endsWith('2'))
  t.same(ended, [{ status: 200, hungUp: false }])
})
