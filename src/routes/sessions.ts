import { Type } from '@sinclair/typebox'
import type { FastifySchema } from 'fastify'
import { addRequestBudget } from '../http/request-budget.ts'
import { sendJson } from '../http/stream-reply.ts'
import type { RouteName } from '../jobs/start-request.ts'
import { ContextReplySchema, ContextRequestSchema } from '../schemas/context.ts'
import { FormatQuerySchema } from '../schemas/format.ts'
import { PlanQuerySchema, PlanReplySchema, PlanRequestSchema } from '../schemas/plan.ts'
import { PruneReplySchema, PruneRequestSchema } from '../schemas/prune.ts'
import { compressRoute } from './compress.ts'
import { planProblemResponses } from './reply.ts'
import { type Route } from './route.ts'
import { runJob } from './run-job.ts'

/** The routes for sessions that need no model. */
export const sessionRoutes: Route = (services) => async (app) => {
  addRequestBudget(app, services)
  for (const route of [planRoute, pruneRoute, contextRoute, compressRoute]) await app.register(route(services))
}

/** `POST /compaction/plan`: returns what a compaction would do, without a model. */
const planRoute = sessionRoute('/compaction/plan', 'plan', {
  summary: 'Plan a compaction',
  tags: ['compaction'],
  querystring: Type.Composite([FormatQuerySchema, PlanQuerySchema]),
  body: PlanRequestSchema,
  response: { 200: PlanReplySchema, ...planProblemResponses },
})

/** `POST /prune`: removes old tool outputs from a session, without a model. */
const pruneRoute = sessionRoute('/prune', 'prune', {
  summary: 'Prune old tool outputs',
  tags: ['session'],
  body: PruneRequestSchema,
  response: { 200: PruneReplySchema, ...planProblemResponses },
})

/** `POST /context`: returns the messages of a session that a model sees now. */
const contextRoute = sessionRoute('/context', 'context', {
  summary: 'Rebuild the context of a session',
  tags: ['session'],
  body: ContextRequestSchema,
  response: { 200: ContextReplySchema, ...planProblemResponses },
})

function sessionRoute(url: string, name: RouteName, schema: FastifySchema): Route {
  return (services) => async (app) => {
    app.post(url, { schema: { querystring: FormatQuerySchema, ...schema } }, async (request, reply) =>
      sendJson(reply, await runJob(name, { request, budget: request.budget }, services)),
    )
  }
}
