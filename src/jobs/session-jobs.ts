import { readingOf, readRawMessage, readRequest, type ReceivedBody } from '../ingest/read-request.ts'
import { planSession, type PlanServices } from '../pipelines/plan-session.ts'
import { pruneSession } from '../pipelines/prune-session.ts'
import { buildContext } from '../plan/region.ts'
import { CONTEXT_FORMS } from '../schemas/context.ts'
import { PLAN_FORMS } from '../schemas/plan.ts'
import { PRUNE_FORMS } from '../schemas/prune.ts'
import { selectBranch } from '../session/tree.ts'

/** What a job needs besides the body of its request. Plain data, but for the templates: those, each process loads itself. */
export interface JobServices extends PlanServices {
  /** Milliseconds since the epoch. */
  nowMs: number
}

/** The work of a route that calls no model: from the bytes of a request to its reply, a value or JSON. */
type SessionJob = (body: ReceivedBody, services: JobServices) => object

export type JobName = 'plan' | 'prune' | 'context'

const PLAN = readingOf(PLAN_FORMS, false)
const PRUNE = readingOf(PRUNE_FORMS, true)
const CONTEXT = readingOf(CONTEXT_FORMS, true)

/** Jobs are synchronous: they run in a worker process, where nothing else waits for the event loop. */
export const SESSION_JOBS: Readonly<Record<JobName, SessionJob>> = {
  plan: (body, services) => planSession(readRequest(body, PLAN), services),
  prune: (body, { nowMs }) => pruneSession(readRequest(body, PRUNE), nowMs),
  context: (body) => {
    const { fields, session, source } = readRequest(body, CONTEXT)
    const branch = selectBranch(session, fields.leafId)
    return { messages: buildContext(branch, (entry) => readRawMessage(source, entry)) }
  },
}
