import type { TProperties, TSchema } from '@sinclair/typebox'
import { SettingsSchema } from './settings.ts'

type Query = Readonly<Record<string, unknown>>

/**
 * Reads the fields that go with an NDJSON body from the query string: the form's own by their names, the settings' by
 * theirs without a prefix. Numbers, booleans and JSON objects are read as such where the schema asks for them; what
 * cannot be read stays text, for the schema to complain of.
 * @param properties the form's fields
 */
export function readQueryFields(query: Query, properties: TProperties): Record<string, unknown> {
  const settings = pick(query, SettingsSchema.properties)
  return { ...pick(query, properties), ...(Object.keys(settings).length > 0 ? { settings } : {}) }
}

function pick(query: Query, properties: TProperties): Record<string, unknown> {
  const fields: Record<string, unknown> = {}
  for (const [name, schema] of Object.entries(properties)) {
    if (Object.hasOwn(query, name)) fields[name] = readValue(query[name], schema)
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
