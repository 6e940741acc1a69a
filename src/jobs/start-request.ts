import { compileValidator } from '../ingest/compile-validator.ts'
import { readInclude } from '../ingest/read-query.ts'
import { readingOf, readRawMessage, readRequest, type ReceivedBody } from '../ingest/read-request.ts'
import type { CompactionParts } from '../pipelines/origins.ts'
import { planSession } from '../pipelines/plan-session.ts'
import { pruneSession } from '../pipelines/prune-session.ts'
import { requestReport, type ReadingNotes } from '../pipelines/services.ts'
import { buildContext } from '../plan/region.ts'
import { BranchSummaryRequestSchema } from '../schemas/branch-summary.ts'
import { ChatCompletionRequestSchema } from '../schemas/chat-completion.ts'
import { COMPACTION_PARTS } from '../schemas/compaction-reply.ts'
import { COMPACTION_FORMS } from '../schemas/compaction-request.ts'
import { CONTEXT_FORMS } from '../schemas/context.ts'
import { HANDOFF_FORMS } from '../schemas/handoff.ts'
import { PLAN_FORMS, PLAN_PARTS } from '../schemas/plan.ts'
import { PRUNE_FORMS } from '../schemas/prune.ts'
import type { Session } from '../session/entry.ts'
import { selectBranch } from '../session/link-session.ts'
import { prepareRequest, type PipelineName, type ReplyStep, type Step, type StepOptions } from './steps.ts'

/** Reads the request of a route, and does all of its work up to a model call. @throws Problem */
export const startRequest = (route: RouteName, body: ReceivedBody, options: StepOptions): Step =>
  ROUTES[route](body, options)

type StartRoute = (body: ReceivedBody, options: StepOptions) => Step

const READINGS = {
  compaction: readingOf(COMPACTION_FORMS, false),
  handoff: readingOf(HANDOFF_FORMS, false),
  branch: {
    lists: ['entries' as const],
    isWhole: false,
    validate: compileValidator(BranchSummaryRequestSchema),
    entriesForm: BranchSummaryRequestSchema,
  },
  chat: { lists: [], isWhole: true, validate: compileValidator(ChatCompletionRequestSchema) },
  plan: readingOf(PLAN_FORMS, false),
  prune: readingOf(PRUNE_FORMS, true),
  context: readingOf(CONTEXT_FORMS, true),
}

/** The work of each route. It is synchronous: large requests run in a worker, where nothing else waits. */
const ROUTES = {
  compaction: startCompaction,
  handoff: (body, options) => startSession('handoff', readRequest(body, READINGS.handoff, options.services), options),
  'branch-summary': (body, options) =>
    startSession('branch', readRequest(body, READINGS.branch, options.services), options),
  // The reply has OpenAI's format, which has no place for what was ignored.
  chat: (body, options) => prepareRequest('chat', readRequest(body, READINGS.chat, options.services).fields, options),
  plan: (received, { services }) => {
    const { include, others: query } = readInclude(received.query, PLAN_PARTS)
    const request = readRequest({ ...received, query }, READINGS.plan, services)
    return replyWith(planSession({ ...request, include }, services))
  },
  prune: (body, { services }) => replyWith(pruneSession(readRequest(body, READINGS.prune, services), services)),
  context: (body, { services }) => {
    const { fields, session, source, ignored, format } = readRequest(body, READINGS.context, services)
    const branch = selectBranch(session, fields.leafId)
    const messages = buildContext(branch, (entry) => readRawMessage(source, entry))
    return replyWith({ messages, ...requestReport({ ignored, format }, services.redact) })
  },
} as const satisfies Record<string, StartRoute>

export type RouteName = keyof typeof ROUTES

function startCompaction(received: ReceivedBody, options: StepOptions): Step {
  const { include, others: query } = readInclude(received.query, COMPACTION_PARTS)
  const request = readRequest({ ...received, query }, READINGS.compaction, options.services)
  if (request.session !== undefined) return startSession('session', { ...request, include }, options)
  const { fields, ignored } = request
  return prepareRequest('prompt' in fields ? 'prompt' : 'conversation', fields, { ...options, ignored })
}

const startSession = (name: PipelineName, request: ReadSession, options: StepOptions): Step =>
  prepareRequest(name, request, { ...options, ignored: request.ignored, format: request.format })

type ReadSession = { session: Session; include?: CompactionParts } & ReadingNotes

const replyWith = (reply: object): ReplyStep => ({ kind: 'reply', reply })
