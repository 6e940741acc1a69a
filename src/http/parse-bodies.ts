import { PassThrough, type Readable } from 'node:stream'
import type { FastifyInstance, FastifyRequest, RequestPayload } from 'fastify'
import { Problem, PROBLEMS } from '../errors.ts'
import { untilAborted } from '../runtime/abort.ts'
import type { Ticket } from '../runtime/fair-limit.ts'
import { bodyTooLarge } from './problems.ts'

const NDJSON_TYPES = ['application/x-ndjson', 'application/ndjson', 'application/jsonl', 'application/x-jsonlines']

/** Chunks of at least this size are stored as they are. */
const BLOCK_BYTES = 65_536

/** A body as it was received, after decompression. */
export interface CollectedBody {
  chunks: Buffer[]
  /** Whether it is NDJSON. */
  isLines: boolean
  /** The boundary of a form (`multipart/form-data`), '' if it has none; undefined for any other body. */
  boundary?: string
}

/** Smaller bodies have arrived before anything could wait for them. */
const READ_AT_ONCE_BYTES = 65_536

/**
 * Registers the content types of bodies. They are only collected here: a job parses and checks them.
 * @param whenNoneLeft waits for jobs that a caller has left behind, before another body of this caller is read
 */
export function parseBodies(
  app: FastifyInstance,
  whenNoneLeft: (ticket: Ticket) => Promise<void> = () => Promise.resolve(),
): void {
  const collect = async (request: FastifyRequest, payload: RequestPayload): Promise<CollectedBody> => {
    if (!(Number(request.headers['content-length']) <= READ_AT_ONCE_BYTES)) await whenNoneLeft(request.budget)
    return collectBody(request, payload)
  }
  readToTheEnd(app)
  app.removeAllContentTypeParsers()
  // `curl --data-binary` names no useful type. Pages of other origins are refused before (check-origin.ts).
  for (const type of ['application/json', '*']) app.addContentTypeParser(type, collect)
  app.addContentTypeParser(NDJSON_TYPES, async (request: FastifyRequest, payload: RequestPayload) => ({
    ...(await collect(request, payload)),
    isLines: true,
  }))
  app.addContentTypeParser('multipart/form-data', async (request: FastifyRequest, payload: RequestPayload) => ({
    ...(await collect(request, payload)),
    boundary: boundaryOf(request.headers['content-type']),
  }))
}

/** The parameter of a content type (RFC 2046, section 5.1.1). */
const BOUNDARY = /;[ \t]{0,8}boundary=(?:"([^"]{1,70})"|([^;\s"]{1,70})(?=;|\s|$))/i

function boundaryOf(contentType: string | undefined): string {
  const [, quoted, plain = ''] = BOUNDARY.exec(contentType ?? '') ?? []
  return quoted ?? plain
}

/**
 * Reads the rest of a refused body after its reply, and keeps the connection open, for at most the time limit of bodies. Fastify
 * would close it at once, with bytes unread: then the system may discard the reply, and those before it (RFC 9112, section 9.6).
 */
function readToTheEnd(app: FastifyInstance): void {
  app.addHook('onRequest', async ({ raw }, reply) => {
    reply.raw.once('finish', () => {
      // Node reads the rest itself only if no reading has begun.
      raw.removeAllListeners('readable').unpipe()
      raw.resume()
    })
  })
  app.addHook('onSend', async (_request, reply) => {
    // A body that has not arrived by the deadline is not waited for.
    if (reply.statusCode !== PROBLEMS['deadline-exceeded'].status) reply.removeHeader('connection')
  })
  app.addHook('preParsing', async ({ headers }, _reply, payload) =>
    // A decompressor destroys what it reads if the bytes are broken, and a destroyed request closes its connection.
    headers['content-encoding'] === undefined ? payload : payload.pipe(new PassThrough()),
  )
}

/**
 * Collects a body chunk by chunk.
 * @throws Problem `body-too-large` over the limit, which counts both the received and the decompressed bytes; `overloaded`
 * if other bodies use the memory; `deadline-exceeded`; `invalid-request` if the body is shorter or longer than
 * `Content-Length`
 */
async function collectBody(request: FastifyRequest, payload: RequestPayload): Promise<CollectedBody> {
  const limitBytes = request.routeOptions.bodyLimit
  const declaredBytes = Number(request.headers['content-length'] ?? Number.NaN)
  if (declaredBytes > limitBytes) throw bodyTooLarge(limitBytes, declaredBytes)
  const blocks = new Blocks()
  let bytes = 0
  for await (const chunk of chunksOf(payload, request.budget.signal)) {
    bytes += chunk.length
    if (Math.max(bytes, payload.receivedEncodedLength ?? 0) > limitBytes) throw bodyTooLarge(limitBytes)
    request.memory.add(chunk.length)
    blocks.add(chunk)
  }
  if (!Number.isNaN(declaredBytes) && (payload.receivedEncodedLength ?? bytes) !== declaredBytes)
    throw new Problem('invalid-request', 'The length of the body differs from Content-Length.')
  return { chunks: blocks.end(), isLines: false }
}

/** Stores chunks in at most twice their memory, however tiny they are: a Buffer of its own takes half a kilobyte. */
class Blocks {
  readonly #blocks: Buffer[] = []
  #bytes = 0
  /** The unused part of the last block. */
  #room = Buffer.alloc(0)

  add(chunk: Buffer): void {
    const copiedBytes = chunk.copy(this.#room)
    this.#room = this.#room.subarray(copiedBytes)
    this.#bytes += chunk.length
    if (copiedBytes === chunk.length) return
    const rest = chunk.subarray(copiedBytes)
    if (rest.length >= BLOCK_BYTES) this.#blocks.push(rest)
    else this.#open(rest)
  }

  /** Returns the blocks, without the unused part. */
  end(): Buffer[] {
    const last = this.#blocks.pop()
    return last === undefined ? [] : [...this.#blocks, last.subarray(0, last.length - this.#room.length)]
  }

  /** Begins a block that is as large as all others together. */
  #open(start: Buffer): void {
    const block = Buffer.allocUnsafe(Math.max(start.length, Math.min(BLOCK_BYTES, this.#bytes)))
    this.#blocks.push(block)
    this.#room = block.subarray(start.copy(block))
  }
}

/** Leaves the stream open if reading stops early: the reply is sent over the same connection. */
async function* chunksOf(payload: RequestPayload, signal: AbortSignal): AsyncGenerator<Buffer> {
  const chunks = (payload as Readable).iterator({ destroyOnReturn: false }) as AsyncIterator<Buffer>
  try {
    for (;;) {
      const next = await untilAborted(chunks.next(), signal)
      if (next.done === true) return
      yield next.value
    }
  } catch (error) {
    if (error instanceof Problem || signal.aborted) throw error
    throw Object.assign(error as Error, { statusCode: (error as { statusCode?: number }).statusCode ?? 400 })
  }
}
