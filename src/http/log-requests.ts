import type { FastifyInstance } from 'fastify'
import type { IncomingMessage } from 'node:http'
import type { OnReplyEnd } from './reply-end.ts'
import { type RequestFacts, factsOf } from './request-facts.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Counts, tokens and names for the log line of the request; never content. */
    facts: RequestFacts
  }
}

/**
 * Logs one line per request: its id, trace, route pattern, status, milliseconds and facts. The line has no URL, because a
 * query may contain content.
 * @returns the callback that logs it
 */
export function logRequests(app: FastifyInstance): OnReplyEnd {
  app.decorateRequest('facts', {
    getter() {
      return factsOf(this)
    },
  })
  return (request, { status, elapsedMs, hungUp }) => {
    const { method, routeOptions, facts } = request
    const line = {
      method,
      route: routeOptions.url ?? 'none',
      status,
      ms: Math.round(elapsedMs),
      ...(hungUp ? { hungUp } : {}),
      ...readTraceParent(request),
    }
    request.log.info({ ...line, ...facts }, 'request')
  }
}

const TRACE_PARENT = /^[\da-f]{2}-([\da-f]{32})-([\da-f]{16})-[\da-f]{2}(?:$|-)/

/** Returns the trace and the span of the caller (W3C Trace Context, "traceparent Header"). */
export function readTraceParent({ headers }: Pick<IncomingMessage, 'headers'>): {
  traceId?: string
  parentId?: string
} {
  const [, traceId, parentId] = TRACE_PARENT.exec(String(headers['traceparent'] ?? '')) ?? []
  const isUnset = (id: string | undefined): boolean => id === undefined || /^0+$/.test(id)
  return isUnset(traceId) || isUnset(parentId) ? {} : { traceId: traceId as string, parentId: parentId as string }
}
