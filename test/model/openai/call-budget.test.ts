import { createTask } from '../../../src/prompt/task.ts'
import { getEventListeners } from 'node:events'
import t from 'tap'
import { fakeTimers } from '../../support/fake-timers.ts'
import { FAULTS } from '../../support/model-replies.ts'
import { openBudget, outcomeOf, startSummarizer, TASK } from '../../support/start-summarizer.ts'
import { until } from '../../support/until.ts'

for (const hang of ['before', 'in-body'] as const)
  t.test(`a call that hangs ${hang} ends at once with the budget, and with its reason`, async (t) => {
    const { summarizer, server } = await startSummarizer(t, [{ hang }])
    const { controller, ...budget } = openBudget()
    const reason = new Error('gone')
    const pending = summarizer.summarize(TASK, budget)
    await until(() => server.requests.length === 1)
    controller.abort(reason)
    await t.rejects(pending, reason)
    await server.requests[0]?.ended
    t.equal(server.requests[0]?.aborted, true, 'the connection to the model is closed')
    t.equal(server.requests.length, 1)
  })

t.test('a budget that has already ended makes no call', async (t) => {
  const { summarizer, server } = await startSummarizer(t, ['ok'])
  const { controller, ...budget } = openBudget()
  const reason = new Error('gone')
  controller.abort(reason)
  await t.rejects(summarizer.summarize(TASK, budget), reason)
  t.equal(server.requests.length, 0)
})

t.test('there is no retry when its wait passes the deadline', async (t) => {
  const { summarizer, server, waits } = await startSummarizer(t, [
    { status: 429, headers: { 'retry-after': '7' } },
    'ok',
  ])
  t.match(await outcomeOf(summarizer.summarize(TASK, openBudget(5000))), { type: 'model-failed' })
  t.same(waits, [])
  t.equal(server.requests.length, 1)
})

const NOW = 1_700_000_000_000

for (const fault of ['stalled', 'stalledInBody'] as const)
  t.test(`${fault}: the call ends while there is time for another`, async (t) => {
    const { startTimer, runOut } = fakeTimers()
    const waited: unknown[] = []
    const stall = { ...FAULTS[fault], onHang: () => waited.push(runOut()) }
    const { summarizer, server } = await startSummarizer(t, [stall, 'ok'], { startTimer, now: () => NOW })
    const budget = { ...openBudget(), deadlineAt: NOW + 400 }
    t.match(await summarizer.summarize(TASK, budget), { text: 'ok', calls: 2 })
    t.same(waited, [300], 'a quarter of the time is left')
    await server.requests[0]?.ended
    t.equal(server.requests[0]?.aborted, true, 'the stalled call is ended')
  })

t.test('a server that never replies gets two calls, until the deadline', async (t) => {
  const { startTimer, runOut, running } = fakeTimers()
  const stalls = [{ ...FAULTS.stalled, onHang: runOut }, FAULTS.stalled]
  const { summarizer, server } = await startSummarizer(t, stalls, { startTimer })
  const { controller, ...budget } = openBudget()
  const reason = new Error('deadline')
  const pending = summarizer.summarize(TASK, budget)
  await until(() => server.requests.length === 2)
  t.same(running, [], 'the second call has all the time there is')
  controller.abort(reason)
  await t.rejects(pending, reason)
  t.equal(server.requests.length, 2)
})

t.test('the limit on calls in flight applies to all tasks together', async (t) => {
  // Each is answered once the other one of its pair has come: the two are under way at once, however slow the machine is.
  const { summarizer, server } = await startSummarizer(
    t,
    (_request, index) => ({ after: until(() => server.requests.length > (index | 1)), delayMs: 20 }),
    { concurrency: 2 },
  )
  const task = (index: number) => createTask({ kind: 'prompt', prompt: `Summarize ${index}.`, maxTokens: 50 })
  await Promise.all(Array.from({ length: 6 }, (_, index) => summarizer.summarize(task(index), openBudget())))
  t.equal(server.maxConcurrent(), 2)
  t.equal(server.requests.length, 6)
})

t.test('a task that is aborted while its call is queued makes no call', async (t) => {
  const { summarizer, server } = await startSummarizer(t, [{ hang: 'before' }], { concurrency: 1 })
  const first = openBudget()
  const second = openBudget()
  const inFlight = summarizer.summarize(TASK, first)
  await until(() => server.requests.length === 1)
  const queued = summarizer.summarize(createTask({ kind: 'prompt', prompt: 'Another.', maxTokens: 50 }), second)
  second.controller.abort(new Error('gone'))
  await t.rejects(queued, { message: 'gone' })
  first.controller.abort(new Error('over'))
  await t.rejects(inFlight, { message: 'over' })
  await server.requests[0]?.ended
  t.equal(server.requests.length, 1)
})

t.test('a task leaves no listener on its budget', async (t) => {
  const { summarizer } = await startSummarizer(t, [FAULTS.internal, 'ok'])
  const { signal, deadlineAt } = openBudget()
  await summarizer.summarize(TASK, { signal, deadlineAt })
  t.equal(getEventListeners(signal, 'abort').length, 0)
})
