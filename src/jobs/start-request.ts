import type { TProperties, TSchema } from '@sinclair/typebox'
import { compileForms, compileValidator, type Validate } from '../ingest/compile-validator.ts'
import type { IngestOptions } from '../ingest/json-reader.ts'
import { readRequest, type ReceivedBody } from '../ingest/read-request.ts'
import { planSession } from '../pipelines/plan-session.ts'
import { pruneSession } from '../pipelines/prune-session.ts'
import { buildContext } from '../plan/region.ts'
import { BranchSummaryRequestSchema } from '../schemas/branch-summary.ts'
import { ChatCompletionRequestSchema } from '../schemas/chat-completion.ts'
import { COMPACTION_FORMS, type CompactionRequest } from '../schemas/compaction-request.ts'
import { CONTEXT_FORMS, type ContextRequest } from '../schemas/context.ts'
import { HANDOFF_FORMS } from '../schemas/handoff.ts'
import { PLAN_FORMS, type PlanRequest } from '../schemas/plan.ts'
import { PRUNE_FORMS, type PruneRequest } from '../schemas/prune.ts'
import { readBranch } from '../session/read-session.ts'
import { prepareRequest, type PipelineName, type ReplyStep, type Step, type StepOptions } from './steps.ts'

/** Reads the request of a route, and does all of its work up to a model call. @throws Problem */
export function startRequest(route: RouteName, body: ReceivedBody, options: StepOptions): Step {
  const { read, handle } = ROUTES[route] as RouteWork
  return handle(read(body) as never, options)
}

interface RouteWork {
  read: (body: ReceivedBody) => unknown
  handle: (request: never, options: StepOptions) => Step
}

/** The part of a session that a plan reads. */
const PLANNED: IngestOptions = { names: ['entries', 'messages'], keep: 'considered' }

/** All of a session, for routes that return it. */
const WHOLE: IngestOptions = { names: ['entries', 'messages'], keep: 'whole' }

/** For the route that compares branches: a part that a compaction covers may be on the branch that is left. */
const TREE: IngestOptions = { names: ['entries'], keep: 'shown' }

/** For bodies without a session. */
const NO_SESSION: IngestOptions = { names: [], keep: 'whole' }

const reply = (value: object): ReplyStep => ({ kind: 'reply', reply: value })

/** The work of each route. Jobs are synchronous: large ones run in a worker, where nothing else waits. */
const ROUTES = {
  compaction: {
    read: readerOf(COMPACTION_FORMS, PLANNED),
    handle: (request: CompactionRequest, options) => prepareRequest(pipelineOf(request), request, options),
  },
  handoff: {
    read: readerOf(HANDOFF_FORMS, PLANNED),
    handle: (request, options) => prepareRequest('handoff', request, options),
  },
  'branch-summary': {
    read: readerOf({ entries: BranchSummaryRequestSchema }, TREE, compileValidator(BranchSummaryRequestSchema)),
    handle: (request, options) => prepareRequest('branch', request, options),
  },
  chat: {
    read: readerOf({ entries: ChatCompletionRequestSchema }, NO_SESSION, compileValidator(ChatCompletionRequestSchema)),
    handle: (request, options) => prepareRequest('chat', request, options),
  },
  plan: {
    read: readerOf(PLAN_FORMS, PLANNED),
    handle: (request: PlanRequest, { services }) => reply(planSession(request, services)),
  },
  prune: {
    read: readerOf(PRUNE_FORMS, WHOLE),
    handle: (request: PruneRequest, { services }) => reply(pruneSession(request, services.nowMs)),
  },
  context: {
    read: readerOf(CONTEXT_FORMS, WHOLE),
    handle: (request: ContextRequest) => reply({ messages: buildContext(readBranch(request)) }),
  },
} as const satisfies Record<string, RouteWork>

export type RouteName = keyof typeof ROUTES

function pipelineOf(request: CompactionRequest): PipelineName {
  if ('prompt' in request) return 'prompt'
  return 'conversation' in request ? 'conversation' : 'session'
}

/**
 * Returns the function that reads a route's body.
 * @param forms the schemas of its forms; an NDJSON body has the form `entries`
 */
function readerOf(
  forms: Readonly<Record<string, TSchema>> & { entries: { properties: TProperties } },
  options: IngestOptions,
  validate: Validate = compileForms(forms),
): (body: ReceivedBody) => unknown {
  return (body) => readRequest(body, { options, validate, entriesForm: forms.entries })
}
