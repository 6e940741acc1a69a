import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type, type TSchema } from '@sinclair/typebox'
import { streamReply, type ReplyProducer } from '../http/stream-reply.ts'
import type { Reported } from '../observe/metrics.ts'
import { PROBLEMS } from '../errors.ts'
import { ChatProblemSchema, ProblemSchema } from '../schemas/problem.ts'

/** Replies with a result in the way that the client asked for, and records its report. */
export const replyWithReport = <T extends Reported>(
  request: FastifyRequest,
  reply: FastifyReply,
  { produce, heartbeatMs }: { produce: ReplyProducer<T>; heartbeatMs: number },
): Promise<T | FastifyReply> =>
  streamReply(request, reply, {
    heartbeatMs,
    produce: async (budget) => {
      const result = await produce(budget)
      recordReport(request, result)
      return result
    },
  })

/** Records the names and counts of a result's report, for the log line of its request and for the metrics. */
export function recordReport(request: FastifyRequest, reported: Reported): void {
  const { report, tokensBefore, tokensAfter } = reported
  const { model, strategy, windows, calls, usage, degraded, redactions, checks } = report
  request.reported = reported
  Object.assign(request.facts, {
    model,
    strategy,
    windows,
    calls,
    ...usage,
    redactions,
    ...(degraded ? { degraded } : {}),
    ...(checks === undefined ? {} : { repairs: checks.repaired }),
    ...(tokensBefore === undefined ? {} : { tokensBefore, tokensAfter }),
  })
}

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
