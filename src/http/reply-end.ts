import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { SECURITY_HEADERS } from './check-origin.ts'
import { CLIENT_CLOSED_REQUEST } from './request-budget.ts'
import { PROBLEMS, Problem } from '../errors.ts'
import { problemBody } from './problems.ts'

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
    reply.raw.once('close', () => {
      const brokenStatus = brokenStatuses.get(request.raw.socket)
      const status = reply.raw.headersSent ? reply.statusCode : (brokenStatus ?? CLIENT_CLOSED_REQUEST)
      runOnce(request, { status, elapsedMs: reply.elapsedTime, hungUp: brokenStatus === undefined })
    })
  })
  app.addHook('onResponse', async (request, { statusCode, elapsedTime }) => {
    runOnce(request, { status: statusCode, elapsedMs: elapsedTime, hungUp: request.raw.socket.destroyed })
  })
}

/** Connections that were closed because of a broken request, with the status of that reply. */
const brokenStatuses = new WeakMap<Socket, number>()

/** The time for a reply to reach a client that is still sending: closing at once could discard it (RFC 9112, section 9.6). */
const LINGER_MS = 1000

/**
 * Replies to what Node's HTTP parser rejects before there is a request: a body that arrives too slowly, or bytes that are
 * not HTTP. Then it closes the connection.
 */
export function answerBrokenRequests(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || socket.destroyed || !socket.writable) {
    socket.destroy()
    return
  }
  const problem =
    error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
      ? new Problem('request-timeout', 'The request did not arrive completely within the time limit.')
      : new Problem('invalid-request', 'The request is not valid HTTP/1.1.')
  const { title } = PROBLEMS[problem.type]
  const body = JSON.stringify(problemBody(problem))
  const head = [
    `HTTP/1.1 ${problem.status} ${title}`,
    'Content-Type: application/problem+json',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
    ...Object.entries(SECURITY_HEADERS).map(([name, value]) => `${name}: ${value}`),
  ]
  brokenStatuses.set(socket, problem.status)
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`)
  // The other side may go on sending, and never close its end.
  setTimeout(() => socket.destroy(), LINGER_MS).unref()
}

/** The replies that wait on a connection for those of earlier requests. */
const queuedReplies = new WeakMap<Socket, Set<ServerResponse>>()

/**
 * Closes the replies of pipelined requests when their connection closes. Node emits `close` only on the reply that it sends
 * at that moment: the replies queued behind it would never end, and never release their memory and their jobs.
 */
export function closeQueuedReplies(app: FastifyInstance): void {
  app.addHook('onRequest', async ({ raw: { socket } }, { raw }) => {
    if (raw.socket !== null) return
    const queued = queuedReplies.get(socket) ?? watchConnection(socket)
    queued.add(raw)
    raw.once('close', () => queued.delete(raw))
  })
}

/** One listener for all replies of a connection: a client may send any number of requests at once. */
function watchConnection(socket: Socket): Set<ServerResponse> {
  const queued = new Set<ServerResponse>()
  queuedReplies.set(socket, queued)
  socket.once('close', () => {
    for (const reply of [...queued]) if (!reply.closed) reply.emit('close')
  })
  return queued
}
