import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Problem, PROBLEMS } from '../errors.ts'
import { SECURITY_HEADERS } from './check-origin.ts'
import { errorBody, errorFormatOf, errorTypeOf } from './error-format.ts'
import { CLIENT_CLOSED_REQUEST } from './request-budget.ts'

/**
 * Keeps the replies of a connection in the order of its requests, whatever the client sends (RFC 9112, section 9.3.2).
 * - Node would write the `100 Continue` of a queued request between the head and the body of its reply, and before the
 *   replies of earlier requests: such a request starts when the reply before it has been sent.
 * - Node emits `close` only on the reply that it sends at that moment: the replies queued behind it would never end, and
 *   never release their memory and their jobs.
 * - Node closes the connection on CONNECT, before earlier requests have their replies.
 */
export function keepReplyOrder({ server }: Pick<FastifyInstance, 'server'>): void {
  server.on('request', noteReply)
  server.on('checkContinue', (request, reply) => {
    noteReply(request, reply)
    const start = (): void => {
      if (request.socket.destroyed) return
      reply.writeContinue()
      server.emit('request', request, reply)
    }
    if (reply.socket !== null) start()
    // Later than the event: Node sends what a reply has so far only after it.
    else reply.once('socket', () => process.nextTick(start))
  })
  server.on('checkExpectation', (request, reply) => server.emit('request', request, reply))
  server.on('connect', (_request, socket: Socket) => {
    // Node has removed its own listeners.
    socket.on('error', () => socket.destroy())
    socket.on('end', () => socket.end()).resume()
    sendLast(socket, new Problem('not-found', 'This service is no proxy: CONNECT is not supported.'))
  })
}

/**
 * Replies to what Node's HTTP parser rejects before there is a request: a body that arrives too slowly, or bytes that are
 * not HTTP. Earlier requests of the connection get their replies first. Then it closes the connection.
 */
export function answerBrokenRequests(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || socket.destroyed || !socket.writable) socket.destroy()
  // The client has closed its side in the middle of a request. What has been written is still sent.
  else if (error.code === 'HPE_INVALID_EOF_STATE') socket.end()
  else if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT')
    sendLast(socket, new Problem('request-timeout', 'The request did not arrive completely within the time limit.'))
  else sendLast(socket, new Problem('invalid-request', 'The request is not valid HTTP/1.1.'))
}

/** The status that was sent for a broken request in place of its reply. */
const brokenStatuses = new WeakMap<ServerResponse, number>()

interface Connection {
  /** The replies that have not ended, in the order of their requests. */
  open: Set<ServerResponse>
  /** The reply to the newest request. */
  newest?: ServerResponse
  /** Whether a problem is the last reply. */
  isEnding: boolean
}

const MAX_REPLY_LISTENERS = 20

const connections = new WeakMap<Socket, Connection>()

function noteReply({ socket }: IncomingMessage, reply: ServerResponse): void {
  const connection = connectionOf(socket)
  // A request that has waited for its turn comes again.
  if (connection.open.has(reply)) return
  connection.newest = reply
  // The hooks of a route and the end of a stream have a listener each: more than Node's warning allows, but never many more.
  reply.setMaxListeners(MAX_REPLY_LISTENERS)
  connection.open.add(reply)
  reply.once('close', () => connection.open.delete(reply))
}

function connectionOf(socket: Socket): Connection {
  const known = connections.get(socket)
  if (known !== undefined) return known
  const connection: Connection = { open: new Set(), isEnding: false }
  connections.set(socket, connection)
  // One listener for all replies of a connection: a client may send any number of requests at once.
  socket.once('close', () => {
    for (const reply of [...connection.open])
      if (reply.socket === null && !reply.closed && !reply.writableFinished) reply.emit('close')
  })
  return connection
}

/** Sends a problem after the replies of all complete requests, and closes the connection. */
function sendLast(socket: Socket, problem: Problem): void {
  const connection = connectionOf(socket)
  if (connection.isEnding) return
  connection.isEnding = true
  const { newest } = connection
  const broken = newest?.req.complete === false ? newest : undefined
  const sendInTurn = (): void => {
    const awaited = [...connection.open].find((reply) => reply !== broken || reply.headersSent)
    if (awaited !== undefined) awaited.once('close', sendInTurn)
    else if (socket.destroyed || !socket.writable) socket.destroy()
    // Its reply has been sent already, for example because its body is too large.
    else if (broken?.headersSent === true) endSoon(socket, '')
    else {
      if (broken !== undefined) brokenStatuses.set(broken, problem.status)
      endSoon(socket, writeReply(problem, broken?.req.url))
    }
  }
  sendInTurn()
}

/**
 * The time for a reply to reach a client that is still sending: closing at once could discard it (RFC 9112, section 9.6). It is
 * the `lingering_timeout` of nginx.
 */
const LINGER_MS = 5000

function endSoon(socket: Socket, text: string): void {
  socket.end(text)
  // The other side may go on sending, and never close its end.
  setTimeout(() => socket.destroy(), LINGER_MS).unref()
}

function writeReply(problem: Problem, url = ''): string {
  const format = errorFormatOf(url)
  const body = JSON.stringify(errorBody(problem, format))
  const head = [
    `HTTP/1.1 ${problem.status} ${PROBLEMS[problem.type].title}`,
    `Content-Type: ${errorTypeOf(format)}`,
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
    ...Object.entries(SECURITY_HEADERS).map(([name, value]) => `${name}: ${value}`),
  ]
  return `${head.join('\r\n')}\r\n\r\n${body}`
}

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
    reply.raw.once('finish', () =>
      runOnce(request, { status: reply.statusCode, elapsedMs: reply.elapsedTime, hungUp: socket.destroyed }),
    )
    reply.raw.once('close', () => {
      const brokenStatus = brokenStatuses.get(reply.raw)
      const status = reply.raw.headersSent ? reply.statusCode : (brokenStatus ?? CLIENT_CLOSED_REQUEST)
      runOnce(request, { status, elapsedMs: reply.elapsedTime, hungUp: brokenStatus === undefined })
    })
  })
}
