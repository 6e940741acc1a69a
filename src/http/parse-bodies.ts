import type { FastifyInstance, FastifyRequest, RequestPayload } from 'fastify'
import type { Readable } from 'node:stream'
import { JsonReader, type SessionLists } from '../ingest/json-reader.ts'
import { NdjsonReader } from '../ingest/ndjson-reader.ts'
import { Problem } from '../errors.ts'
import { createYielder } from '../runtime/cooperative.ts'

const NDJSON_TYPES = ['application/x-ndjson', 'application/ndjson', 'application/jsonl', 'application/x-jsonlines']

/** A route that takes no session. */
const NO_LISTS: SessionLists = { names: [], keep: 'whole' }

const listsOf = ({ routeOptions }: FastifyRequest): SessionLists => routeOptions.config.session ?? NO_LISTS

/**
 * Registers the body parsers, JSON and NDJSON. JSON is parsed by `JSON.parse` itself: Fastify's own parser refuses a
 * `__proto__` key, which an agent's transcript may hold; nothing here assigns by a body's keys.
 */
export function parseBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', (request: FastifyRequest, payload: RequestPayload) =>
    readPayload(request, payload, new JsonReader(listsOf(request))),
  )
  app.addContentTypeParser(NDJSON_TYPES, (request: FastifyRequest, payload: RequestPayload) =>
    readPayload(request, payload, new NdjsonReader(listsOf(request).keep)),
  )
}

/** What is read of a body as its bytes come. */
export interface PayloadReader {
  push: (chunk: Buffer) => void
  /** How many elements of a session it has read. */
  readonly elements: number
  /** What the body holds, once all of it has come. */
  end: () => unknown
}

const tooLarge = (): Problem =>
  new Problem('body-too-large', 'The body, once decompressed, is larger than this service takes.')

/**
 * Reads a body as it comes, and gives the event loop turns meanwhile.
 * @throws Problem `body-too-large` past the limit, which counts what was decompressed and what came; `overloaded` where
 * others hold too much; `invalid-request` where less came than was told, or the stream broke
 */
export async function readPayload(
  request: FastifyRequest,
  payload: RequestPayload,
  reader: PayloadReader,
): Promise<unknown> {
  const limitBytes = request.routeOptions.bodyLimit
  const toldBytes = Number(request.headers['content-length'] ?? Number.NaN)
  if (toldBytes > limitBytes) throw tooLarge()
  const yieldIfDue = createYielder()
  let bytes = 0
  for await (const chunk of chunksOf(payload)) {
    bytes += chunk.length
    if (Math.max(bytes, payload.receivedEncodedLength ?? 0) > limitBytes) throw tooLarge()
    reader.push(chunk)
    request.reserveElements(reader.elements)
    await yieldIfDue()
  }
  if (!Number.isNaN(toldBytes) && (payload.receivedEncodedLength ?? bytes) !== toldBytes)
    throw new Problem('invalid-request', 'The body is not as long as its head says.')
  return reader.end()
}

/** The stream is not ended by who stops to read it: the reply goes out over the same connection. */
async function* chunksOf(payload: RequestPayload): AsyncGenerator<Buffer> {
  try {
    for await (const chunk of (payload as Readable).iterator({ destroyOnReturn: false })) yield chunk as Buffer
  } catch (error) {
    if (error instanceof Problem) throw error
    throw Object.assign(error as Error, { statusCode: (error as { statusCode?: number }).statusCode ?? 400 })
  }
}
