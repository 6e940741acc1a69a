import t from 'tap'
import { createMemoryStore } from '../../../src/model/sharing/result-store.ts'
import {
  createSingleFlight,
  Cancelled,
  type CachedResult,
  type Sharing,
} from '../../../src/model/sharing/single-flight.ts'
import type { CallBudget, Job } from '../../../src/model/summarizer.ts'
import { emptyTally } from '../../../src/model/summarizer.ts'

const keeping = () => createMemoryStore<CachedResult<string>>({ entries: 10, ttlMs: 60_000 })
const keepingNothing = () => createMemoryStore<CachedResult<string>>({ entries: 0, ttlMs: 0 })

function openBudget(deadlineAt = 1000) {
  const controller = new AbortController()
  const budget = { signal: controller.signal, deadlineAt, tally: emptyTally() } satisfies CallBudget
  return { controller, budget }
}

/** Work that the test finishes, and that records each of its runs. */
function openWork(key = 'k') {
  const runs: CallBudget[] = []
  let finish: (text: string) => void
  let fail: (error: unknown) => void
  const run = (budget: CallBudget): Promise<string> => {
    runs.push(budget)
    if (budget.tally) budget.tally.calls += 1
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

t.test('equal work that is under way is done once, and each who waits is told what it took', async (t) => {
  const asked: Sharing[] = []
  const share = createSingleFlight<string>({ store: keepingNothing(), onAsked: (sharing) => asked.push(sharing) })
  const { work, runs, finish } = openWork()
  const [one, two] = [openBudget(), openBudget()]
  const both = Promise.all([share(work, one.budget), share(work, two.budget)])
  await turn()
  finish('done')
  t.same(await both, ['done', 'done'])
  t.equal(runs.length, 1)
  t.same(
    [one, two].map(({ budget }) => budget.tally.calls),
    [1, 1],
  )
  t.same(asked, ['miss', 'joined'])
})

t.test('finished work is kept, a failure is not', async (t) => {
  const asked: Sharing[] = []
  const share = createSingleFlight<string>({ store: keeping(), onAsked: (sharing) => asked.push(sharing) })
  const { work, runs, finish, fail } = openWork()
  const { budget } = openBudget()
  const first = share(work, budget)
  await turn()
  fail(new Error('no'))
  await t.rejects(first, { message: 'no' })
  const second = share(work, budget)
  await turn()
  finish('done')
  t.equal(await second, 'done')
  t.equal(await share(work, budget), 'done')
  t.equal(runs.length, 2)
  t.same(asked, ['miss', 'miss', 'hit'])
})

t.test('where nothing is kept, finished work is done again; other work is never shared', async (t) => {
  const share = createSingleFlight<string>({ store: keepingNothing() })
  const { budget } = openBudget()
  t.equal(await share({ key: 'a', run: async () => 'one' }, budget), 'one')
  t.equal(await share({ key: 'a', run: async () => 'two' }, budget), 'two')
  t.equal(await share({ key: 'b', run: async () => 'three' }, budget), 'three')
})

t.test('who leaves ends only his waiting; the last one ends the work', async (t) => {
  const share = createSingleFlight<string>({ store: keeping() })
  const { work, runs } = openWork()
  const [one, two] = [openBudget(), openBudget()]
  const first = share(work, one.budget)
  await turn()
  const second = share(work, two.budget)
  await turn()
  const gone = new Error('gone')
  one.controller.abort(gone)
  await t.rejects(first, gone)
  t.equal(runs[0]?.signal.aborted, false)
  two.controller.abort(gone)
  await t.rejects(second, gone)
  t.equal(runs[0]?.signal.aborted, true)
})

t.test('work that nobody waits for any more is not joined, but begun anew', async (t) => {
  const share = createSingleFlight<string>({ store: keeping() })
  const { work, runs, finish } = openWork()
  const { controller, budget } = openBudget()
  const first = share(work, budget)
  await turn()
  controller.abort(new Error('gone'))
  await t.rejects(first, { message: 'gone' })
  const second = share(work, openBudget().budget)
  await turn()
  finish('done')
  t.equal(await second, 'done')
  t.equal(runs.length, 2)
})

t.test('work lasts as long as the last one who waits', async (t) => {
  const share = createSingleFlight<string>({ store: keepingNothing() })
  const { work, runs, finish } = openWork()
  const first = share(work, openBudget(1000).budget)
  await turn()
  t.equal(runs[0]?.deadlineAt, 1000)
  const second = share(work, openBudget(5000).budget)
  await turn()
  t.equal(runs[0]?.deadlineAt, 5000)
  finish('done')
  await Promise.all([first, second])
})

t.test('work that was withdrawn by who had begun it is begun by who had joined it', async (t) => {
  const share = createSingleFlight<string>({ store: keepingNothing() })
  const { work, runs, finish, fail } = openWork()
  const first = share(work, openBudget().budget)
  await turn()
  const second = share(work, openBudget().budget)
  await turn()
  fail(new Cancelled())
  await t.rejects(first, Cancelled)
  await turn()
  t.equal(runs.length, 2)
  finish('done')
  t.equal(await second, 'done')
})

t.test('only who begins work enters, and holds the place until it is done', async (t) => {
  const share = createSingleFlight<string>({ store: keeping() })
  const events: string[] = []
  const jobOf = (name: string): Job => ({
    acquire: async () => void events.push(`${name} enters`),
    retain: () => {
      events.push(`${name} holds`)
      return () => events.push(`${name} lets go`)
    },
  })
  const { work, finish } = openWork()
  const first = share(work, { ...openBudget().budget, job: jobOf('first') })
  await turn()
  const second = share(work, { ...openBudget().budget, job: jobOf('second') })
  await turn()
  finish('done')
  await Promise.all([first, second])
  await share(work, { ...openBudget().budget, job: jobOf('third') })
  t.same(events, ['first holds', 'first enters', 'first lets go'])
})

t.test('progress is told to all who wait', async (t) => {
  const share = createSingleFlight<string>({ store: keepingNothing() })
  const { work, runs, finish } = openWork()
  const told: string[] = []
  const first = share(work, { ...openBudget().budget, onProgress: ({ done }) => told.push(`first ${done}`) })
  await turn()
  const second = share(work, { ...openBudget().budget, onProgress: ({ done }) => told.push(`second ${done}`) })
  await turn()
  runs[0]?.onProgress?.({ done: 1, total: 2, phase: 'summarize' })
  finish('done')
  await Promise.all([first, second])
  t.same(told, ['first 1', 'second 1'])
})
