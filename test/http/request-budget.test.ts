import { once } from 'node:events'
import { connect } from 'node:net'
import fastify from 'fastify'
import t, { type Test } from 'tap'
import { handleErrors } from '../../src/http/problems.ts'
import { createAdmission } from '../../src/http/admission.ts'
import { parseBodies } from '../../src/http/parse-bodies.ts'
import { addRequestBudget } from '../../src/http/request-budget.ts'
import { limitRequestMemory } from '../../src/http/request-memory.ts'
import { fakeTimers } from '../support/fake-timers.ts'
import { until, untilAborted } from '../support/until.ts'
import { openSocket } from '../support/sockets.ts'

/** A service with one route that waits until its budget ends, on a real socket: `inject` does not show a hang-up. */
async function start(t: Test) {
  const { startTimer, runOut, running } = fakeTimers()
  const app = fastify()
  handleErrors(app)
  const admission = createAdmission({ concurrency: 1, queue: 0 })
  parseBodies(app)
  addRequestBudget(app, { deadlineMs: 10_000, admission, startTimer })
  limitRequestMemory(app, 1000, () => undefined)
  const signals: AbortSignal[] = []
  app.post('/wait', async ({ budget }) => {
    signals.push(budget.signal)
    await once(budget.signal, 'abort').catch(() => undefined)
    throw budget.signal.reason
  })
  app.post('/quick', async ({ budget }) => {
    signals.push(budget.signal)
    return { done: true }
  })
  t.teardown(() => app.close())
  return { app, url: await app.listen({ host: '127.0.0.1', port: 0 }), signals, runOut, running }
}

t.test('a client that closes its connection ends the work at once', async (t) => {
  const { url, signals } = await start(t)
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  socket.write(
    'POST /wait HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}',
  )
  await until(() => signals.length === 1)
  t.equal(signals[0]?.aborted, false, 'a body that has been read is no hang-up')
  socket.destroy()
  await untilAborted(signals[0]!)
  t.equal((signals[0]?.reason as Error).name, 'ClientDisconnected')
})

t.test('the deadline answers with 504', async (t) => {
  const { url, signals, runOut } = await start(t)
  const asking = fetch(`${url}/wait`, { method: 'POST' })
  await until(() => signals.length === 1)
  t.equal(runOut(), 10_000)
  const response = await asking
  t.equal(response.status, 504)
  t.match(await response.json(), { type: /deadline-exceeded$/, title: response.statusText })
})

t.test('half a body is answered with 504 at the deadline, and the connection closes', async (t) => {
  const { url, signals, runOut, running } = await start(t)
  const opened = openSocket(t, Number(new URL(url).port), {
    text: 'POST /quick HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n"half',
  })
  await until(() => running.length === 1)
  t.equal(runOut(), 10_000)
  await opened.closed
  t.match(opened.reply, /^HTTP\/1\.1 504 [^]*\r\nconnection: close\r\n[^]*"urn:precis:problem:deadline-exceeded"/)
  t.same(signals, [], 'no handler has run')
})

t.test('a reply that was sent aborts nothing, then or later', async (t) => {
  const { app, url, signals, running } = await start(t)
  await fetch(`${url}/quick`, { method: 'POST' })
  await app.close()
  t.same(running, [], 'there is no deadline any more')
  t.equal(signals[0]?.aborted, false)
})

t.test('a budget that is read too early is an error, not undefined', async (t) => {
  const app = fastify()
  let message: unknown
  app.addHook('onRequest', async (request) => {
    try {
      message = request.budget
    } catch (error) {
      message = (error as Error).message
    }
  })
  addRequestBudget(app, { deadlineMs: 1000, admission: createAdmission({ concurrency: 1, queue: 0 }) })
  app.get('/', async () => 'ok')
  await app.inject('/')
  t.match(message, /no budget yet/)
})
