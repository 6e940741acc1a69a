import type { TSchema } from '@sinclair/typebox'
import { PROBLEMS } from '../errors.ts'
import { ChatProblemSchema, ProblemSchema } from '../schemas/problem.ts'

/** What every route may answer instead of its reply, for OpenAPI: one entry for all, since the table has the statuses. */
export const problemResponses = responsesWith(ProblemSchema)

/** The same on the chat route, where each also carries OpenAI's `error`. */
export const chatProblemResponses = responsesWith(ChatProblemSchema)

function responsesWith(schema: TSchema) {
  return {
    default: {
      description: `A problem (RFC 9457): ${Object.keys(PROBLEMS).join(', ')}.`,
      content: { 'application/problem+json': { schema } },
    },
  }
}
