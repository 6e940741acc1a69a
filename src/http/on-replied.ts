import type { FastifyInstance, FastifyRequest } from 'fastify'
import { brokenStatusOf } from './answer-broken-requests.ts'

/** nginx's number for a client that hung up before it was answered: nobody receives it, but the log tells it from a failure. */
export const CLIENT_CLOSED_REQUEST = 499

export interface Replied {
  status: number
  /** Milliseconds since the head of the request. */
  elapsedMs: number
  /** Whether the client hung up before all of the reply was sent. */
  hungUp: boolean
}

/** What is done when a reply is over. */
export type OnReplied = (request: FastifyRequest, replied: Replied) => void

/**
 * Calls back once for each request, when its reply is over: sent whole, or not, since the client hung up before it or amid it,
 * or sent what is no HTTP, of which Fastify's `onResponse` says nothing.
 */
export function onReplied(app: FastifyInstance, callbacks: readonly OnReplied[]): void {
  const told = new WeakSet<FastifyRequest>()
  const tell: OnReplied = (request, replied) => {
    if (told.has(request)) return
    told.add(request)
    for (const callback of callbacks)
      try {
        callback(request, replied)
      } catch (error) {
        // It runs in a listener, where what nobody catches ends the process.
        request.log.error({ err: error }, 'after a reply')
      }
  }
  app.addHook('onRequest', async (request, reply) => {
    reply.raw.once('close', () => {
      const brokenStatus = brokenStatusOf(request.raw.socket)
      const status = reply.raw.headersSent ? reply.statusCode : (brokenStatus ?? CLIENT_CLOSED_REQUEST)
      tell(request, { status, elapsedMs: reply.elapsedTime, hungUp: brokenStatus === undefined })
    })
  })
  app.addHook('onResponse', async (request, { statusCode, elapsedTime }) => {
    tell(request, { status: statusCode, elapsedMs: elapsedTime, hungUp: request.raw.socket.destroyed })
  })
}
