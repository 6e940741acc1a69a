import { writeHandoff } from '../pipelines/write-handoff.ts'
import { compileForms } from '../ingest/compile-validator.ts'
import { HANDOFF_FORMS, HandoffReplySchema, HandoffRequestSchema } from '../schemas/handoff.ts'
import { replyWithReport, asJsonOrEvents, problemResponses } from './reply.ts'
import { PLANNED_SESSION, readNdjsonForm } from './session-body.ts'
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
      validatorCompiler: () => compileForms(HANDOFF_FORMS),
      config: { session: PLANNED_SESSION },
      preValidation: readNdjsonForm(HANDOFF_FORMS.entries),
    },
    (request, reply) =>
      replyWithReport(request, reply, {
        heartbeatMs: services.heartbeatMs,
        produce: (budget) => writeHandoff(request.body, services, budget),
      }),
  )
}
