import { Type, type TSchema } from '@sinclair/typebox'
import { PROBLEMS } from '../errors.ts'
import { ChatProblemSchema, ProblemSchema } from '../schemas/problem.ts'

/** The reply of a route that answers with JSON or, for `Accept: text/event-stream`, with events (OpenAPI). */
export const asJsonOrEvents = <T extends TSchema>(
  reply: T,
  events = 'The events `plan`, `progress` (`{done, total, phase}`), and finally `result` or `problem`. Their data is JSON.',
) => ({
  description: 'The result. With `PRECIS_HEARTBEAT_MS`, a JSON reply may begin with spaces.',
  content: {
    'application/json': { schema: reply },
    'text/event-stream': {
      schema: Type.String({ description: events }),
    },
  },
})

/** The problems of every route (OpenAPI): one entry for all, because a problem names its own status. */
export const problemResponses = responsesWith(ProblemSchema)

/** The problems of the chat route, which also have OpenAI's `error`. */
export const chatProblemResponses = responsesWith(ChatProblemSchema)

function responsesWith(schema: TSchema) {
  return {
    default: {
      description: `A problem (RFC 9457): ${Object.keys(PROBLEMS).join(', ')}.`,
      content: { 'application/problem+json': { schema } },
    },
  }
}
