import type { FastifyInstance } from 'fastify'

declare module 'fastify' {
  interface FastifyRequest {
    /** Counts, tokens and names that a route adds to its one log line; never content. */
    facts: Record<string, string | number | boolean>
  }
}

/** Writes one line a request: route pattern and not address (a query may hold content), status, milliseconds, facts. */
export function logRequests(app: FastifyInstance): void {
  app.decorateRequest('facts', null as unknown as Record<string, never>)
  app.addHook('onRequest', async (request) => {
    request.facts = {}
  })
  app.addHook('onResponse', async (request, reply) => {
    const { method, routeOptions, facts } = request
    const ms = Math.round(reply.elapsedTime)
    request.log.info({ method, route: routeOptions.url ?? 'none', status: reply.statusCode, ms, ...facts }, 'request')
  })
}
