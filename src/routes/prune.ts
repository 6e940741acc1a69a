import { compileForms } from '../http/compile-validator.ts'
import { sendLargeJson } from '../http/send-large-json.ts'
import { pruneSession } from '../pipelines/prune-session.ts'
import { PRUNE_FORMS, PruneReplySchema, PruneRequestSchema } from '../schemas/prune.ts'
import { problemResponses } from './reply.ts'
import { WHOLE_SESSION, readNdjsonForm } from './session-body.ts'
import type { Route } from './route.ts'

/** `POST /prune`: removes old tool outputs from a session, without a model. */
export const pruneRoute: Route = () => async (app) => {
  app.post(
    '/prune',
    {
      schema: {
        summary: 'Prune old tool outputs',
        tags: ['session'],
        body: PruneRequestSchema,
        response: { 200: PruneReplySchema, ...problemResponses },
      },
      validatorCompiler: () => compileForms(PRUNE_FORMS),
      config: { session: WHOLE_SESSION },
      preValidation: readNdjsonForm(PRUNE_FORMS.entries),
    },
    async ({ body }, reply) =>
      sendLargeJson(reply, (yieldIfDue) => pruneSession(body, { prunedAt: Date.now(), yieldIfDue })),
  )
}
