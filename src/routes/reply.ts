import { Type, type TSchema } from '@sinclair/typebox'
import { PROBLEMS } from '../errors.ts'
import { AnthropicErrorSchema, ChatProblemSchema, ProblemSchema } from '../schemas/problem.ts'

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

/** The problems of the routes of OpenAI's API, which also have its `error`. */
export const chatProblemResponses = responsesWith(ChatProblemSchema)

/** The errors of the routes of Anthropic's API. */
export const anthropicProblemResponses = {
  default: {
    description: 'An error in the format of Anthropic’s API.',
    content: { 'application/json': { schema: AnthropicErrorSchema } },
  },
}

function responsesWith(schema: TSchema) {
  return {
    default: {
      description: `A problem (RFC 9457): ${Object.keys(PROBLEMS).join(', ')}.`,
      content: { 'application/problem+json': { schema } },
    },
  }
}
