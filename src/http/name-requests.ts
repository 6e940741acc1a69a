import { randomUUID } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import type { IncomingMessage } from 'node:http'

/** A caller's own id is taken over where it is one, and not a text. */
const REQUEST_ID = /^[\w.:-]{1,64}$/

/** The id of a request: the caller's `X-Request-Id`, else a new one. */
export function chooseRequestId({ headers }: Pick<IncomingMessage, 'headers'>): string {
  const told = headers['x-request-id']
  return typeof told === 'string' && REQUEST_ID.test(told) ? told : randomUUID()
}

/** Tells the id with every reply, so that who asks can name it to who reads the log. */
export function nameRequests(app: FastifyInstance): void {
  app.addHook('onRequest', async (request, reply) => {
    void reply.header('x-request-id', request.id)
  })
}
