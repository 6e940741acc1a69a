import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import t, { type Test } from 'tap'
import { JobRunner } from '../../src/jobs/job-runner.ts'
import type { Work } from '../../src/jobs/protocol.ts'
import { openController } from '../../src/runtime/abort.ts'
import type { OutgoingFrame } from '../../src/runtime/frames.ts'
import type { Ticket } from '../../src/runtime/fair-limit.ts'
import { WorkerPool } from '../../src/runtime/worker-pool.ts'
import { WorkerDied } from '../../src/runtime/worker-died.ts'
import { compaction } from '../../src/use-cases/compaction/route.ts'
import { receivedHead } from '../support/received-head.ts'
import { templates } from '../support/templates.ts'
import { compiled } from '../support/compile-source.ts'

const script = pathToFileURL(compiled('test/support/job-worker.ts'))

const options = { budgetTokens: 1000, overlapTokens: 0 } as never
const ticket = { signal: openController().signal, caller: 'a' }

/** Runs a job whose workers die of a signal or of a full heap, and returns its answer and how often it was begun. */
async function runDying(t: Test, cause: string, deaths: number) {
  const file = join(t.testdir({ begun: '' }), 'begun')
  const pool = new WorkerPool({ script, args: [file, cause, String(deaths)], workers: 1, memoryMb: 128 })
  t.teardown(() => {
    pool.close()
  })
  const answer = await new JobRunner(pool)
    .split(Buffer.alloc(100_000), options, ticket)
    .catch((error: unknown) => error)
  return { answer, begun: readFileSync(file).length }
}

// V8 ends with some of these signals too, but it says why.
for (const signal of ['SIGKILL', 'SIGABRT', 'SIGTRAP', 'SIGILL'])
  t.test(`a job whose worker was killed by somebody else (${signal}) runs again in a new one`, async (t) => {
    t.same(await runDying(t, signal, 1), { answer: [], begun: 2 })
  })

t.test('a job does not run again in a worker that may have been killed with the first one', async (t) => {
  const died = new WorkerDied('other')
  const choices: unknown[] = []
  class DyingPool extends WorkerPool {
    override run(_job: OutgoingFrame, _ticket: Ticket, choice?: unknown) {
      choices.push(choice)
      return choices.length === 1
        ? Promise.reject(died)
        : Promise.resolve({ header: { kind: 'chunks', chunks: [] }, body: Buffer.alloc(0) })
    }
  }
  const pool = new DyingPool({ script, workers: 2, memoryMb: 512 })
  t.same(await new JobRunner(pool).split(Buffer.alloc(100_000), options, ticket), [])
  t.same(choices, [undefined, { startedAfter: died.diedAt }])
})

t.test('a job whose worker was killed twice is refused, and may be sent again', async (t) => {
  const { answer, begun } = await runDying(t, 'SIGKILL', 10)
  t.match(answer, { type: 'overloaded', status: 503, message: /was ended twice\. Try again later/ })
  t.equal(begun, 2)
})

t.test('a job whose worker runs out of memory is too large, and does not run again', async (t) => {
  const { answer, begun } = await runDying(t, 'heap', 10)
  t.match(answer, { type: 'body-too-large', status: 413, message: /PRECIS_WORKER_MEMORY_MB/ })
  t.equal(begun, 1)
})

/** Notes the jobs that get a worker, whose answer is of no interest. */
class NotingPool extends WorkerPool {
  readonly jobs: unknown[] = []

  constructor() {
    super({ script, workers: 1, memoryMb: 512 })
  }

  override run({ header }: OutgoingFrame) {
    this.jobs.push(header)
    return Promise.resolve({ header: { kind: 'reply' }, body: Buffer.from('{}') })
  }
}

const request = (body: string, query: Record<string, unknown> = {}) => ({
  head: receivedHead(compaction, { query }),
  chunks: [Buffer.from(body)],
  context: { templates, maxSummaryTokens: 1000, transcriptTokens: 1000, redact: true, nowMs: 0 } as never,
  load: compaction.load,
})

t.test('only requests of up to 2 KB, with their query, are worked on in this process', async (t) => {
  const pool = new NotingPool()
  const jobs = new JobRunner(pool)
  const conversation = (length: number) => JSON.stringify({ conversation: `[User]: ${'a '.repeat(length / 2)}` })
  await jobs.start(request(conversation(1900)), ticket)
  t.equal(pool.jobs.length, 0)
  await jobs.start(request(conversation(2100)), ticket)
  t.equal(pool.jobs.length, 1)
  await jobs.start(request(conversation(100), { summary: 'a '.repeat(1000) }), ticket)
  t.equal(pool.jobs.length, 2)
})

t.test('between two jobs in this process, sockets are served', async (t) => {
  const jobs = new JobRunner()
  let turns = 0
  let isDone = false
  const count = (): void => {
    turns += 1
    if (!isDone) setImmediate(count)
  }
  setImmediate(count)
  const begins: number[] = []
  const work: Work = {
    start() {
      begins.push(turns)
      return { kind: 'reply', body: Buffer.from('{}') }
    },
  }
  const run = () => jobs.start({ ...request('{}'), load: () => Promise.resolve(work) }, ticket)
  await Promise.all([run(), run(), run(), run()])
  isDone = true
  t.equal(new Set(begins).size, 4)
})
