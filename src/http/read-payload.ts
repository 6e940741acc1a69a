import type { FastifyRequest, RequestPayload } from 'fastify'
import type { Readable } from 'node:stream'
import { Problem } from '../errors.ts'
import { createPace } from '../pace.ts'

/** What is read of a body as its bytes come. */
export interface PayloadReader {
  push: (chunk: Buffer) => void
  /** How many elements of a session it has read. */
  readonly elements: number
  /** What the body holds, once all of it has come. */
  end: () => unknown
}

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
  const pace = createPace()
  let bytes = 0
  for await (const chunk of chunksOf(payload)) {
    bytes += chunk.length
    if (Math.max(bytes, payload.receivedEncodedLength ?? 0) > limitBytes) throw tooLarge()
    reader.push(chunk)
    request.holdElements(reader.elements)
    await pace()
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

const tooLarge = (): Problem =>
  new Problem('body-too-large', 'The body, once decompressed, is larger than this service takes.')
