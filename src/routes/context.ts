import { compileForms } from '../http/compile-validator.ts'
import { sendLargeJson } from '../http/send-large-json.ts'
import { buildContext } from '../plan/region.ts'
import { CONTEXT_FORMS, ContextReplySchema, ContextRequestSchema } from '../schemas/context.ts'
import { readBranch } from '../session/read-session.ts'
import { problemResponses } from './reply.ts'
import { WHOLE_SESSION, readNdjsonForm } from './session-body.ts'
import type { Route } from './route.ts'

/** `POST /context`: returns the messages of a session that a model sees now. */
export const contextRoute: Route = () => async (app) => {
  app.post(
    '/context',
    {
      schema: {
        summary: 'Rebuild the context of a session',
        tags: ['session'],
        body: ContextRequestSchema,
        response: { 200: ContextReplySchema, ...problemResponses },
      },
      validatorCompiler: () => compileForms(CONTEXT_FORMS),
      config: { session: WHOLE_SESSION },
      preValidation: readNdjsonForm(CONTEXT_FORMS.entries),
    },
    async ({ body }, reply) =>
      sendLargeJson(reply, async (yieldIfDue) => ({ messages: buildContext(await readBranch(body, yieldIfDue)) })),
  )
}
