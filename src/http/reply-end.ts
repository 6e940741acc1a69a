import type { FastifyInstance, FastifyRequest } from 'fastify'
import { brokenStatusOf } from './reply-order.ts'
import { CLIENT_CLOSED_REQUEST } from './request-budget.ts'

interface ReplyEnd {
  status: number
  /** Milliseconds since the head of the request. */
  elapsedMs: number
  /** Whether the client closed the connection before the reply was complete. */
  hungUp: boolean
}

/** Runs when a reply ends. */
export type OnReplyEnd = (request: FastifyRequest, end: ReplyEnd) => void

/**
 * Runs the callbacks exactly once per request, when its reply ends: completed, aborted by the client, or after malformed
 * HTTP (Fastify's `onResponse` does not run for the last two).
 */
export function onReplyEnd(app: FastifyInstance, callbacks: readonly OnReplyEnd[]): void {
  const ended = new WeakSet<FastifyRequest>()
  const runOnce: OnReplyEnd = (request, end) => {
    if (ended.has(request)) return
    ended.add(request)
    for (const callback of callbacks)
      try {
        callback(request, end)
      } catch (error) {
        // In an event listener, an uncaught error would end the process.
        request.log.error({ err: error }, 'after a reply')
      }
  }
  app.addHook('onRequest', async (request, reply) => {
    // Taken now: Node may detach a request from its socket later.
    const { socket } = request.raw
    reply.raw.once('finish', () => {
      runOnce(request, { status: reply.statusCode, elapsedMs: reply.elapsedTime, hungUp: socket.destroyed })
    })
    reply.raw.once('close', () => {
      const brokenStatus = brokenStatusOf(reply.raw)
      const status = reply.raw.headersSent ? reply.statusCode : (brokenStatus ?? CLIENT_CLOSED_REQUEST)
      runOnce(request, { status, elapsedMs: reply.elapsedTime, hungUp: brokenStatus === undefined })
    })
  })
}
