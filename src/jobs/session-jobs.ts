import type { TSchema } from '@sinclair/typebox'
import { compileForms } from '../ingest/compile-validator.ts'
import type { IngestOptions } from '../ingest/json-reader.ts'
import { readRequest, type ReceivedBody, type RequestReading } from '../ingest/read-request.ts'
import { planSession, type PlanServices } from '../pipelines/plan-session.ts'
import { pruneSession } from '../pipelines/prune-session.ts'
import { buildContext } from '../plan/region.ts'
import { CONTEXT_FORMS, type ContextRequest } from '../schemas/context.ts'
import { PLAN_FORMS, type PlanRequest } from '../schemas/plan.ts'
import { PRUNE_FORMS, type PruneRequest } from '../schemas/prune.ts'
import { readBranch } from '../session/read-session.ts'

/** What a job needs besides the body of its request. Plain data, but for the templates: those, each process loads itself. */
export interface JobServices extends PlanServices {
  /** Milliseconds since the epoch. */
  nowMs: number
}

/** The work of a route that calls no model: from the bytes of a request to the value of its reply. */
type SessionJob = (body: ReceivedBody, services: JobServices) => object

export type JobName = 'plan' | 'prune' | 'context'

/** Jobs are synchronous: they run in a worker process, where nothing else waits for the event loop. */
export const SESSION_JOBS: Readonly<Record<JobName, SessionJob>> = {
  plan: (body, services) => planSession(readPlan(body) as PlanRequest, services),
  prune: (body, { nowMs }) => pruneSession(readPrune(body) as PruneRequest, nowMs),
  context: (body) => ({ messages: buildContext(readBranch(readContext(body) as ContextRequest)) }),
}

const readPlan = readerOf(PLAN_FORMS, 'considered')
const readPrune = readerOf(PRUNE_FORMS, 'whole')
const readContext = readerOf(CONTEXT_FORMS, 'whole')

function readerOf(
  forms: Readonly<Record<string, TSchema>> & { entries: RequestReading['entriesForm'] },
  keep: IngestOptions['keep'],
): (body: ReceivedBody) => unknown {
  const reading = { options: { names: ['entries', 'messages'] as const, keep }, validate: compileForms(forms) }
  return (body) => readRequest(body, { ...reading, entriesForm: forms.entries })
}
