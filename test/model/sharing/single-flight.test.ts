import t from 'tap'
import { createMemoryStore } from '../../../src/model/sharing/result-store.ts'
import {
  createSingleFlight,
  Cancelled,
  type CachedResult,
  type Sharing,
} from '../../../src/model/sharing/single-flight.ts'
import type { TaskBudget, Slot } from '../../../src/model/summarizer.ts'
import { emptyTally } from '../../../src/model/summarizer.ts'

const cachingStore = () => createMemoryStore<CachedResult<string>>({ entries: 10, ttlMs: 60_000 })
const emptyStore = () => createMemoryStore<CachedResult<string>>({ entries: 0, ttlMs: 0 })

function openBudget(deadlineAt = 1000) {
  const controller = new AbortController()
  const budget = { signal: controller.signal, deadlineAt, tally: emptyTally() } satisfies TaskBudget
  return { controller, budget }
}

/** Returns work that the test finishes, and that records its runs. */
function openWork(key = 'k') {
  const runs: TaskBudget[] = []
  let finish: (text: string) => void
  let fail: (error: unknown) => void
  const run = (budget: TaskBudget): Promise<string> => {
    runs.push(budget)
    budget.tally.calls += 1
    return new Promise<string>((resolve, reject) => {
      finish = resolve
      fail = reject
    })
  }
  return {
    work: { key, run },
    runs,
    finish: (text: string) => {
      finish(text)
    },
    fail: (error: unknown) => {
      fail(error)
    },
  }
}

const turn = () => new Promise(setImmediate)

t.test(
  'equal work in flight runs once, and its calls are in the tally of the waiter that has caused them',
  async (t) => {
    const lookups: Sharing[] = []
    const runOnce = createSingleFlight<string>({ store: emptyStore(), onLookup: (sharing) => lookups.push(sharing) })
    const { work, runs, finish } = openWork()
    const [one, two] = [openBudget(), openBudget()]
    const both = Promise.all([runOnce(work, one.budget), runOnce(work, two.budget)])
    await turn()
    finish('done')
    t.same(await both, ['done', 'done'])
    t.equal(runs.length, 1)
    t.same(
      [one, two].map(({ budget }) => budget.tally.calls),
      [1, 0],
    )
    t.same(lookups, ['miss', 'joined'])
  },
)

t.test('a result is cached, a failure is not', async (t) => {
  const lookups: Sharing[] = []
  const runOnce = createSingleFlight<string>({ store: cachingStore(), onLookup: (sharing) => lookups.push(sharing) })
  const { work, runs, finish, fail } = openWork()
  const { budget } = openBudget()
  const first = runOnce(work, budget)
  await turn()
  fail(new Error('no'))
  await t.rejects(first, { message: 'no' })
  const second = runOnce(work, budget)
  await turn()
  finish('done')
  t.equal(await second, 'done')
  t.equal(await runOnce(work, budget), 'done')
  t.equal(runs.length, 2)
  t.same(lookups, ['miss', 'miss', 'hit'])
})

t.test('a cached result costs nothing, and says how many secrets were replaced in it', async (t) => {
  const runOnce = createSingleFlight<string>({ store: cachingStore() })
  const work = {
    key: 'k',
    run: async ({ tally }: TaskBudget) => {
      Object.assign(tally, { calls: 2, usage: { inputTokens: 900, outputTokens: 80 }, redactions: 3 })
      return 'done'
    },
  }
  const [one, two] = [openBudget().budget, openBudget().budget]
  await runOnce(work, one)
  await runOnce(work, two)
  t.same(one.tally, { calls: 2, usage: { inputTokens: 900, outputTokens: 80 }, redactions: 3 })
  t.same(two.tally, { ...emptyTally(), redactions: 3 })
})

t.test('if the waiter that has started the work leaves, the next one has what follows', async (t) => {
  const runOnce = createSingleFlight<string>({ store: emptyStore() })
  const { work, runs, finish } = openWork()
  const joined: (boolean | undefined)[] = []
  const onCall = ({ isJoined }: { isJoined?: boolean }): number => joined.push(isJoined)
  const [one, two, three] = [openBudget(), openBudget(), openBudget()]
  const first = runOnce(work, one.budget)
  await turn()
  const second = runOnce(work, { ...two.budget, onCall })
  const third = runOnce(work, three.budget)
  await turn()
  const [running] = runs
  const begin = (): void => running?.onCall?.({ model: 'm', outcome: 'begun' })
  begin()
  one.controller.abort(new Error('gone'))
  await t.rejects(first, { message: 'gone' })
  begin()
  Object.assign(running?.tally ?? {}, { calls: 4, usage: { inputTokens: 900, outputTokens: 80 } })
  finish('done')
  await Promise.all([second, third])
  t.same(
    [one, two, three].map(({ budget: { tally } }) => [tally.calls, tally.usage.inputTokens]),
    [
      [1, 0],
      [3, 900],
      [0, 0],
    ],
  )
  t.same(joined, [true, undefined])
})

