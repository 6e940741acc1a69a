import type { RequestListener, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'

/** The requests of one connection that are worked on at the same time. Clients with more to do open more connections. */
const MAX_OPEN = 4

/** The requests of one connection that wait, above which no more is read from it. One read has at most 64 KiB. */
const MAX_WAITING = 16

/**
 * Limits the requests of one connection that are worked on at the same time, whatever the client sends ("pipelining", RFC 9112,
 * section 9.3.2). The others wait in their order, and one begins in a turn of the event loop, so that other connections are
 * served meanwhile. Call it before anything else listens for requests.
 */
export function limitPipelining({ server }: Pick<FastifyInstance, 'server'>): void {
  const handlers = server.listeners('request') as RequestListener[]
  server.removeAllListeners('request')
  const connections = new WeakMap<Socket, Connection>()
  server.on('request', (request, reply) => {
    const { socket } = request
    const connection = connections.get(socket) ?? new Connection(socket)
    connections.set(socket, connection)
    connection.add(reply, () => {
      for (const handle of handlers) handle.call(server, request, reply)
    })
  })
}

class Connection {
  readonly #socket: Socket
  readonly #waiting: (() => void)[] = []
  #open = 0

  constructor(socket: Socket) {
    this.#socket = socket
    // Node resumes a socket after each request that it has read.
    socket.on('resume', () => {
      if (this.#isFull()) socket.pause()
    })
  }

  /** Begins a request in its turn. */
  add(reply: ServerResponse, handle: () => void): void {
    const begin = (): void => {
      this.#open += 1
      reply.once('close', () => {
        this.#open -= 1
        if (this.#waiting.length > 0) setImmediate(this.#beginNext)
      })
      handle()
    }
    // The one whose reply is the next begins at once: those after it cannot end before it (it may have waited for 100 Continue).
    if (reply.socket !== null || (this.#open < MAX_OPEN && this.#waiting.length === 0)) begin()
    else this.#waiting.push(begin)
    if (this.#isFull()) this.#socket.pause()
  }

  #isFull(): boolean {
    return this.#waiting.length >= MAX_WAITING && !this.#socket.destroyed
  }

  readonly #beginNext = (): void => {
    const wasFull = this.#isFull()
    // The client has gone: its replies cannot be sent.
    if (this.#socket.destroyed) this.#waiting.splice(0)
    this.#waiting.shift()?.()
    if (wasFull && !this.#isFull()) this.#socket.resume()
  }
}
