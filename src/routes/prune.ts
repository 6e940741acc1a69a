import { PruneReplySchema, PruneRequestSchema } from '../schemas/prune.ts'
import { problemResponses } from './reply.ts'
import type { Route } from './route.ts'
import { JOB_ROUTE, sendJob } from './send-job.ts'

/** `POST /prune`: removes old tool outputs from a session, without a model. */
export const pruneRoute: Route = (services) => async (app) => {
  app.post(
    '/prune',
    {
      schema: {
        summary: 'Prune old tool outputs',
        tags: ['session'],
        body: PruneRequestSchema,
        response: { 200: PruneReplySchema, ...problemResponses },
      },
      ...JOB_ROUTE,
    },
    (request, reply) => sendJob({ request, reply, name: 'prune' }, services),
  )
}
