import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import t, { type Test } from 'tap'
import { JobRunner } from '../../src/jobs/job-runner.ts'
import { openController } from '../../src/runtime/abort.ts'
import { WorkerPool } from '../../src/runtime/worker-pool.ts'
import { compiled } from '../support/compile-source.ts'

const script = pathToFileURL(compiled('test/support/job-worker.ts'))

/** Runs a job whose workers die of a signal, and returns its answer and how often it was begun. */
async function runDying(t: Test, signal: string, deaths: number) {
  const file = join(t.testdir({ begun: '' }), 'begun')
  const pool = new WorkerPool({ script, args: [file, signal, String(deaths)], workers: 1, memoryMb: 512 })
  t.teardown(() => {
    pool.close()
  })
  const options = { budgetTokens: 1000, overlapTokens: 0 } as never
  const turn = { signal: openController().signal, owner: 'a' }
  const answer = await new JobRunner(pool).split(Buffer.alloc(100_000), options, turn).catch((error: unknown) => error)
  return { answer, begun: readFileSync(file).length }
}

t.test('a job whose worker was killed by somebody else runs again in a new one', async (t) => {
  t.same(await runDying(t, 'SIGKILL', 1), { answer: [], begun: 2 })
})

t.test('a job whose worker was killed twice is refused, and may be sent again', async (t) => {
  const { answer, begun } = await runDying(t, 'SIGKILL', 10)
  t.match(answer, { type: 'overloaded', status: 503, message: /was ended twice\. Try again later/ })
  t.equal(begun, 2)
})

t.test(
  'a job whose worker aborts, as V8 does when its heap is full, is too large, and does not run again',
  async (t) => {
    const { answer, begun } = await runDying(t, 'SIGABRT', 10)
    t.match(answer, { type: 'body-too-large', status: 413, message: /PRECIS_WORKER_MEMORY_MB/ })
    t.equal(begun, 1)
  },
)
