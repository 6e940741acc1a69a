import type { FastifyRequest, FastifyInstance } from 'fastify'
import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'

export type RequestFacts = Record<string, string | number | boolean>

const factsOfAll = new WeakMap<FastifyRequest, RequestFacts>()

/** The facts of a request, also of one that failed before any hook saw it. */
export function factsOf(request: FastifyRequest): RequestFacts {
  const facts = factsOfAll.get(request) ?? {}
  factsOfAll.set(request, facts)
  return facts
}

/** A caller's own id is taken over where it is one, and not a text. */
const REQUEST_ID = /^[\w.:-]{1,64}$/

/** The id of a request: the caller's `X-Request-Id`, else a new one. */
export function chooseRequestId({ headers }: Pick<IncomingMessage, 'headers'>): string {
  const told = headers['x-request-id']
  return typeof told === 'string' && REQUEST_ID.test(told) ? told : randomUUID()
}

/** Tells the id with every reply, so that who asks can name it to who reads the log. */
export function assignRequestIds(app: FastifyInstance): void {
  app.addHook('onRequest', async (request, reply) => {
    void reply.header('x-request-id', request.id)
  })
}
