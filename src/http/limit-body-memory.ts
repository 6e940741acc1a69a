import type { FastifyInstance, FastifyRequest, preParsingAsyncHookHandler, RequestPayload } from 'fastify'
import { Transform } from 'node:stream'
import { getHeapStatistics } from 'node:v8'
import { Problem } from '../errors.ts'
import type { OnRefused } from './admission.ts'

/** How many bodies of the largest size may be held at once: a service that takes more than it can hold ends for all. */
const MAX_LARGEST_BODIES = 4

/**
 * What a byte of a body takes of the heap while it is worked on, with room to spare: measured were 1.2 to 4.1 for sessions,
 * and 30 for a transcript of a million turns of a few words (docs/operations.md).
 */
const HEAP_BYTES_OF_ONE = 10

/** What an element of a session counts for at least: a million of the smallest would take a gigabyte of the heap. */
const LEAST_BYTES_OF_ELEMENT = 150

declare module 'fastify' {
  interface FastifyRequest {
    /** What the request counts for among the bodies that are held. */
    reservedBytes: number
    /** Counts the elements of its session, as they come. @throws Problem where they are more than can be held */
    reserveElements: (count: number) => void
    /** Whether the head tells how long the body is, as it will be held. */
    hasContentLength: boolean
    /** Whether its reply is done: nothing of its body is held any more. */
    isAnswered: boolean
  }
}

const isTold = ({ headers }: FastifyRequest): boolean =>
  headers['content-encoding'] === undefined && headers['transfer-encoding'] === undefined

/**
 * How many bytes of bodies may be held at once: four of the largest, where the heap has room for them, and always one.
 * @param heapLimitBytes where the process would end
 */
export function maxReservedBytes(bodyLimitBytes: number, heapLimitBytes: number): number {
  const room = Math.floor(heapLimitBytes / HEAP_BYTES_OF_ONE)
  return Math.max(bodyLimitBytes, Math.min(bodyLimitBytes * MAX_LARGEST_BODIES, room))
}

/**
 * Bounds the bytes of all bodies that are held at once, from the head of a request to the end of its reply. A body whose
 * length is told is refused before it is read; any other (compressed, or in chunks) is counted as it comes.
 * @param bodyLimitBytes what one body may take
 */
export function limitBodyMemory(app: FastifyInstance, bodyLimitBytes: number, onRefused: OnRefused): void {
  const mostBytes = maxReservedBytes(bodyLimitBytes, getHeapStatistics().heap_size_limit)
  let reservedBytes = 0
  const hold = (request: FastifyRequest, bytes: number): Problem | undefined => {
    // What was refused may go on being decompressed for a while.
    if (request.isAnswered) return new Problem('body-too-large', 'The request has been answered.')
    if (request.reservedBytes + bytes > mostBytes)
      return new Problem('body-too-large', 'The session has more entries than this service can hold.')
    if (reservedBytes + bytes > mostBytes) {
      onRefused('body-bytes')
      return new Problem('overloaded', 'The bodies of requests that are under way fill what the service can hold.')
    }
    reservedBytes += bytes
    request.reservedBytes += bytes
    return undefined
  }
  app.decorateRequest('reservedBytes', 0)
  app.decorateRequest('reserveElements', null as unknown as FastifyRequest['reserveElements'])
  app.decorateRequest('hasContentLength', false)
  app.decorateRequest('isAnswered', false)
  app.addHook('onRequest', async (request, reply) => {
    // Decompressing takes the header away.
    request.hasContentLength = isTold(request)
    const toldBytes = request.hasContentLength ? Number(request.headers['content-length'] ?? 0) : 0
    const problem = hold(request, Math.min(toldBytes, bodyLimitBytes))
    if (problem !== undefined) throw problem
    request.reserveElements = (count) => {
      const more = count * LEAST_BYTES_OF_ELEMENT - request.reservedBytes
      const refusal = more > 0 ? hold(request, more) : undefined
      if (refusal !== undefined) throw refusal
    }
    reply.raw.once('close', () => {
      reservedBytes -= request.reservedBytes
      request.isAnswered = true
    })
  })
  const countAsItComes: preParsingAsyncHookHandler = async (request, _reply, payload) =>
    request.hasContentLength ? payload : count(payload, (bytes) => hold(request, bytes))
  // A route's own hooks run last: after the one that decompresses, which is one too.
  app.addHook('onRoute', (route) => {
    route.preParsing = [route.preParsing ?? [], countAsItComes].flat()
  })
}

function count(payload: RequestPayload, hold: (bytes: number) => Problem | undefined): RequestPayload {
  const counter = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      done(hold(chunk.length), chunk)
    },
  })
  payload.on('error', (error) => counter.destroy(error))
  // Nobody listens once the request is refused, and an error that nobody hears would end the process.
  counter.on('error', () => payload.unpipe(counter))
  // Fastify compares a body's told length with what came, which the decompressing stream counts on.
  return Object.defineProperty(payload.pipe(counter), 'receivedEncodedLength', {
    get: () => payload.receivedEncodedLength,
  })
}
