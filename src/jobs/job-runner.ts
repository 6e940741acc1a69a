import { Problem } from '../errors.ts'
import type { Templates } from '../prompt/templates.ts'
import type { Turn } from '../runtime/fair-limit.ts'
import { byteLengthOf } from '../runtime/frames.ts'
import type { WorkerPool } from '../runtime/worker-pool.ts'
import { WorkerDied } from '../runtime/worker-process.ts'
import { answerJob, readAnswer, type JobHeader } from './answer-job.ts'

/** Runs the jobs of requests. */
export interface JobRunner {
  /**
   * Runs a job.
   * @returns the reply as JSON, in chunks
   * @throws Problem; the signal's reason when that aborts
   */
  run: (job: JobHeader, body: readonly Buffer[], turn: Turn) => Promise<Buffer[]>
  /** Ends the workers. */
  close: () => void
}

/**
 * Bodies up to this size run in the main process: the way to a worker and back would take longer than their work, and
 * nothing in them can take long.
 */
const INLINE_BYTES = 16_384

interface JobRunnerOptions {
  templates: Templates
  /** Without it, all jobs run in the main process. */
  pool?: WorkerPool | undefined
}

/** Creates a runner: small jobs run at once, the others in a worker. */
export function createJobRunner({ templates, pool }: JobRunnerOptions): JobRunner {
  return {
    async run(header, chunks, turn) {
      const frame = { header, body: [...chunks] }
      if (pool === undefined || byteLengthOf(chunks) <= INLINE_BYTES) return readAnswer(answerJob(frame, templates))
      return readAnswer(await pool.run(frame, turn).catch(explainDeath))
    },
    close: () => pool?.close(),
  }
}

function explainDeath(error: unknown): never {
  if (error instanceof WorkerDied && error.isOutOfMemory)
    throw new Problem(
      'body-too-large',
      'The request needs more memory than one request may use (PRECIS_WORKER_MEMORY_MB). Send a smaller body.',
      { cause: error },
    )
  throw error
}
