import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type, type TSchema } from '@sinclair/typebox'
import { streamReply, type ReportingWork } from '../http/stream-reply.ts'
import type { Reported } from '../observe/count-report.ts'
import { PROBLEMS } from '../errors.ts'
import { ChatProblemSchema, ProblemSchema } from '../schemas/problem.ts'

/** Does a request's work and answers in the way that was asked for; what the reply says of itself is noted. */
export const replyWithReport = <T extends Reported>(
  request: FastifyRequest,
  reply: FastifyReply,
  { work, heartbeatMs }: { work: ReportingWork<T>; heartbeatMs: number },
): Promise<T> =>
  streamReply(request, reply, {
    heartbeatMs,
    work: async (budget) => {
      const result = await work(budget)
      recordReport(request, result)
      return result
    },
  })

/** Notes what a reply says of itself, for the request's log line and for the metrics: names and counts. */
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

/** A reply that comes as JSON, or for `Accept: text/event-stream` as events, the last of which holds it (OpenAPI). */
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
