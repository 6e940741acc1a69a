import type { FastifyInstance, FastifyRequest, RequestPayload } from 'fastify'
import type { Readable } from 'node:stream'
import { JsonReader, type IngestOptions } from '../ingest/json-reader.ts'
import { NdjsonReader } from '../ingest/ndjson-reader.ts'
import { Problem } from '../errors.ts'
import { BODY_TOO_LARGE } from './problems.ts'

const NDJSON_TYPES = ['application/x-ndjson', 'application/ndjson', 'application/jsonl', 'application/x-jsonlines']

/** For routes without a session in their body. */
const NO_LISTS: IngestOptions = { names: [], keep: 'whole' }

/**
 * Registers the parsers of JSON and NDJSON bodies. They use `JSON.parse`: Fastify's own parser rejects a `__proto__` key,
 * which a transcript may contain, and which is harmless here because nothing is assigned by the keys of a body.
 */
export function parseBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', (request: FastifyRequest, payload: RequestPayload) =>
    readPayload(request, payload, isCollected(request) ? new Collector(false) : new JsonReader(listsOf(request))),
  )
  app.addContentTypeParser(NDJSON_TYPES, (request: FastifyRequest, payload: RequestPayload) =>
    readPayload(request, payload, isCollected(request) ? new Collector(true) : new NdjsonReader(listsOf(request).keep)),
  )
}

/** The body of a route that hands its bytes to a job. */
export interface CollectedBody {
  chunks: Buffer[]
  /** Whether it is NDJSON. */
  isLines: boolean
}

/** Collects the bytes of a body for a job, which parses and checks them. */
class Collector implements PayloadReader {
  readonly elements = 0
  readonly #body: CollectedBody

  constructor(isLines: boolean) {
    this.#body = { chunks: [], isLines }
  }

  push(chunk: Buffer): void {
    this.#body.chunks.push(chunk)
  }

  end(): CollectedBody {
    return this.#body
  }
}

function isCollected({ routeOptions }: FastifyRequest): boolean {
  return routeOptions.config.isJob === true
}

function listsOf({ routeOptions }: FastifyRequest): IngestOptions {
  return routeOptions.config.session ?? NO_LISTS
}

/** Reads a body chunk by chunk. */
interface PayloadReader {
  push: (chunk: Buffer) => void
  /** The number of session elements read so far. */
  readonly elements: number
  /** Returns the parsed body after its last chunk. */
  end: () => unknown
}

/**
 * Reads a body chunk by chunk.
 * @throws Problem `body-too-large` over the limit, which counts both the received and the decompressed bytes; `overloaded`
 * if other bodies use the memory; `invalid-request` if the body is shorter or longer than `Content-Length`
 */
async function readPayload(request: FastifyRequest, payload: RequestPayload, reader: PayloadReader): Promise<unknown> {
  const limitBytes = request.routeOptions.bodyLimit
  const declaredBytes = Number(request.headers['content-length'] ?? Number.NaN)
  if (declaredBytes > limitBytes) throw new Problem('body-too-large', BODY_TOO_LARGE)
  let bytes = 0
  for await (const chunk of chunksOf(payload)) {
    bytes += chunk.length
    if (Math.max(bytes, payload.receivedEncodedLength ?? 0) > limitBytes)
      throw new Problem('body-too-large', BODY_TOO_LARGE)
    reader.push(chunk)
    request.reserveElements(reader.elements)
  }
  if (!Number.isNaN(declaredBytes) && (payload.receivedEncodedLength ?? bytes) !== declaredBytes)
    throw new Problem('invalid-request', 'The length of the body differs from Content-Length.')
  return reader.end()
}

/** Leaves the stream open if reading stops early: the reply is sent over the same connection. */
async function* chunksOf(payload: RequestPayload): AsyncGenerator<Buffer> {
  try {
    for await (const chunk of (payload as Readable).iterator({ destroyOnReturn: false })) yield chunk as Buffer
  } catch (error) {
    if (error instanceof Problem) throw error
    throw Object.assign(error as Error, { statusCode: (error as { statusCode?: number }).statusCode ?? 400 })
  }
}
