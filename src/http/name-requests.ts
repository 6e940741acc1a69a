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
