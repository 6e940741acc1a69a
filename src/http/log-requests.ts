import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { OnReplied } from './on-replied.ts'
import { readTraceParent } from './read-trace-parent.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Counts, tokens and names that a route adds to its one log line; never content. */
    facts: Facts
  }
}

export type Facts = Record<string, string | number | boolean>

const factsOfAll = new WeakMap<FastifyRequest, Facts>()

/** The facts of a request, also of one that failed before any hook saw it. */
export function factsOf(request: FastifyRequest): Facts {
  const facts = factsOfAll.get(request) ?? {}
  factsOfAll.set(request, facts)
  return facts
}

/**
 * Writes one line a request: its id and place in a trace, route pattern and not address (a query may hold content),
 * status, milliseconds, facts.
 * @returns what writes it
 */
export function logRequests(app: FastifyInstance): OnReplied {
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
