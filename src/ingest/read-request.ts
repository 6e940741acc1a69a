import type { TProperties, TSchema } from '@sinclair/typebox'
import type { Validate } from './compile-validator.ts'
import { JsonReader, type IngestOptions } from './json-reader.ts'
import { NdjsonReader } from './ndjson-reader.ts'
import { SessionBody } from './session-body.ts'

/** A request's body as it was received, after decompression. */
export interface ReceivedBody {
  /** Undefined if the request has no body. */
  body: Buffer | undefined
  /** True for NDJSON: the other fields are query parameters. */
  isLines: boolean
  query: Readonly<Record<string, unknown>>
}

/** How a route reads its body. */
export interface RequestReading {
  options: IngestOptions
  validate: Validate
  /** The schema of the entries form, which an NDJSON body has. */
  entriesForm: { properties: TProperties }
}

/**
 * Reads a session's body: parses and checks it, and trims its elements.
 * @returns the request, of the type that the reading's schemas have
 * @throws Problem `invalid-request` with all faults
 */
export function readRequest(body: ReceivedBody, { options, validate, entriesForm }: RequestReading): unknown {
  const parsed = parseBody(body, options)
  if (body.isLines && parsed instanceof SessionBody)
    parsed.fields = { ...readQueryFields(body.query, entriesForm.properties), entries: [] }
  const result = validate(parsed)
  if ('error' in result) throw result.error
  return result.value
}

function parseBody({ body, isLines }: ReceivedBody, options: IngestOptions): unknown {
  if (body === undefined) return undefined
  const reader = isLines ? new NdjsonReader(options.keep) : new JsonReader(options)
  if (body.length > 0) reader.push(body)
  return reader.end()
}

type Query = Readonly<Record<string, unknown>>

/**
 * Returns the fields of an NDJSON body from the query string. Fields of `settings` and of other groups have no prefix there.
 * Numbers, booleans and objects are parsed if the schema has that type; an invalid value stays text, which the schema
 * rejects.
 * @param properties the fields of the form
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

/** Returns the fields of an object schema; none of other schemas. */
const groupOf = (schema: TSchema): TProperties => (schema['properties'] as TProperties | undefined) ?? {}
