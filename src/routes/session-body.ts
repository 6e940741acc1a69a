import type { TProperties, TSchema } from '@sinclair/typebox'
import type { preValidationAsyncHookHandler } from 'fastify'
import type { IngestOptions } from '../ingest/json-reader.ts'
import { SessionBody } from '../ingest/session-body.ts'

/** For routes that plan over the active branch. */
export const PLANNED_SESSION: IngestOptions = { names: ['entries', 'messages'], keep: 'considered' }

/** For routes that return entries or messages. */
export const WHOLE_SESSION: IngestOptions = { names: ['entries', 'messages'], keep: 'whole' }

/** For the route that compares branches: a part that a compaction covers may be on the branch that is left. */
export const TREE_OF_ENTRIES: IngestOptions = { names: ['entries'], keep: 'shown' }

/** Returns the fields of an object schema; none of other schemas. */
const groupOf = (schema: TSchema): TProperties => (schema['properties'] as TProperties | undefined) ?? {}

/**
 * Returns a hook that turns an NDJSON body into the entries form: its lines are the entries, and its other fields are query
 * parameters. It does not change a JSON body.
 * @param form the schema of the entries form of the route
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
 * Returns the fields of an NDJSON body from the query string. Fields of `settings` and of other groups have no prefix there.
 * Numbers, booleans and objects are parsed if the schema has that type; an invalid value stays text, which the schema
 * rejects.
 * @param properties the fields of the form
 */
function readQueryFields(query: Query, properties: TProperties): Record<string, unknown> {
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
