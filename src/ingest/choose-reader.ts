import { AGENTS } from '../agents/agents.ts'
import { detectFormat, detectTextFormat, isFormatId } from '../agents/detect-format.ts'
import type { Sample } from '../agents/reader.ts'
import { Problem, repeatedParameter } from '../errors.ts'
import { FORMAT_IDS } from '../schemas/format-ids.ts'
import type { FormatId } from '../schemas/format.ts'
import { isObject } from '../session/entry.ts'
import { findJsonFault } from './find-json-fault.ts'
import { FormatElements } from './format-elements.ts'
import type { ListOptions } from './read-body.ts'
import { ElementReader, type ElementList, type ListName } from './read-elements.ts'
import { WorkFolders } from './work-folders.ts'
import { MAX_SAMPLE_BYTES } from './sample-elements.ts'
import { LINE_FEED, OPEN_BRACE, OPEN_BRACKET } from '../text/json-scan.ts'

export interface ReaderOptions extends ListOptions {
  /** The format of the document; undefined to detect it. */
  forced: FormatId | undefined
  /** Whether the client has named it. */
  isNamed: boolean
  unit: 'line' | 'item'
}

/** Returns whether a format is not one of the service's own forms. */
export const isForeign = (id: FormatId | undefined): boolean => id !== undefined && AGENTS[id].reader !== undefined

/** Returns the reader of a document in a foreign format; undefined for the service's own forms and unknown formats. */
export function foreignReader(
  sample: Sample,
  { forced, isNamed, isWhole, unit }: ReaderOptions,
): FormatElements | undefined {
  const format = forced ?? detectFormat(sample)
  const reader = format && AGENTS[format].reader
  if (format === undefined || reader === undefined) return undefined
  const isDoubtful = isNamed && sample.values.length > 0 && !reader.detect(sample)
  return new FormatElements(format, { reader, folders: new WorkFolders(AGENTS[format]), isWhole, unit, isDoubtful })
}

/**
 * Returns the format of a document that is text and not JSON; undefined for any other body.
 * @param forced the format that the client names
 */
export function textFormat(body: Buffer, forced: FormatId | undefined): FormatId | undefined {
  const head = body.toString('utf8', 0, MAX_SAMPLE_BYTES).replace(/^\uFEFF/, '')
  const first = head.trimStart().charCodeAt(0)
  if (first === OPEN_BRACE || first === OPEN_BRACKET) return undefined
  if (forced === undefined) return detectTextFormat(head)
  return AGENTS[forced].reader?.detectText === undefined ? undefined : forced
}

/**
 * Returns the reader of a list or of lines, to judge by the first values.
 * @param own the list of the service's own form
 */
export function chooseReader(values: readonly unknown[], own: ListName, options: ReaderOptions): ElementList {
  const foreign = foreignReader({ fields: {}, values }, options)
  if (foreign !== undefined) return foreign
  const id = options.forced ?? detectFormat({ fields: {}, values })
  const isChat = own === 'entries' && id === 'chat' && options.lists.includes('messages')
  return new ElementReader(isChat ? 'messages' : own)
}

const OWN_FIELDS = ['entries', 'messages', 'conversation', 'prompt']

/** Returns whether a body has a field with which it is one of the service's own forms. */
export const isOwnForm = (body: object): boolean => OWN_FIELDS.some((name) => Object.hasOwn(body, name))

/** Returns the format of a list of the service's own forms. */
export const ownFormat = (name: ListName): FormatId => (name === 'entries' ? 'pi' : 'chat')

/**
 * Returns the format that a client names.
 * @param parameter the query parameter that has it, if it is not in the body
 * @throws Problem `invalid-request` if there is no such format
 */
export function readFormatId(value: unknown, parameter?: string): FormatId | undefined {
  if (value === undefined || isFormatId(value)) return value
  if (parameter !== undefined && Array.isArray(value)) throw repeatedParameter(parameter, value)
  const detail = `must be one of ${FORMAT_IDS.join(', ')}`
  throw new Problem('invalid-request', `The format of the session (\`format\`) ${detail}.`, {
    faults: [{ pointer: '/format', detail, ...(parameter === undefined ? {} : { parameter }) }],
  })
}

/** Reads a document that is text: each line is a value. */
export function readTextLines(body: Buffer, list: ElementList): void {
  let start = 0
  for (let index = 0; start < body.length; index++) {
    const feed = body.indexOf(LINE_FEED, start)
    const end = feed < 0 ? body.length : feed
    list.read(body.toString('utf8', start, end), { index, range: { start, end } })
    start = end + 1
  }
}

/**
 * Returns the problem of a document of no known format.
 * @param seen what the document is, without its content
 */
const unknownFormat = (seen: string, remedy = NAME_FORMAT): Problem =>
  new Problem('unknown-format', `The format of the session is unknown: the body is ${seen}. ${remedy}`)

const NAME_FORMAT =
  `Known formats are ${FORMAT_IDS.join(', ')}. If it is one of them, add \`?format=\` and its name; ` +
  'otherwise convert it to chat messages.'

/** Returns which fields a request has, and the known formats. */
const askForFields = (forms: readonly string[]): string =>
  `A request has one of the fields ${[...forms, 'session'].map((name) => `\`${name}\``).join(', ')}. ${NAME_FORMAT}`

/**
 * Returns the problem of a JSON value of no known format.
 * @param fields those of the forms of the route, if the value is a request: it may have one with a wrong name
 */
export const unknownValue = (value: unknown, fields?: readonly string[]): Problem =>
  unknownFormat(describeValue(value), isObject(value) && fields !== undefined ? askForFields(fields) : NAME_FORMAT)

function describeValue(value: unknown): string {
  if (Array.isArray(value))
    return value.length === 0 ? 'an empty JSON array' : `a JSON array of ${value.length} values of no known format`
  if (isObject(value)) return 'a JSON object without a field of a known format'
  return value === null ? 'null' : `a JSON ${typeof value}`
}

/** Returns the problem of lines of no known format; a user of the command line may send a document of several lines as lines. */
export function unknownLines(body: Buffer, values: readonly unknown[]): Problem {
  if (findJsonFault(body) === undefined) return unknownValue(JSON.parse(body.toString()))
  return unknownFormat(
    values.some(isObject)
      ? `lines of JSON, of which the first ${values.length} have no fields of a known format`
      : 'lines without a JSON object',
  )
}
