import { writeHandoff } from '../pipelines/write-handoff.ts'
import { readingOf, type ReadRequest } from '../ingest/read-request.ts'
import { HANDOFF_FORMS, HandoffReplySchema, HandoffRequestSchema, type HandoffRequest } from '../schemas/handoff.ts'
import { replyWithReport, asJsonOrEvents, problemResponses } from './reply.ts'
import { readsSession } from './session-body.ts'
import type { Route } from './route.ts'

/** `POST /handoff`: returns the document with which a new session continues. */
export const handoffRoute: Route = (services) => async (app) => {
  app.post(
    '/handoff',
    {
      schema: {
        summary: 'Write a handoff document for a new session',
        tags: ['compaction'],
        body: HandoffRequestSchema,
        response: { 200: asJsonOrEvents(HandoffReplySchema), ...problemResponses },
      },
      config: { isJob: true },
      ...readsSession(readingOf(HANDOFF_FORMS, false)),
    },
    (request, reply) =>
      replyWithReport(request, reply, {
        heartbeatMs: services.heartbeatMs,
        produce: (budget) => writeHandoff(request.body as unknown as ReadRequest<HandoffRequest>, services, budget),
      }),
  )
}
