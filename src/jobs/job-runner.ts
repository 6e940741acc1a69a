import { Problem, type Fault, type ProblemType } from '../errors.ts'
import type { Templates } from '../prompt/templates.ts'
import type { Turn } from '../runtime/fair-limit.ts'
import type { Frame } from '../runtime/frames.ts'
import { byteLengthOf } from '../runtime/frames.ts'
import type { WorkerPool } from '../runtime/worker-pool.ts'
import { WorkerDied } from '../runtime/worker-process.ts'
import { SESSION_JOBS, type JobName, type JobServices } from './session-jobs.ts'

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

/** The header of a job: all that it needs besides the bytes of the body. Plain data. */
interface JobHeader {
  name: JobName
  /** False if the request has no body, which is not the same as an empty one. */
  hasBody: boolean
  isLines: boolean
  query: Readonly<Record<string, unknown>>
  services: Omit<JobServices, 'templates'>
}

/** The header of a job's answer; the body is the reply as JSON, if there was no error. */
type AnswerHeader =
  | { ok: true }
  | { ok: false; problem: { type: ProblemType; detail: string; faults: readonly Fault[]; status: number } }
  | { ok: false; error: { name: string; isStackOverflow: boolean } }

/** Runs a job and returns its answer. Errors are answers too, without any text that may quote the body. */
export function answerJob({ header, body }: Frame, templates: Templates): Frame {
  try {
    const { name, hasBody, services, ...received } = header as JobHeader
    const reply = SESSION_JOBS[name](
      { ...received, body: hasBody ? Buffer.concat(body) : undefined },
      { ...services, templates },
    )
    return {
      header: { ok: true } satisfies AnswerHeader,
      body: [Buffer.isBuffer(reply) ? reply : Buffer.from(JSON.stringify(reply))],
    }
  } catch (error) {
    return { header: describeError(error), body: [] }
  }
}

/**
 * Returns the reply of an answer, as JSON.
 * @throws Problem as the job threw it; RangeError on a stack overflow; any other error as an Error with its name only
 */
export function readAnswer({ header, body }: Frame): Buffer[] {
  const answer = header as AnswerHeader
  if (answer.ok) return body
  if ('problem' in answer) {
    const { type, detail, faults, status } = answer.problem
    throw new Problem(type, detail, { faults, status })
  }
  if (answer.error.isStackOverflow) throw new RangeError('Maximum call stack size exceeded')
  throw new Error(`A job threw ${answer.error.name}.`)
}

function describeError(error: unknown): AnswerHeader {
  if (error instanceof Problem) {
    const { type, message, faults, status } = error
    return { ok: false, problem: { type, detail: message, faults, status } }
  }
  const { name, message } = error instanceof Error ? error : { name: typeof error, message: '' }
  return { ok: false, error: { name, isStackOverflow: name === 'RangeError' && /call stack/.test(message) } }
}
