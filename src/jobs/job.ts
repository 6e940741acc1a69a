import { deserialize, serialize } from 'node:v8'
import { Problem, type Fault, type ProblemType } from '../errors.ts'
import { redactDrafts } from '../use-cases/shared/check-answers.ts'
import type { Answers, RepairDemand, Reported } from '../use-cases/shared/pipeline.ts'
import type { PipelineServices, PromptAdditions, SentPlan } from '../use-cases/shared/services.ts'
import type { RedactedTexts } from '../model/summarizer.ts'
import { splitHere, type Chunk, type SplitConversationOptions } from '../prompt/split-conversation.ts'
import type { Segments, SummaryTask } from '../prompt/task.ts'
import type { Templates } from '../prompt/templates.ts'
import type { Frame, OutgoingFrame } from '../runtime/frames.ts'
import type { RequestModes } from './start-chat.ts'
import { startRequest, type RouteName } from './start-request.ts'
import {
  continueRequest,
  type CompressOutcome,
  type HeldMaterial,
  type HooksBefore,
  type RepairStep,
  type Step,
} from './steps.ts'

export { continueRequest, redactDrafts, splitHere, startRequest }

/** The header of a job, as plain data. The body of the frame is what it works on. */
export type Job =
  /** Reads a request. The body is that of the request; the services are without the templates, which each process loads. */
  | { kind: 'start'; request: RequestHead; services: JobServices }
  /** Goes on with a request, with what models have answered. The body is its material. */
  | { kind: 'continue'; answers: Answers; startedAt: number; services: JobServices }
  /** Replaces the secrets of a request in texts of a model. The body is the request's material. */
  | { kind: 'redact'; texts: readonly string[] }
  /** Splits a transcript, which is the body. */
  | { kind: 'split'; options: SplitConversationOptions }

export interface RequestHead {
  route: RouteName
  /** False if the request has no body, which is not the same as an empty one. */
  hasBody: boolean
  /** True for NDJSON: the other fields are query parameters. */
  isLines: boolean
  /** The boundary of a form; undefined for any other body. */
  boundary?: string | undefined
  query: Readonly<Record<string, unknown>>
  /** Whether the client listens for the event `plan`. */
  wantsPlan: boolean
  /** When the request arrived, in milliseconds since the epoch. */
  startedAt: number
  /** What the headers have chosen. */
  modes?: RequestModes | undefined
  /** The path of the route, and the id of the request, for hooks. */
  path?: string
  requestId?: string | undefined
  /** What hooks add to the prompts: then the request is read for the second time. */
  additions?: PromptAdditions
}

type JobServices = Omit<PipelineServices, 'templates'>

/** The header of an answer, as plain data. */
export type Answer =
  /** The body is the reply: JSON, unless it has headers. */
  | {
      kind: 'reply'
      headers?: Readonly<Record<string, string>>
      reported?: Reported
      plan?: SentPlan
      compressed?: CompressOutcome
      after?: Buffer
    }
  /** Models are to be called. The body is the material, for the next job. */
  | { kind: 'call'; tasks: Segments<SummaryTask>; plan?: SentPlan; before?: HooksBefore }
  | { kind: 'repair'; demand: RepairDemand }
  | { kind: 'chunks'; chunks: readonly Chunk[] }
  | ({ kind: 'redacted' } & RedactedTexts)
  | { kind: 'problem'; type: ProblemType; detail: string; faults: readonly Fault[]; status: number }
  /** Any other error, without its message, which may quote the body. */
  | { kind: 'error'; name: string; frames: string; isStackOverflow: boolean }

/** Does a job and returns its answer. Errors are answers too. */
export function answerJob({ header, body }: Frame, templates: Templates): OutgoingFrame {
  try {
    const job = header as Job
    return doJob(job, body, 'services' in job ? { ...templates, ...job.services.replaced?.texts } : templates)
  } catch (error) {
    return { header: describeError(error), body: [] }
  }
}

function doJob(job: Job, body: Buffer, templates: Templates): OutgoingFrame {
  switch (job.kind) {
    case 'start': {
      const { route, hasBody, isLines, boundary, query, ...options } = job.request
      const received = { body: hasBody ? body : undefined, isLines, boundary, query }
      return encodeStep(startRequest(route, received, { ...options, services: { ...job.services, templates } }))
    }
    case 'continue': {
      const { answers, startedAt } = job
      const held = deserialize(body) as HeldMaterial
      return encodeStep(continueRequest(held, answers, { services: { ...job.services, templates }, startedAt }))
    }
    case 'redact':
      return answer({ kind: 'redacted', ...redactDrafts((deserialize(body) as HeldMaterial).material, job.texts) })
    case 'split':
      return answer({ kind: 'chunks', chunks: splitHere(body, job.options) })
  }
}

function encodeStep(step: Step | RepairStep): OutgoingFrame {
  switch (step.kind) {
    case 'reply': {
      const { reply, ...others } = step
      return answer(others, [writeReply(reply)])
    }
    case 'call': {
      const { held, ...others } = step
      return answer(others, [serialize(held)])
    }
    case 'repair':
      return answer(step)
  }
}

const answer = (header: Answer, body: readonly Buffer[] = []): OutgoingFrame => ({ header, body })

/** Returns a reply as JSON; it may be JSON already. */
export const writeReply = (reply: object): Buffer =>
  Buffer.isBuffer(reply) ? reply : Buffer.from(JSON.stringify(reply))

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
