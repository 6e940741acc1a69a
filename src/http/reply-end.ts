import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Socket } from 'node:net'
import { CLIENT_CLOSED_REQUEST } from './request-budget.ts'
import { PROBLEMS, Problem } from '../errors.ts'
import { problemBody } from './problems.ts'

export interface ReplyEnd {
  status: number
  /** Milliseconds since the head of the request. */
  elapsedMs: number
  /** Whether the client hung up before all of the reply was sent. */
  hungUp: boolean
}

/** What is done when a reply is over. */
export type OnReplyEnd = (request: FastifyRequest, replied: ReplyEnd) => void

/**
 * Calls back once for each request, when its reply is over: sent whole, or not, since the client hung up before it or amid it,
 * or sent what is no HTTP, of which Fastify's `onResponse` says nothing.
 */
export function onReplyEnd(app: FastifyInstance, callbacks: readonly OnReplyEnd[]): void {
  const told = new WeakSet<FastifyRequest>()
  const tell: OnReplyEnd = (request, replied) => {
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

const answered = new WeakMap<Socket, number>()

/** The status with which a connection was ended whose requests could not be read; undefined where it was not. */
export const brokenStatusOf = (socket: Socket): number | undefined => answered.get(socket)

/**
 * Answers what Node's HTTP parser gives up on, before there is a request: a body that came too slowly, or bytes that
 * are no HTTP. The connection ends with it.
 */
export function answerBrokenRequests(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || socket.destroyed || !socket.writable) {
    socket.destroy()
    return
  }
  const problem =
    error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
      ? new Problem('request-timeout', 'The request did not come within the time that this service waits.')
      : new Problem('invalid-request', 'The request is not HTTP/1.1.')
  const { title } = PROBLEMS[problem.type]
  const body = JSON.stringify(problemBody(problem))
  const head = [
    `HTTP/1.1 ${problem.status} ${title}`,
    'Content-Type: application/problem+json',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
  ]
  answered.set(socket, problem.status)
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`)
}

/**
 * Closes the replies of pipelined requests with their connection. Node tells only the reply whose turn it is that the socket
 * has closed; those queued behind it would never end, and never give back what was held for them.
 */
export function closeQueuedReplies(app: FastifyInstance): void {
  app.addHook('onRequest', async ({ raw: { socket } }, { raw }) => {
    if (raw.socket !== null) return
    const close = (): void => {
      if (!raw.closed) raw.emit('close')
    }
    socket.once('close', close)
    raw.once('close', () => socket.off('close', close))
  })
}
