import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import fastify from 'fastify'
import t, { type Test } from 'tap'
import { handleErrors } from '../../src/http/problems.ts'
import { createAdmission } from '../../src/http/admission.ts'
import { addRequestBudget } from '../../src/http/request-budget.ts'

/** A service with one route that waits until its budget ends, on a real socket: `inject` does not show a hang-up. */
async function start(t: Test, deadlineMs: number) {
  const app = fastify()
  handleErrors(app)
  addRequestBudget(app, { deadlineMs, admission: createAdmission({ concurrency: 1, queue: 0 }) })
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
  return { url: await app.listen({ host: '127.0.0.1', port: 0 }), signals }
}

t.test('a client that closes its connection ends the work at once', async (t) => {
  const { url, signals } = await start(t, 10_000)
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  socket.write('POST /wait HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}')
  while (signals.length === 0) await delay(2)
  t.equal(signals[0]?.aborted, false, 'a body that has been read is no hang-up')
  socket.destroy()
  await Promise.race([once(signals[0]!, 'abort'), delay(2000)])
  t.equal((signals[0]?.reason as Error).name, 'ClientDisconnected')
})

t.test('the deadline answers with 504', async (t) => {
  const { url } = await start(t, 20)
  const response = await fetch(`${url}/wait`, { method: 'POST' })
  t.equal(response.status, 504)
  t.match(await response.json(), { type: /deadline-exceeded$/, title: response.statusText })
})

t.test('a reply that was sent aborts nothing, then or later', async (t) => {
  const { url, signals } = await start(t, 30)
  await fetch(`${url}/quick`, { method: 'POST' })
  await delay(60)
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
