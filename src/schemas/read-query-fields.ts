import type { TProperties, TSchema } from '@sinclair/typebox'

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

/** The fields of an object that has any of its own. */
const groupOf = (schema: TSchema): TProperties => (schema['properties'] as TProperties | undefined) ?? {}

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
