import fastify from 'fastify'
import t from 'tap'
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
    await budget.job?.acquire(budget.signal)
    await new Promise<void>((resolve) => answers.push(resolve))
    return '## Goal\nDone.'
  })
  return { summarizer, answers }
}

t.test('when the queue is full a job is refused before its body is read, and what needs no model is not', async (t) => {
  const { summarizer, answers } = slowSummarizer()
  const { app } = await startApp(t, { summarizer, config: { concurrency: 1, queue: 1 } })
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
  const { app } = await startApp(t, { summarizer, config: { concurrency: 1, queue: 0 } })
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
  const { app } = await startApp(t, { summarizer, config: { concurrency: 1, queue: 1 } })
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

t.test('while the event loop is late all but the probes are refused', async (t) => {
  const { app } = await startApp(t)
  await app.ready()
  let isLate = true
  t.intercept(app, 'isUnderPressure', { value: () => isLate })
  const { statusCode, headers } = await app.inject('/openapi.json')
  t.equal(statusCode, 503)
  t.equal(headers['retry-after'], '5')
  t.same((await app.inject('/readyz')).json(), { status: 'overloaded' })
  t.equal((await app.inject('/healthz')).statusCode, 200)
  isLate = false
  t.equal((await app.inject('/openapi.json')).statusCode, 200)
})

t.test('work that keeps the event loop makes it late, and that passes', async (t) => {
  const app = fastify()
  t.teardown(() => app.close())
  const admission = createAdmission({ concurrency: 1, queue: 0 })
  await refuseOverload(app, { admission, onRefused: () => undefined, sampleMs: 10 })
  await app.ready()
  await until(() => {
    const end = performance.now() + 600
    while (performance.now() < end);
    return app.overload() === 'event-loop'
  })
  t.pass('it is noticed')
  await until(() => app.overload() === undefined)
  t.pass('it is over')
})
