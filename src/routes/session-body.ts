import type { TProperties, TSchema } from '@sinclair/typebox'
import type { preValidationAsyncHookHandler } from 'fastify'
import type { IngestOptions } from '../ingest/json-reader.ts'
import { SessionBody } from '../ingest/session-body.ts'

/** For routes that plan over the active branch. */
export const PLANNED_SESSION: IngestOptions = { names: ['entries', 'messages'], keep: 'considered' }

/** For routes that hand entries or messages back. */
export const WHOLE_SESSION: IngestOptions = { names: ['entries', 'messages'], keep: 'whole' }

/** For the route that compares branches: what an earlier compaction covers may be on the one that is left. */
export const TREE_OF_ENTRIES: IngestOptions = { names: ['entries'], keep: 'shown' }

/** The fields of an object that has any of its own. */
const groupOf = (schema: TSchema): TProperties => (schema['properties'] as TProperties | undefined) ?? {}

/**
 * Makes the entries form of an NDJSON body: its lines are the entries, its other fields are query parameters. A JSON
 * body stays as it is.
 * @param form the route's schema of the entries form
 */
export const readNdjsonForm =
  (form: { properties: TProperties }): preValidationAsyncHookHandler =>
  async (request) => {
    const { body } = request
    if (!(body instanceof SessionBody) || !body.isLines) return
    body.fields = { ...readQueryFields(request.query as Record<string, unknown>, form.properties), entries: [] }
  }

type Query = Readonly<Record<string, unknown>>

/**
 * Reads the fields that go with an NDJSON body from the query string, by their names; those of `settings` and other
 * groups stand there without a prefix. Numbers, booleans and JSON objects are read as such where the schema asks for
 * them; what cannot be read stays text, for the schema to complain of.
 * @param properties the form's fields
 */
export function readQueryFields(query: Query, properties: TProperties): Record<string, unknown> {
  const fields: Record<string, unknown> = {}
  for (const [name, schema] of Object.entries(properties)) {
    const group = readQueryFields(query, groupOf(schema))
    if (Object.hasOwn(query, name)) fields[name] = readValue(query[name], schema)
    else if (Object.keys(group).length > 0) fields[name] = group
  }
  return fields
}

function readValue(value: unknown, schema: TSchema): unknown {
  if (schema['type'] === 'array') return Array.isArray(value) ? value : [value]
  if (typeof value !== 'string') return value
  switch (schema['type']) {
    case 'integer':
    case 'number':
    case 'boolean':
    case 'object':
      return parseJson(value)
    default:
      return value
  }
}

function parseJson(value: string): unknown {
  try {
    return JSON.parse(value) as unknown
  } catch {
    return value
  }
}
