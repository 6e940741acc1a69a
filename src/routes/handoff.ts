import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import type { FastifyInstance } from 'fastify'
import type { CompactionServices } from '../pipeline.ts'
import { handOff } from '../hand-off.ts'
import { compileForms } from '../http/compile-validator.ts'
import { HANDOFF_FORMS, HandoffReplySchema, HandoffRequestSchema } from '../schemas/handoff.ts'
import { answerReported } from './answer-reported.ts'
import { asJsonOrEvents } from './json-or-events.ts'
import { problemResponses } from './problem-responses.ts'
import { PLANNED_SESSION } from './session-lists.ts'
import { readNdjsonForm } from './read-ndjson-form.ts'

/** `POST /handoff`: the document from which a new session goes on. */
export function handoffRoute(app: FastifyInstance, services: CompactionServices, heartbeatMs: number): void {
  app.withTypeProvider<TypeBoxTypeProvider>().post(
    '/handoff',
    {
      schema: {
        summary: 'Hand over to a new session',
        tags: ['compaction'],
        body: HandoffRequestSchema,
        response: { 200: asJsonOrEvents(HandoffReplySchema), ...problemResponses },
      },
      validatorCompiler: () => compileForms(HANDOFF_FORMS),
      config: { session: PLANNED_SESSION },
      preValidation: readNdjsonForm(HANDOFF_FORMS.entries),
    },
    (request, reply) =>
      answerReported(request, reply, {
        heartbeatMs,
        work: (budget) => handOff(request.body, services, budget),
      }),
  )
}
