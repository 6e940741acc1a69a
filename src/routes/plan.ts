import { PlanReplySchema, PlanRequestSchema } from '../schemas/plan.ts'
import { problemResponses } from './reply.ts'
import type { Route } from './route.ts'
import { JOB_ROUTE, sendJob } from './send-job.ts'

/** `POST /compaction/plan`: returns what a compaction would do, without a model. */
export const planRoute: Route = (services) => async (app) => {
  app.post(
    '/compaction/plan',
    {
      schema: {
        summary: 'Plan a compaction',
        tags: ['compaction'],
        body: PlanRequestSchema,
        response: { 200: PlanReplySchema, ...problemResponses },
      },
      ...JOB_ROUTE,
    },
    (request, reply) => sendJob({ request, reply, name: 'plan' }, services),
  )
}
