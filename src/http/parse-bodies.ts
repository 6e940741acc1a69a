import type { FastifyInstance, FastifyRequest, RequestPayload } from 'fastify'
import { JsonReader, type SessionLists } from '../ingest/json-reader.ts'
import { NdjsonReader } from '../ingest/ndjson-reader.ts'
import { readPayload } from './read-payload.ts'

const NDJSON_TYPES = ['application/x-ndjson', 'application/ndjson', 'application/jsonl', 'application/x-jsonlines']

/** A route that takes no session. */
const NO_LISTS: SessionLists = { names: [], keep: 'whole' }

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The lists of a session in the route's body, which are read element by element. */
    session?: SessionLists
  }
}

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

const listsOf = ({ routeOptions }: FastifyRequest): SessionLists => routeOptions.config.session ?? NO_LISTS
