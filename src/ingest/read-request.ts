import type { Static, TProperties, TSchema } from '@sinclair/typebox'
import type { PostedSession } from '../agents/appender.ts'
import { isMessageList } from '../agents/native.ts'
import type { Fault } from '../errors.ts'
import { withOwnLimits, type CompactionSettings } from '../plan/settings.ts'
import { MAX_FAULTS } from '../schemas/find-faults.ts'
import type { FormatId } from '../schemas/format.ts'
import type { Ignored } from '../schemas/ignored.ts'
import { fieldsOf, type ByteRange, type Entry, type Session } from '../session/entry.ts'
import { writeEntry } from '../session/write-entry.ts'
import type { SummaryLimits } from '../settings.ts'
import { ownFormat } from './choose-reader.ts'
import { compileForms, invalidRequest, type Validate } from './compile-validator.ts'
import { countFields, findMisnamed, IgnoredParts } from './count-ignored.ts'
import { moveFaults, movePointers } from './envelope.ts'
import { markSummaries } from './mark-summaries.ts'
import { parseBody, type ReceivedBody } from './parse-body.ts'
import { parseRange, type BodyForms } from './read-body.ts'
import type { ListName } from './read-elements.ts'
import { trimMessage } from './trim-message.ts'

interface RequestReading<Form> extends BodyForms {
  validate: Validate<Form>
}

/**
 * Returns how a route reads a session's body.
 * @param forms the schema of each form, by the field that selects it
 */
export function readingOf<F extends SessionForms>(forms: F, isWhole: boolean): RequestReading<Static<F[keyof F]>> {
  const fields = Object.keys(forms)
  return { lists: ['entries', 'messages'], fields, isWhole, validate: compileForms(forms), entriesForm: forms.entries }
}

type SessionForms = Readonly<Record<string, TSchema>> & { entries: { properties: TProperties } }

/** A checked request: of a form with a session if `Form` has a list, otherwise of another form. */
export type ReadRequest<Form> =
  Form extends Partial<Record<ListName, unknown>>
    ? SessionRequest<Omit<Form, ListName>>
    : { fields: Form; session?: undefined; source?: undefined; ignored: Ignored | undefined; format?: undefined }

/** A checked request with a session. */
export interface SessionRequest<Fields> {
  /** All fields but the session. */
  fields: Fields
  session: Session
  source: SessionSource
  /** Parts of the request that were not read, with the names in the request; undefined if all were read. */
  ignored: Ignored | undefined
  /** The format of the document; undefined if the body has the service's own entries or messages form. */
  format: FormatId | undefined
}

/** Returns the format of a session, also of the service's own forms. */
export const formatOf = ({ format, source }: Pick<SessionRequest<object>, 'format' | 'source'>): FormatId =>
  format ?? ownFormat(source.name)

/** The elements of a session file include lines that are not entries. */
export interface SessionSource extends Pick<PostedSession, 'body' | 'isLines' | 'places' | 'elements'> {
  name: ListName
  /** Where the body begins in the posted document, in bytes. */
  offset: number
  /** The entries of a foreign format, by their range. */
  entries?: ReadonlyMap<ByteRange, Entry> | undefined
}

/**
 * Reads the body of a request: parses it, checks it, and reads its session.
 * @param defaults the limits of a request that sets none
 * @throws Problem `invalid-request` with all faults, `invalid-session`
 */
export function readRequest<Form>(
  received: ReceivedBody,
  reading: RequestReading<Form>,
  defaults: SummaryLimits,
): ReadRequest<Form> {
  const {
    rest,
    lists,
    unread,
    parameters,
    body,
    format,
    isLines = false,
    toPointer = asItIs,
    offset = 0,
  } = parseBody(received, reading)
  const elementFaults = movePointers(
    lists.flatMap((list) => list.faults),
    toPointer,
  )
  const { value, properties } = check({ rest, elementFaults, parameters }, reading)
  const [list] = lists
  const parts = list?.ignored ?? new IgnoredParts()
  countFields(value, properties, parts)
  const fields = knownFields(value, properties)
  for (const [name, value] of unread) parts.add('query', name, Array.isArray(value) ? value.length : 1)
  if (list === undefined || body === undefined) return { fields, ignored: parts.found() } as ReadRequest<Form>
  const { [list.name]: _elements, ...others } = fieldsOf(fields)
  const session = moveFaults(() => list.link(), toPointer)
  if (list.format !== undefined && isMessageList(list.format)) markSummaries(session.entries, list)
  // The validator has checked that the fields are those of `Form`.
  const settings: CompactionSettings = fieldsOf(others['settings'])
  if (!reading.isWhole) trimSession(session, withOwnLimits(defaults, settings).transcriptTokens)
  const entries = list.format === undefined ? undefined : new Map(session.entries.map((entry) => [entry.range, entry]))
  const { name, places, elements } = list
  const source: SessionSource = { name, places, elements, body, isLines, offset, entries }
  const request: SessionRequest<object> = { fields: others, session, source, ignored: parts.found(), format }
  return request as ReadRequest<Form>
}

/** Returns the fields that the form has: no schema has checked the others. */
const knownFields = (value: unknown, properties: TProperties): object =>
  Object.fromEntries(Object.entries(fieldsOf(value)).filter(([name]) => Object.hasOwn(properties, name)))

/** Trims the messages of a session to what a transcript may show. */
function trimSession({ entries }: Session, transcriptTokens: number | undefined): void {
  for (const entry of entries)
    if (entry.message !== undefined) entry.message = trimMessage(entry.message, transcriptTokens)
}

/** Returns an element of a session in the format of pi. The session must have been read whole. */
export function readRawElement({ body, entries }: SessionSource, range: ByteRange): Readonly<Record<string, unknown>> {
  const entry = entries?.get(range)
  return entry === undefined ? fieldsOf(parseRange(body, range)) : writeEntry(entry)
}

/** Returns the message of an entry as it is in the body; a `custom_message` entry is its own message. */
export function readRawMessage(source: SessionSource, { range, type }: Entry): Readonly<Record<string, unknown>> {
  const raw = readRawElement(source, range)
  return source.name === 'entries' && type === 'message' ? fieldsOf(raw['message']) : raw
}

const asItIs = (pointer: string): string => pointer

type Checked<Form> = Exclude<ReturnType<Validate<Form>>, { error: unknown }>

/** The checked value: the body without its lists, and what is known of the lists and of the query. */
interface Received {
  rest: unknown
  elementFaults: readonly Fault[]
  parameters: ReadonlyMap<string, string>
}

/** Returns the checked rest of a body. @throws Problem with its faults, those of the lists and of the query parameters */
function check<Form>(
  { rest, elementFaults, parameters }: Received,
  { validate, entriesForm }: RequestReading<Form>,
): Checked<Form> {
  const result = validate(rest)
  // Fields of an API of others are its own.
  const misnamed = 'error' in result || entriesForm === undefined ? [] : findMisnamed(rest, result.properties)
  const others = 'error' in result ? result.error.faults : misnamed
  // If the form is unknown, the other faults mean nothing.
  if ('error' in result && others.some(({ pointer }) => pointer === '')) throw result.error
  const faults = [...elementFaults, ...others]
  if (faults.length > 0) throw invalidRequest(faults.slice(0, MAX_FAULTS), parameters)
  if ('error' in result) throw result.error
  return result
}
