import type { FastifyInstance, FastifyRequest, preParsingAsyncHookHandler, RequestPayload } from 'fastify'
import { Transform } from 'node:stream'
import { getHeapStatistics } from 'node:v8'
import { Problem } from '../errors.ts'
import type { OnRefused } from './admission.ts'

/** How many bodies of the largest size may be in memory at once: running out of memory would end all requests. */
const MAX_LARGEST_BODIES = 4

/**
 * How many bytes of the heap one byte of a body takes while it is worked on, with a margin: measured were 1.2 to 4.1 for
 * sessions, and 30 for a transcript of a million turns of a few words (docs/operations.md).
 */
const HEAP_BYTES_PER_BODY_BYTE = 10

/** The least that an element of a session counts for: a million of the smallest would take a gigabyte of the heap. */
const MIN_ELEMENT_BYTES = 150

declare module 'fastify' {
  interface FastifyRequest {
    /** The memory that is reserved for the body of the request. */
    reservedBytes: number
    /** Reserves memory for the elements of a session read so far. @throws Problem if there is not enough */
    reserveElements: (count: number) => void
    /** Whether `Content-Length` is the length of the body in memory: it is neither compressed nor sent in chunks. */
    hasContentLength: boolean
    /** Whether the reply has ended, and with it the reservation. */
    isAnswered: boolean
  }
}

/**
 * Limits the memory for the bodies of all requests at the same time, from the head of a request to the end of its reply. A
 * body with `Content-Length` is refused before it is read; a compressed or chunked one is counted while it is read.
 * @param bodyLimitBytes the largest size of one body
 */
export function limitBodyMemory(app: FastifyInstance, bodyLimitBytes: number, onRefused: OnRefused): void {
  const reservation = new Reservation(maxReservedBytes(bodyLimitBytes, getHeapStatistics().heap_size_limit), onRefused)
  app.decorateRequest('reservedBytes', 0)
  app.decorateRequest('hasContentLength', false)
  app.decorateRequest('isAnswered', false)
  app.decorateRequest('reserveElements', function (count) {
    const bytes = count * MIN_ELEMENT_BYTES - this.reservedBytes
    const problem = bytes > 0 ? reservation.reserve(this, bytes) : undefined
    if (problem !== undefined) throw problem
  })
  app.addHook('onRequest', async (request, reply) => {
    // Read here, because decompression removes the header.
    request.hasContentLength = hasFinalLength(request)
    const bytes = request.hasContentLength ? Number(request.headers['content-length'] ?? 0) : 0
    const problem = reservation.reserve(request, Math.min(bytes, bodyLimitBytes))
    if (problem !== undefined) throw problem
    reply.raw.once('close', () => {
      reservation.release(request)
    })
  })
  const reserveWhileReading: preParsingAsyncHookHandler = async (request, _reply, payload) =>
    request.hasContentLength ? payload : countBytes(payload, (bytes) => reservation.reserve(request, bytes))
  // A route's own hooks run last: after the one that decompresses, which is a route's own hook too.
  app.addHook('onRoute', (route) => {
    route.preParsing = [route.preParsing ?? [], reserveWhileReading].flat()
  })
}

/**
 * Returns how many bytes of bodies may be in memory at once: four of the largest if the heap has room for them, and at
 * least one.
 * @param heapLimitBytes the size at which the process would run out of memory
 */
export function maxReservedBytes(bodyLimitBytes: number, heapLimitBytes: number): number {
  const room = Math.floor(heapLimitBytes / HEAP_BYTES_PER_BODY_BYTE)
  return Math.max(bodyLimitBytes, Math.min(bodyLimitBytes * MAX_LARGEST_BODIES, room))
}

class Reservation {
  readonly #maxBytes: number
  readonly #onRefused: OnRefused
  #reservedBytes = 0

  constructor(maxBytes: number, onRefused: OnRefused) {
    this.#maxBytes = maxBytes
    this.#onRefused = onRefused
  }

  /** Reserves more memory for a request. @returns why it cannot, if it cannot */
  reserve(request: FastifyRequest, bytes: number): Problem | undefined {
    // The body of a refused request may go on being decompressed for a while.
    if (request.isAnswered) return new Problem('body-too-large', 'The request has already been answered.')
    if (request.reservedBytes + bytes > this.#maxBytes)
      return new Problem(
        'body-too-large',
        'The session has more entries than the memory of this service allows. Send fewer entries.',
      )
    if (this.#reservedBytes + bytes > this.#maxBytes) {
      this.#onRefused('body-bytes')
      return new Problem('overloaded', 'The bodies of other requests use all memory for bodies. Try again later.')
    }
    this.#reservedBytes += bytes
    request.reservedBytes += bytes
    return undefined
  }

  release(request: FastifyRequest): void {
    this.#reservedBytes -= request.reservedBytes
    request.isAnswered = true
  }
}

function hasFinalLength({ headers }: FastifyRequest): boolean {
  return headers['content-encoding'] === undefined && headers['transfer-encoding'] === undefined
}

/** Passes a body on, and counts its bytes. */
function countBytes(payload: RequestPayload, reserve: (bytes: number) => Problem | undefined): RequestPayload {
  const counter = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      done(reserve(chunk.length), chunk)
    },
  })
  payload.on('error', (error) => counter.destroy(error))
  // After a refusal nobody else listens, and an error event without a listener would end the process.
  counter.on('error', () => payload.unpipe(counter))
  // Fastify compares Content-Length with this count, which the decompressing stream has.
  return Object.defineProperty(payload.pipe(counter), 'receivedEncodedLength', {
    get: () => payload.receivedEncodedLength,
  })
}