t.test('without a cache, finished work runs again; different work is never shared', async (t) => {
  const runOnce = createSingleFlight<string>({ store: emptyStore() })
  const { budget } = openBudget()
  t.equal(await runOnce({ key: 'a', run: async () => 'one' }, budget), 'one')
  t.equal(await runOnce({ key: 'a', run: async () => 'two' }, budget), 'two')
  t.equal(await runOnce({ key: 'b', run: async () => 'three' }, budget), 'three')
})

t.test('an aborted waiter ends only its own wait; the last one ends the work', async (t) => {
  const runOnce = createSingleFlight<string>({ store: cachingStore() })
  const { work, runs } = openWork()
  const [one, two] = [openBudget(), openBudget()]
  const first = runOnce(work, one.budget)
  await turn()
  const second = runOnce(work, two.budget)
  await turn()
  const gone = new Error('gone')
  one.controller.abort(gone)
  await t.rejects(first, gone)
  t.equal(runs[0]?.signal.aborted, false)
  two.controller.abort(gone)
  await t.rejects(second, gone)
  t.equal(runs[0]?.signal.aborted, true)
})

t.test('work without waiters is not joined, but started again', async (t) => {
  const runOnce = createSingleFlight<string>({ store: cachingStore() })
  const { work, runs, finish } = openWork()
  const { controller, budget } = openBudget()
  const first = runOnce(work, budget)
  await turn()
  controller.abort(new Error('gone'))
  await t.rejects(first, { message: 'gone' })
  const second = runOnce(work, openBudget().budget)
  await turn()
  finish('done')
  t.equal(await second, 'done')
  t.equal(runs.length, 2)
})

t.test('work lasts until the latest deadline of its waiters', async (t) => {
  const runOnce = createSingleFlight<string>({ store: emptyStore() })
  const { work, runs, finish } = openWork()
  const first = runOnce(work, openBudget(1000).budget)
  await turn()
  t.equal(runs[0]?.deadlineAt, 1000)
  const second = runOnce(work, openBudget(5000).budget)
  await turn()
  t.equal(runs[0]?.deadlineAt, 5000)
  finish('done')
  await Promise.all([first, second])
})

t.test('when work is cancelled by the waiter that started it, one that joined it starts it again', async (t) => {
  const runOnce = createSingleFlight<string>({ store: emptyStore() })
  const { work, runs, finish, fail } = openWork()
  const first = runOnce(work, openBudget().budget)
  await turn()
  const second = runOnce(work, openBudget().budget)
  await turn()
  fail(new Cancelled())
  await t.rejects(first, Cancelled)
  await turn()
  t.equal(runs.length, 2)
  finish('done')
  t.equal(await second, 'done')
})

t.test('only the waiter that starts the work acquires its slot, and retains it until the work is done', async (t) => {
  const runOnce = createSingleFlight<string>({ store: cachingStore() })
  const events: string[] = []
  const slotOf = (name: string): Slot => ({
    acquire: async () => void events.push(`${name} acquires`),
    retain: () => {
      events.push(`${name} retains`)
      return () => events.push(`${name} releases`)
    },
  })
  const { work, finish } = openWork()
  const first = runOnce(work, { ...openBudget().budget, slot: slotOf('first') })
  await turn()
  const second = runOnce(work, { ...openBudget().budget, slot: slotOf('second') })
  await turn()
  finish('done')
  await Promise.all([first, second])
  await runOnce(work, { ...openBudget().budget, slot: slotOf('third') })
  t.same(events, ['first retains', 'first acquires', 'first releases'])
})

t.test('all waiters receive progress, and how the calls of models end', async (t) => {
  const runOnce = createSingleFlight<string>({ store: emptyStore() })
  const { work, runs, finish } = openWork()
  const received: string[] = []
  const listener = (name: string) => ({
    ...openBudget().budget,
    onProgress: ({ done }: { done: number }) => received.push(`${name} ${done}`),
    onCall: ({ outcome }: { outcome: string }) => received.push(`${name} ${outcome}`),
  })
  const first = runOnce(work, listener('first'))
  await turn()
  const second = runOnce(work, listener('second'))
  await turn()
  runs[0]?.onProgress?.({ done: 1, total: 2, phase: 'summarize' })
  runs[0]?.onCall?.({ model: 'm', outcome: 'stalled' })
  finish('done')
  await Promise.all([first, second])
  t.same(received, ['first 1', 'second 1', 'first stalled', 'second stalled'])
})

t.test('work that no request waits for is wanted once a request joins it, or once its own request comes', async (t) => {
  for (const isJoined of [true, false]) {
    const runOnce = createSingleFlight<string>({ store: emptyStore() })
    const { work, runs, finish } = openWork()
    const wanted = new AbortController()
    const slots: (AbortSignal | undefined)[] = []
    const slot: Slot = {
      acquire: async (_signal, given) => void slots.push(given),
      retain: () => () => undefined,
    }
    const first = runOnce(work, { ...openBudget().budget, slot, wanted: wanted.signal })
    await turn()
    const [budget] = runs
    t.same([budget?.wanted?.aborted, slots], [false, [budget?.wanted]])
    const joined = isJoined ? runOnce(work, openBudget().budget) : first
    if (!isJoined) wanted.abort()
    await turn()
    t.equal(budget?.wanted?.aborted, true)
    finish('done')
    t.same(await Promise.all([first, joined]), ['done', 'done'])
  }
})
