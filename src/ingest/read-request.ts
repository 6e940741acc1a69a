import type { TProperties } from '@sinclair/typebox'
import type { Validate } from './compile-validator.ts'
import { JsonReader, type IngestOptions } from './json-reader.ts'
import { NdjsonReader } from './ndjson-reader.ts'
import { readQueryFields } from './query-fields.ts'
import { SessionBody } from './session-body.ts'

/** A request's body as it was received, after decompression. */
export interface ReceivedBody {
  /** Undefined if the request has no body. */
  chunks: readonly Buffer[] | undefined
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

function parseBody({ chunks, isLines }: ReceivedBody, options: IngestOptions): unknown {
  if (chunks === undefined) return undefined
  const reader = isLines ? new NdjsonReader(options.keep) : new JsonReader(options)
  for (const chunk of chunks) reader.push(chunk)
  return reader.end()
}
