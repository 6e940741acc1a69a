import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { Problem } from '../errors.ts'
import { startTimer as startRealTimer, type StartTimer } from '../runtime/abort.ts'
import type { OnRefused } from './admission.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** Returns true from the start of `close()`. */
    isDraining: () => boolean
    /** Returns how many requests have arrived whose replies have not ended. */
    countRunning: () => number
  }
}

/** From the start of `close()`, refuses new requests on open connections; running requests continue. */
export function refuseWhileDraining(app: FastifyInstance, onRefused: OnRefused): void {
  let isDraining = false
  app.decorate('isDraining', () => isDraining)
  app.addHook('preClose', async () => {
    isDraining = true
  })
  app.addHook('onSend', async (_request, reply) => {
    // The process cannot end before its clients have closed their kept-alive connections.
    if (isDraining) void reply.header('connection', 'close')
  })
  app.addHook('onRequest', async ({ routeOptions }) => {
    if (!isDraining || routeOptions.config.isAlwaysServed) return
    onRefused('draining')
    throw new Problem('draining', 'This replica is shutting down. Send the request again.')
  })
}

/** The time to send the 504 of a request whose deadline is over. */
const REPLY_GRACE_MS = 1000

interface DrainOptions {
  /** The time limit of one request. */
  deadlineMs: number
  startTimer?: StartTimer | undefined
}

/**
 * Ends the connections that would keep `close()` waiting. Node itself ends only those that have had a reply: its time-outs for
 * heads and bodies stop with `server.close()`, and it has no time-out for a client that does not read its reply. A connection
 * without a running request ends at once; one with a request ends after the reply, or at the deadline of the request.
 */
export function endConnections(app: FastifyInstance, { deadlineMs, startTimer = startRealTimer }: DrainOptions): void {
  const connections = trackConnections(app)
  app.decorate('countRunning', () => [...connections.values()].reduce((sum, { running }) => sum + running, 0))
  const endAtDeadline = (socket: Socket, startedAt: number): void => {
    const leftMs = Math.max(0, startedAt + deadlineMs - performance.now())
    const stop = startTimer(() => socket.destroy(), leftMs + REPLY_GRACE_MS)
    socket.once('close', stop)
  }
  app.addHook('preClose', async () => {
    for (const [socket, { running, startedAt }] of connections)
      if (running === 0) socket.destroy()
      else endAtDeadline(socket, startedAt)
    app.server.on('connection', (socket) => socket.destroy())
    // `server.close()` calls it, and it cuts off replies that are written completely but not sent yet (Node 20 to 24).
    app.server.closeIdleConnections = () => undefined
  })
}

interface Connection {
  /** Requests whose head has arrived, and whose reply has not ended. */
  running: number
  /** When the head of the newest request arrived, by the monotonic clock. */
  startedAt: number
}

/** Returns all open connections. During `close()`, a connection ends after the reply of its last request. */
function trackConnections(app: FastifyInstance): ReadonlyMap<Socket, Connection> {
  const connections = new Map<Socket, Connection>()
  app.server.on('connection', (socket) => {
    connections.set(socket, { running: 0, startedAt: 0 })
    socket.once('close', () => connections.delete(socket))
  })
  app.server.on('request', ({ socket }, response) => {
    const connection = connections.get(socket)
    if (connection === undefined) return
    connection.running += 1
    connection.startedAt = performance.now()
    response.once('close', () => {
      connection.running -= 1
      // A reply that began before `close()` has no `Connection: close`.
      if (connection.running === 0 && app.isDraining()) socket.destroySoon()
    })
  })
  return connections
}
