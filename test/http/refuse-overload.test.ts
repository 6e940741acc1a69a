import fastify from 'fastify'
import t, { type Test } from 'tap'
import { createAdmission } from '../../src/http/admission.ts'
import { refuseOverload } from '../../src/http/refuse-overload.ts'
import { fakeSummarizer } from '../support/fake-summarizer.ts'
import { startApp } from '../support/start-app.ts'
import { until } from '../support/until.ts'

const compact = (conversation: string) => ({ method: 'POST' as const, url: '/compaction', payload: { conversation } })

/** A summarizer that enters its job, as those of the service do, and answers when it is told to. */
function slowSummarizer() {
  const answers: (() => void)[] = []
  const summarizer = fakeSummarizer(async (_task, budget) => {
    await budget.slot?.acquire(budget.signal)
    await new Promise<void>((resolve) => answers.push(resolve))
    return '## Goal\nDone.'
  })
  return { summarizer, answers }
}

t.test('when the queue is full a job is refused before its body is read, and what needs no model is not', async (t) => {
  const { summarizer, answers } = slowSummarizer()
  const { app } = await startApp(t, { summarizer, settings: { concurrency: 1, queue: 1 } })
  const first = app.inject(compact('One.'))
  await until(() => answers.length === 1)
  const second = app.inject(compact('Two.'))
  await until(() => summarizer.tasks.length === 2)
  const third = await app.inject({ ...compact('Three.'), payload: '{"broken' })
  t.equal(third.statusCode, 503)
  t.match(third.json(), { type: /overloaded$/, title: 'Overloaded' })
  t.equal(third.headers['retry-after'], '5')
  t.same((await app.inject('/readyz')).json(), { status: 'ready' }, 'another caller would be served')
  t.equal((await app.inject('/healthz')).statusCode, 200)
  const plan = {
    method: 'POST' as const,
    url: '/compaction/plan',
    payload: { messages: [{ role: 'user', content: 'x' }] },
  }
  t.equal((await app.inject(plan)).statusCode, 200)
  answers[0]?.()
  t.equal((await first).statusCode, 200)
  await until(() => answers.length === 2)
  answers[1]?.()
  t.equal((await second).statusCode, 200)
  t.equal((await app.inject('/readyz')).statusCode, 200)
})

t.test('a replica is not ready while the queue is full for every caller', async (t) => {
  const { summarizer, answers } = slowSummarizer()
  const { app } = await startApp(t, { summarizer, settings: { concurrency: 1, queue: 0 } })
  const only = app.inject(compact('One.'))
  await until(() => answers.length === 1)
  const { statusCode, payload } = await app.inject('/readyz')
  t.equal(statusCode, 503)
  t.same(JSON.parse(payload), { status: 'overloaded' })
  answers[0]?.()
  t.equal((await only).statusCode, 200)
})

t.test('a full queue refuses a caller that fills it, and serves another one in its place', async (t) => {
  const { summarizer, answers } = slowSummarizer()
  const { app } = await startApp(t, { summarizer, settings: { concurrency: 1, queue: 1 } })
  const send = (conversation: string, remoteAddress: string) => app.inject({ ...compact(conversation), remoteAddress })
  const first = send('One.', '10.0.0.1')
  await until(() => answers.length === 1)
  const second = send('Two.', '10.0.0.1')
  await until(() => summarizer.tasks.length === 2)
  const other = send('Three.', '10.0.0.2')
  t.match((await second).json(), { type: /overloaded$/, detail: /a caller with fewer requests/ })
  for (const count of [1, 2]) {
    await until(() => answers.length === count)
    answers[count - 1]?.()
  }
  t.same([(await first).statusCode, (await other).statusCode], [200, 200])
})

/** A service whose load is that of the test, which begins the periods as well. */
async function startLoaded(t: Test) {
  const app = fastify()
  t.teardown(() => app.close())
  const load = { delayMs: 0, heapShare: 0 }
  let endPeriod = (): void => undefined
  const refused: string[] = []
  app.addHook('onRequest', async ({ url }) => {
    if (url === '/wrong-token') throw new Error('wrong')
  })
  app.decorateRequest('tokenDigest', '')
  refuseOverload(app, {
    admission: createAdmission({ concurrency: 1, queue: 0 }),
    onRefused: (reason) => refused.push(reason),
    measureLoad: (_app, onSample) => {
      endPeriod = onSample
      return () => load
    },
  })
  app.get('/', async () => 'served')
  app.get('/healthz', { config: { isAlwaysServed: true } }, async () => 'alive')
  const send = async (remoteAddress: string, url = '/') => (await app.inject({ url, remoteAddress })).statusCode
  const flood = async (remoteAddress: string, count: number, url = '/'): Promise<void> => {
    for (let sent = 0; sent < count; sent++) await send(remoteAddress, url)
  }
  await app.ready()
  return { app, load, refused, send, flood, endPeriod }
}

t.test('while the event loop is late, the caller that floods is refused, and another one is served', async (t) => {
  const { app, load, refused, send, flood, endPeriod } = await startLoaded(t)
  await flood('10.0.0.1', 60)
  t.equal(await send('10.0.0.2'), 200)
  load.delayMs = 501
  t.same([await send('10.0.0.1'), await send('10.0.0.2'), await send('10.0.0.3')], [503, 200, 200])
  t.equal(await send('10.0.0.1', '/healthz'), 200)
  t.equal(app.overload(), undefined, 'another caller would be served')
  t.same(refused, ['event-loop'])
  load.delayMs = 500
  t.equal(await send('10.0.0.1'), 200)
  load.delayMs = 501
  endPeriod()
  t.equal(await send('10.0.0.1'), 503, 'it has just flooded')
  endPeriod()
  endPeriod()
  t.equal(await send('10.0.0.1'), 200, 'that is long ago')
})

t.test('a service without work refuses nothing, however busy the machine is', async (t) => {
  const { app, load, send } = await startLoaded(t)
  load.delayMs = 5000
  for (let sent = 1; sent < 20; sent++) t.equal(await send('10.0.0.1'), 200)
  t.equal(app.overload(), undefined)
})

t.test('probes count for nobody: they cost nothing', async (t) => {
  const { load, send, flood } = await startLoaded(t)
  await flood('10.0.0.1', 60, '/healthz')
  load.delayMs = 501
  t.equal(await send('10.0.0.1'), 200)
})

t.test('requests that another hook has refused count for their address', async (t) => {
  const { load, send, flood } = await startLoaded(t)
  await flood('10.0.0.1', 60, '/wrong-token')
  await flood('10.0.0.2', 20)
  load.delayMs = 501
  t.equal(await send('10.0.0.2'), 200)
})

t.test('many callers with a request each make the service overloaded for all', async (t) => {
  const { app, load, send } = await startLoaded(t)
  for (let caller = 1; caller <= 30; caller++) await send(`10.0.0.${caller}`)
  t.equal(app.overload(), undefined)
  load.delayMs = 501
  t.equal(app.overload(), 'event-loop')
  t.equal(await send('10.0.0.31'), 503)
})

t.test('while the heap is almost full, all but the probes are refused', async (t) => {
  const { app, load, refused, send } = await startLoaded(t)
  load.heapShare = 0.91
  t.same([await send('10.0.0.1'), await send('10.0.0.1', '/healthz')], [503, 200])
  t.equal(app.overload(), 'memory')
  t.same(refused, ['memory'])
})
