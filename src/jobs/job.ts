import { Problem } from '../errors.ts'
import { splitHere } from '../prompt/split-conversation.ts'
import type { Templates } from '../prompt/templates.ts'
import type { Frame, OutgoingFrame } from '../runtime/frames.ts'
import type { Answer, Calls, Job, SummaryLookup, Reply, Work, WorkJob } from './protocol.ts'

interface AnswerFrame extends OutgoingFrame {
  header: Answer
}

interface Tools {
  /** Returns the work of a use case by its path. */
  workOf: (path: string) => Work | undefined
  templates: Templates
}

/** Does a job in a worker and returns its answer. Errors are answers too. */
export function answerJob({ header, body }: Frame, { workOf, templates }: Tools): AnswerFrame {
  try {
    const job = header as Job
    if (job.kind === 'split') return { header: { kind: 'chunks', chunks: splitHere(body, job.options) }, body: [] }
    const replaced = 'context' in job ? job.context.replaced?.texts : undefined
    const work = workOf(job.path)
    if (work === undefined) throw new Error('There is no such use case.')
    return doWork(job, body, { work, templates: { ...templates, ...replaced } })
  } catch (error) {
    return { header: describeError(error), body: [] }
  }
}

/** Does a job of a use case. @throws what its work throws */
export function doWork(
  job: WorkJob,
  body: Buffer,
  { work, templates }: { work: Work; templates: Templates },
): AnswerFrame {
  switch (job.kind) {
    case 'start': {
      const { hasBody, ...head } = job.head
      return encode(work.start({ ...head, body: hasBody ? body : undefined }, { ...job.context, templates }))
    }
    case 'continue':
      if (work.continue === undefined) throw new Error(NO_CALLS)
      return encode(work.continue(body, job.answers, { ...job.context, templates }))
    case 'redact':
      if (work.redact === undefined) throw new Error(NO_CALLS)
      return { header: { kind: 'redacted', ...work.redact(body, job.texts) }, body: [] }
  }
}

const NO_CALLS = 'This work calls no models.'

function encode(step: Calls | Reply | SummaryLookup): AnswerFrame {
  if (step.kind === 'lookup') return { header: step, body: [] }
  if (step.kind === 'reply') {
    const { body, ...header } = step
    return { header, body: [body] }
  }
  const { held, ...header } = step
  return { header, body: [held] }
}

function describeError(error: unknown): Answer {
  if (error instanceof Problem) {
    const { type, message, faults, status } = error
    return { kind: 'problem', type, detail: message, faults, status }
  }
  const { name, message, stack = '' } = error instanceof Error ? error : new Error()
  const frames = stack.split('\n').filter((line) => /^\s+at /.test(line))
  const isStackOverflow = name === 'RangeError' && /call stack/.test(message)
  return { kind: 'error', name, frames: frames.join('\n'), isStackOverflow }
}
