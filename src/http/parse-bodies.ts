import type { FastifyInstance } from 'fastify'
import { Problem } from '../errors.ts'
import { parseNdjson } from '../session/parse-ndjson.ts'

/** A parsed NDJSON body, until the route has put the query's fields beside it. */
export class NdjsonLines {
  readonly values: unknown[]

  constructor(values: unknown[]) {
    this.values = values
  }
}

const NDJSON_TYPES = ['application/x-ndjson', 'application/ndjson', 'application/jsonl', 'application/x-jsonlines']

/**
 * Registers the body parsers, JSON and NDJSON. JSON is parsed by `JSON.parse` itself: Fastify's own parser refuses a
 * `__proto__` key, which an agent's transcript may hold; nothing here assigns by a body's keys.
 */
export function parseBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'string' }, async (_request: unknown, body: string) =>
    parseJson(body),
  )
  app.addContentTypeParser(NDJSON_TYPES, { parseAs: 'string' }, async (_request: unknown, body: string) => {
    if (body.trim() === '') throw emptyBody()
    return new NdjsonLines(parseNdjson(withoutMark(body)))
  })
}

function parseJson(body: string): unknown {
  if (body === '') throw emptyBody()
  try {
    return JSON.parse(withoutMark(body)) as unknown
  } catch {
    // The parser's message quotes the body: it goes nowhere.
    const faults = [{ pointer: '', detail: 'is not JSON' }]
    throw new Problem('invalid-request', 'The body is not JSON.', { faults })
  }
}

const emptyBody = (): Problem =>
  new Problem('invalid-request', 'The body is empty.', { faults: [{ pointer: '', detail: 'is empty' }] })

/** Some editors begin a file with a byte order mark; JSON may not have one (RFC 8259, 8.1), and readers may pass over it. */
const withoutMark = (body: string): string => (body.startsWith('\uFEFF') ? body.slice(1) : body)
