import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import type { FastifyInstance } from 'fastify'
import { compileForms } from '../http/compile-validator.ts'
import { sendInPieces } from '../http/send-in-pieces.ts'
import { buildContext } from '../plan/build-context.ts'
import { CONTEXT_FORMS, ContextReplySchema, ContextRequestSchema } from '../schemas/context.ts'
import { readBranch } from '../session/read-branch.ts'
import { problemResponses } from './problem-responses.ts'
import { WHOLE_SESSION } from './session-lists.ts'
import { readNdjsonForm } from './read-ndjson-form.ts'

/** `POST /context`: what a model sees of a session now. */
export async function contextRoute(app: FastifyInstance): Promise<void> {
  app.withTypeProvider<TypeBoxTypeProvider>().post(
    '/context',
    {
      schema: {
        summary: 'Rebuild the context',
        tags: ['session'],
        body: ContextRequestSchema,
        response: { 200: ContextReplySchema, ...problemResponses },
      },
      validatorCompiler: () => compileForms(CONTEXT_FORMS),
      config: { session: WHOLE_SESSION },
      preValidation: readNdjsonForm(CONTEXT_FORMS.entries),
    },
    async ({ body }, reply) =>
      sendInPieces(reply, async (pace) => ({ messages: buildContext(await readBranch(body, pace)) })),
  )
}
