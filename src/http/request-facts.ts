import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { FastifyRequest, FastifyInstance } from 'fastify'

export type RequestFacts = Record<string, string | number | boolean>

const factsOfAll = new WeakMap<FastifyRequest, RequestFacts>()

/** Returns the facts of a request, even if it failed before any hook has run. */
export function factsOf(request: FastifyRequest): RequestFacts {
  const facts = factsOfAll.get(request) ?? {}
  factsOfAll.set(request, facts)
  return facts
}

/** Longer texts and other characters are content rather than an id. */
const REQUEST_ID = /^[\w.:-]{1,64}$/

/** Returns the id of a request: the caller's `X-Request-Id` if it is valid, else a new one. */
export function chooseRequestId({ headers }: Pick<IncomingMessage, 'headers'>): string {
  const id = headers['x-request-id']
  return typeof id === 'string' && REQUEST_ID.test(id) ? id : randomUUID()
}

/** Adds the id to every reply, so that a client can name it to the operator. */
export function assignRequestIds(app: FastifyInstance): void {
  app.addHook('onRequest', async (request, reply) => {
    void reply.header('x-request-id', request.id)
  })
}
