import { Problem, type ProblemType } from '../errors.ts'
import type { Ticket } from '../runtime/fair-limit.ts'
import type { OutgoingFrame } from '../runtime/frames.ts'
import { WorkerDied, type DeathReason } from '../runtime/worker-died.ts'
import type { WorkerPool } from '../runtime/worker-pool.ts'
import type { Answer } from './protocol.ts'

/**
 * The CPU time that a job may take, in milliseconds. Sessions take 0.1 s for each MiB of their body: what takes twenty times as
 * long, beside the first twenty seconds, is not a large session but a text that makes a search slow.
 */
export const cpuLimitMs = (bodyBytes: number): number => 20_000 + (2000 * bodyBytes) / 1_048_576

/**
 * Runs a job in a worker, and once more in another one if somebody else has killed the first.
 * @returns the answer, and its body
 * @throws Problem; the signal's reason when that aborts; any error of the job, without its message
 */
export async function runInWorker(pool: WorkerPool, job: OutgoingFrame, ticket: Ticket): Promise<[Answer, Buffer]> {
  const answered = await pool
    .run(job, ticket)
    // The cause that has killed the worker may have killed the free ones too, whose ends are not seen yet.
    .catch((error: unknown) => {
      if (isAccident(error)) return pool.run(job, ticket, { startedAfter: error.diedAt })
      throw error
    })
    .catch(explainDeath)
  return [throwError(answered.header as Answer), answered.body]
}

/** The system may have killed the worker because of another process: a job has no effects, so that it can run again. */
const isAccident = (error: unknown): error is WorkerDied => error instanceof WorkerDied && error.reason === 'other'

const DEATH_PROBLEMS: Record<DeathReason, [type: ProblemType, detail: string]> = {
  memory: [
    'body-too-large',
    'The request needs more memory than one request may use (PRECIS_WORKER_MEMORY_MB). Send a smaller body.',
  ],
  'cpu-time': [
    'body-too-large',
    'The work on this request takes more CPU time than one request may use. Send a smaller body.',
  ],
  other: ['overloaded', 'The process that worked on this request was ended twice. Try again later.'],
}

function explainDeath(error: unknown): never {
  if (!(error instanceof WorkerDied)) throw error
  throw new Problem(...DEATH_PROBLEMS[error.reason], { cause: error })
}

/** @throws Problem as the job threw it; RangeError on a stack overflow; any other error without its message */
function throwError(answer: Answer): Answer {
  if (answer.kind === 'problem') {
    const { type, detail, faults, status } = answer
    throw new Problem(type, detail, { faults, status })
  }
  if (answer.kind !== 'error') return answer
  if (answer.isStackOverflow) throw new RangeError('Maximum call stack size exceeded')
  const error = new Error('A job has failed.')
  error.name = answer.name
  error.stack = `${answer.name}\n${answer.frames}`
  throw error
}
