import { ContextReplySchema, ContextRequestSchema } from '../schemas/context.ts'
import { problemResponses } from './reply.ts'
import type { Route } from './route.ts'
import { JOB_ROUTE, sendJob } from './send-job.ts'

/** `POST /context`: returns the messages of a session that a model sees now. */
export const contextRoute: Route = (services) => async (app) => {
  app.post(
    '/context',
    {
      schema: {
        summary: 'Rebuild the context of a session',
        tags: ['session'],
        body: ContextRequestSchema,
        response: { 200: ContextReplySchema, ...problemResponses },
      },
      ...JOB_ROUTE,
    },
    (request, reply) => sendJob({ request, reply, name: 'context' }, services),
  )
}
