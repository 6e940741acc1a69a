import { Problem, type Fault, type ProblemType } from '../errors.ts'
import type { Templates } from '../prompt/templates.ts'
import type { Frame } from '../runtime/frames.ts'
import { SESSION_JOBS, type JobName, type JobServices } from './session-jobs.ts'

/** The header of a job: all that it needs besides the bytes of the body. Plain data. */
export interface JobHeader {
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
    const reply = SESSION_JOBS[name]({ ...received, chunks: hasBody ? body : undefined }, { ...services, templates })
    return { header: { ok: true } satisfies AnswerHeader, body: [Buffer.from(JSON.stringify(reply))] }
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
