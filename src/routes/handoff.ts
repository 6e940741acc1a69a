import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import type { FastifyInstance } from 'fastify'
import { answerAsAsked } from '../http/answer-as-asked.ts'
import type { CompactionServices } from '../pipeline.ts'
import { handOff } from '../hand-off.ts'
import { compileForms } from '../http/compile-validator.ts'
import { HANDOFF_FORMS, HandoffReplySchema, HandoffRequestSchema } from '../schemas/handoff.ts'
import { noteReport } from './note-report.ts'
import { asJsonOrEvents } from './json-or-events.ts'
import { problemResponses } from './problem-responses.ts'
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
      preValidation: readNdjsonForm(HANDOFF_FORMS.entries),
    },
    (request, reply) =>
      answerAsAsked(request, reply, {
        heartbeatMs,
        work: async (budget) => {
          const result = await handOff(request.body, services, budget)
          noteReport(request, result)
          return result
        },
      }),
  )
}
