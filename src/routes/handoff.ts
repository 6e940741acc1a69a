import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import type { FastifyInstance } from 'fastify'
import type { CompactionServices } from '../pipelines/services.ts'
import { writeHandoff } from '../pipelines/write-handoff.ts'
import { compileForms } from '../http/compile-validator.ts'
import { HANDOFF_FORMS, HandoffReplySchema, HandoffRequestSchema } from '../schemas/handoff.ts'
import { replyWithReport, asJsonOrEvents, problemResponses } from './reply.ts'
import { PLANNED_SESSION, readNdjsonForm } from './session-body.ts'

/** `POST /handoff`: the document from which a new session goes on. */
export function handoffRoute(app: FastifyInstance, services: CompactionServices, heartbeatMs: number): void {
  app.withTypeProvider<TypeBoxTypeProvider>().post(
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
        heartbeatMs,
        work: (budget) => writeHandoff(request.body, services, budget),
      }),
  )
}
