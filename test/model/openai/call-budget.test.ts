import { getEventListeners } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import t from 'tap'
import { FAULTS } from '../../support/model-replies.ts'
import { openBudget, outcomeOf, startSummarizer, TASK } from '../../support/start-summarizer.ts'

/** Waits until a condition is true. */
async function until(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) await delay(2)
}

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

for (const fault of ['stalled', 'stalledInBody'] as const)
  t.test(`${fault}: the call ends while there is time for another`, async (t) => {
    const { summarizer, server } = await startSummarizer(t, [FAULTS[fault], 'ok'])
    t.match(await summarizer.summarize(TASK, openBudget(400)), { text: 'ok', calls: 2 })
    await server.requests[0]?.ended
    t.equal(server.requests[0]?.aborted, true, 'the stalled call is ended')
  })

t.test('a server that never replies gets two calls, until the deadline', async (t) => {
  const { summarizer, server } = await startSummarizer(t, [FAULTS.stalled])
  const { controller, ...budget } = openBudget(300)
  const reason = new Error('deadline')
  const pending = summarizer.summarize(TASK, budget)
  setTimeout(() => {
    controller.abort(reason)
  }, 400)
  await t.rejects(pending, reason)
  t.equal(server.requests.length, 2)
})

t.test('the limit on calls in flight applies to all tasks together', async (t) => {
  const { summarizer, server } = await startSummarizer(t, () => ({ delayMs: 20 }), { concurrency: 2 })
  const task = (index: number) => ({ ...TASK, prompt: `Summarize ${index}.` })
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
  const queued = summarizer.summarize({ ...TASK, prompt: 'Another.' }, second)
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
