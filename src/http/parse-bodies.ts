import type { FastifyInstance, FastifyRequest, RequestPayload } from 'fastify'
import type { Readable } from 'node:stream'
import { readJson } from '../ingest/read-body.ts'
import { Problem } from '../errors.ts'
import { BODY_TOO_LARGE } from './problems.ts'

const NDJSON_TYPES = ['application/x-ndjson', 'application/ndjson', 'application/jsonl', 'application/x-jsonlines']

/**
 * Registers the parsers of JSON and NDJSON bodies. They use `JSON.parse`: Fastify's own parser rejects a `__proto__` key,
 * which a transcript may contain, and which is harmless here because nothing is assigned by the keys of a body.
 */
export function parseBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', async (request: FastifyRequest, payload: RequestPayload) => {
    const body = await collectBody(request, payload, false)
    return isCollected(request) ? body : readJson(Buffer.concat(body.chunks), NO_LISTS).rest
  })
  app.addContentTypeParser(NDJSON_TYPES, async (request: FastifyRequest, payload: RequestPayload) => {
    if (!isCollected(request)) throw new Problem('unsupported-media-type', 'This route does not read NDJSON.')
    return collectBody(request, payload, true)
  })
}

/** For routes without a session in their body. */
const NO_LISTS = { lists: [], isWhole: true }

/** The bytes of a body, for a route that parses it later. */
export interface CollectedBody {
  chunks: Buffer[]
  /** Whether it is NDJSON. */
  isLines: boolean
}

function isCollected({ routeOptions }: FastifyRequest): boolean {
  return routeOptions.config.isJob === true
}

/**
 * Collects the bytes of a body.
 * @throws Problem `body-too-large` over the limit, which counts both the received and the decompressed bytes; `overloaded`
 * if other bodies use the memory; `invalid-request` if the body is shorter or longer than `Content-Length`
 */
async function collectBody(request: FastifyRequest, payload: RequestPayload, isLines: boolean): Promise<CollectedBody> {
  const chunks: Buffer[] = []
  const limitBytes = request.routeOptions.bodyLimit
  const declaredBytes = Number(request.headers['content-length'] ?? Number.NaN)
  if (declaredBytes > limitBytes) throw new Problem('body-too-large', BODY_TOO_LARGE)
  let bytes = 0
  for await (const chunk of chunksOf(payload)) {
    bytes += chunk.length
    if (Math.max(bytes, payload.receivedEncodedLength ?? 0) > limitBytes)
      throw new Problem('body-too-large', BODY_TOO_LARGE)
    chunks.push(chunk)
  }
  if (!Number.isNaN(declaredBytes) && (payload.receivedEncodedLength ?? bytes) !== declaredBytes)
    throw new Problem('invalid-request', 'The length of the body differs from Content-Length.')
  return { chunks, isLines }
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
