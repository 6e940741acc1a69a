import type { Static, TProperties, TSchema } from '@sinclair/typebox'
import { Problem } from '../errors.ts'
import { MAX_FAULTS } from '../schemas/find-faults.ts'
import type { Ignored } from '../schemas/ignored.ts'
import { fieldsOf, type ByteRange, type Entry, type Session } from '../session/entry.ts'
import { compileForms, invalidBody, type Validate } from './compile-validator.ts'
import { countFields, groupOf, IgnoredParts } from './count-ignored.ts'
import { parseRange, readJson, readLines, type ListOptions, type ParsedBody } from './read-body.ts'
import type { ListName } from './read-elements.ts'

/** A request's body as it was received, after decompression. */
export interface ReceivedBody {
  /** The whole body; undefined if the request has none. */
  body: Buffer | undefined
  /** True for NDJSON: the other fields are query parameters. */
  isLines: boolean
  query: Readonly<Record<string, unknown>>
}

/** How a route reads its body. */
export interface RequestReading<Form> extends ListOptions {
  validate: Validate<Form>
  /** True if messages are kept whole; false if only the parts are kept that a transcript may show. */
  isWhole: boolean
  /** The schema of the entries form, which an NDJSON body has; undefined if the route reads JSON only. */
  entriesForm?: { properties: TProperties }
}

/**
 * Returns how a route reads a session's body.
 * @param forms the schema of each form, by the field that selects it
 */
export function readingOf<F extends SessionForms>(forms: F, isWhole: boolean): RequestReading<Static<F[keyof F]>> {
  return { lists: ['entries', 'messages'], isWhole, validate: compileForms(forms), entriesForm: forms.entries }
}

type SessionForms = Readonly<Record<string, TSchema>> & { entries: { properties: TProperties } }

/** A checked request: of a form with a session if `Form` has a list, otherwise of another form. */
export type ReadRequest<Form> =
  Form extends Partial<Record<ListName, unknown>>
    ? SessionRequest<Omit<Form, ListName>>
    : { fields: Form; session?: undefined; source?: undefined; ignored: Ignored | undefined }

/** A checked request with a session. */
export interface SessionRequest<Fields> {
  /** All fields but the session. */
  fields: Fields
  session: Session
  source: SessionSource
  /** Parts of the request that are read nowhere, with their names as they came; undefined if there are none. */
  ignored: Ignored | undefined
}

/** A session as it is in the body. */
export interface SessionSource {
  name: ListName
  body: Buffer
  /** Where the elements are, in their order, lines of a session file that are not entries included. */
  ranges: readonly ByteRange[]
}

/**
 * Reads the body of a request: parses it, checks it, and reads its session.
 * @param defaults the budget of a transcript, if the request sets none
 * @throws Problem `invalid-request` with all faults, `invalid-session`
 */
export function readRequest<Form>(
  received: ReceivedBody,
  reading: RequestReading<Form>,
  defaults: { transcriptTokens: number },
): ReadRequest<Form> {
  const { rest, lists, unread } = parseBody(received, reading)
  const { value: fields, properties } = check(rest, lists, reading.validate)
  const [list] = lists
  const parts = list?.ignored ?? new IgnoredParts()
  countFields(fields, properties, parts)
  for (const [name, value] of unread) parts.add('query', name, Array.isArray(value) ? value.length : 1)
  const ignored = parts.found()
  if (list === undefined || received.body === undefined) return { fields, ignored } as ReadRequest<Form>
  const { [list.name]: _elements, ...others } = fieldsOf(fields)
  const source = { name: list.name, body: received.body, ranges: list.ranges }
  const session = list.link(reading.isWhole ? undefined : transcriptTokensOf(others, defaults))
  // The validator has checked that the fields are those of `Form`.
  return { fields: others, session, source, ignored } satisfies SessionRequest<object> as ReadRequest<Form>
}

/** Returns the budget of a transcript, in tokens: the request's own, or the default. */
export function transcriptTokensOf(fields: object, { transcriptTokens }: { transcriptTokens: number }): number {
  const own = fieldsOf(fieldsOf(fields)['settings'])['transcriptTokens']
  return typeof own === 'number' ? own : transcriptTokens
}

/** Returns the message of an entry as it is in the body; a `custom_message` entry is its own message. */
export function readRawMessage(
  { name, body }: SessionSource,
  { range, type }: Entry,
): Readonly<Record<string, unknown>> {
  const raw = fieldsOf(parseRange(body, range))
  return name === 'entries' && type === 'message' ? fieldsOf(raw['message']) : raw
}

const JSON_ONLY = 'This route does not read NDJSON. Send the body as application/json.'

interface ReceivedFields extends ParsedBody {
  /** The query parameters that are read nowhere. */
  unread: readonly (readonly [name: string, value: unknown])[]
}

function parseBody<Form>({ body, isLines, query }: ReceivedBody, reading: RequestReading<Form>): ReceivedFields {
  const parameters = Object.entries(query)
  if (body === undefined) return { rest: undefined, lists: [], unread: parameters }
  if (!isLines) return { ...readJson(body, reading), unread: parameters }
  if (reading.entriesForm === undefined) throw new Problem('unsupported-media-type', JSON_ONLY)
  const entries = readLines(body)
  const { entries: _lines, ...properties } = reading.entriesForm.properties
  const read = new Set<string>()
  const rest = { ...readQueryFields(query, properties, read), entries: [] }
  return { rest, lists: [entries], unread: parameters.filter(([name]) => !read.has(name)) }
}

type Checked<Form> = Exclude<ReturnType<Validate<Form>>, { error: unknown }>

/** Returns the checked rest of a body. @throws Problem with its faults and those of the lists */
function check<Form>(rest: unknown, lists: ParsedBody['lists'], validate: Validate<Form>): Checked<Form> {
  const result = validate(rest)
  const others = 'error' in result ? result.error.faults : []
  // If the form is unknown, the other faults mean nothing.
  if ('error' in result && others.some(({ pointer }) => pointer === '')) throw result.error
  const faults = [...lists.flatMap((list) => list.faults), ...others]
  if (faults.length > 0) throw invalidBody(faults.slice(0, MAX_FAULTS))
  if ('error' in result) throw result.error
  return result
}

type Query = Readonly<Record<string, unknown>>

/**
 * Returns the fields of an NDJSON body from the query string. Fields of `settings` and of other groups have no prefix there.
 * Numbers, booleans and objects are parsed if the schema has that type; an invalid value stays text, which the schema
 * rejects.
 * @param properties the fields of the form
 * @param read receives the names of the parameters that are read
 */
function readQueryFields(query: Query, properties: TProperties, read: Set<string>): Record<string, unknown> {
  const fields: Record<string, unknown> = {}
  for (const [name, schema] of Object.entries(properties)) {
    if (Object.hasOwn(query, name)) {
      fields[name] = readValue(query[name], schema)
      read.add(name)
      continue
    }
    const group = readQueryFields(query, groupOf(schema), read)
    if (Object.keys(group).length > 0) fields[name] = group
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
