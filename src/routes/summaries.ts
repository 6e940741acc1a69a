import type { FastifySchema } from 'fastify'
import type { TSchema } from '@sinclair/typebox'
import { refuseWhileFull } from '../http/refuse-overload.ts'
import { addRequestBudget } from '../http/request-budget.ts'
import type { RouteName } from '../jobs/start-request.ts'
import { BranchSummaryReplySchema, BranchSummaryRequestSchema } from '../schemas/branch-summary.ts'
import { CompactionQuerySchema, CompactionReplySchema } from '../schemas/compaction-reply.ts'
import { CompactionRequestSchema } from '../schemas/compaction-request.ts'
import { HandoffReplySchema, HandoffRequestSchema } from '../schemas/handoff.ts'
import { chatCompletionsRoute } from './chat-completions.ts'
import { asJsonOrEvents, problemResponses } from './reply.ts'
import { CALLED_BY_AGENTS, type Route } from './route.ts'
import { replyWithJob } from './run-job.ts'

/** The routes that write summaries. They wait for a place in the service, and are refused while its queue is full. */
export const summaryRoutes: Route = (services) => async (app) => {
  addRequestBudget(app, services)
  refuseWhileFull(app, services)
  for (const route of [compactionRoute, branchSummaryRoute, handoffRoute, chatCompletionsRoute])
    await app.register(route(services))
}

/** `POST /compaction`: returns a checked summary of a session, of messages, of a transcript or for a client's own prompt. */
const compactionRoute = summaryRoute('/compaction', 'compaction', {
  summary: 'Compact a session',
  description:
    'The request has one of four forms. It must have exactly one of the fields `prompt`, `entries`, `messages` and `conversation`, which selects the form.',
  querystring: CompactionQuerySchema,
  body: CompactionRequestSchema,
  reply: CompactionReplySchema,
  config: CALLED_BY_AGENTS,
})

/** `POST /branch-summary`: summarizes the branch that an agent leaves when it switches to another one. */
const branchSummaryRoute = summaryRoute('/branch-summary', 'branch-summary', {
  summary: 'Summarize a branch that the agent leaves',
  body: BranchSummaryRequestSchema,
  reply: BranchSummaryReplySchema,
})

/** `POST /handoff`: returns the document with which a new session continues. */
const handoffRoute = summaryRoute('/handoff', 'handoff', {
  summary: 'Write a handoff document for a new session',
  body: HandoffRequestSchema,
  reply: HandoffReplySchema,
})

interface SummaryRoute {
  summary: string
  description?: string
  /** The parameters that every form has. */
  querystring?: TSchema
  body: TSchema
  reply: TSchema
  config?: typeof CALLED_BY_AGENTS
}

function summaryRoute(url: string, name: RouteName, { body, reply: result, config, ...texts }: SummaryRoute): Route {
  const schema: FastifySchema = {
    ...texts,
    tags: ['compaction'],
    body,
    response: { 200: asJsonOrEvents(result), ...problemResponses },
  }
  return (services) => async (app) => {
    app.post(url, { schema, ...(config && { config }) }, (request, reply) =>
      replyWithJob(name, { request, reply }, services),
    )
  }
}
