import type { FastifyInstance } from 'fastify'
import type { IncomingMessage } from 'node:http'
import type { OnReplyEnd } from './reply-end.ts'
import { type RequestFacts, factsOf } from './request-facts.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Counts, tokens and names that a route adds to its one log line; never content. */
    facts: RequestFacts
  }
}

/**
 * Writes one line a request: its id and place in a trace, route pattern and not address (a query may hold content),
 * status, milliseconds, facts.
 * @returns what writes it
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

/** The caller's place in a trace (W3C Trace Context, "traceparent Header"), for the log line. */
export function readTraceParent({ headers }: Pick<IncomingMessage, 'headers'>): {
  traceId?: string
  parentId?: string
} {
  const [, traceId, parentId] = TRACE_PARENT.exec(String(headers['traceparent'] ?? '')) ?? []
  const isNone = (id: string | undefined): boolean => id === undefined || /^0+$/.test(id)
  return isNone(traceId) || isNone(parentId) ? {} : { traceId: traceId as string, parentId: parentId as string }
}
