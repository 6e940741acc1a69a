import type { TProperties } from '@sinclair/typebox'
import { Problem } from '../errors.ts'
import type { FormatId } from '../schemas/format.ts'
import { isObject } from '../session/entry.ts'
import { detectFormat, openDocument } from '../session/formats/formats.ts'
import { chooseReader, foreignReader, isUnknown, readFormatId, sampleLines, unknownFormat } from './choose-reader.ts'
import { readJson, readLines, type ListOptions, type ParsedBody } from './read-body.ts'
import { readQueryFields, type Query } from './read-query.ts'
import type { ElementList, ListName } from './read-elements.ts'
import { MAX_SAMPLE_VALUES } from './sample-elements.ts'

/** A request's body as it was received, after decompression. */
export interface ReceivedBody {
  /** The whole body; undefined if the request has none. */
  body: Buffer | undefined
  /** True if the content type is that of NDJSON: the other fields are query parameters. */
  isLines: boolean
  query: Query
}

/** How a route reads the forms of its body. */
export interface BodyForms extends ListOptions {
  /** The schema of the entries form, which a document of any format has; undefined if the route reads no session. */
  entriesForm?: { properties: TProperties }
}

interface ReceivedFields extends ParsedBody {
  /** The query parameters that were not read. */
  unread: readonly (readonly [name: string, value: unknown])[]
  /** The body with the elements. */
  body?: Buffer
  /** Whether the body has one JSON value on each line. */
  isLines?: boolean
  format?: FormatId | undefined
}

const JSON_ONLY = 'This route does not read NDJSON. Send the body as application/json.'

/**
 * Parses a body: one of the service's own forms, an envelope (`{"session": DOCUMENT, ...}`), or a document of any format,
 * whose other fields are query parameters. What the body is counts more than its content type.
 * @throws Problem `invalid-request`, `unknown-format`
 */
export function parseBody({ body, isLines, query }: ReceivedBody, forms: BodyForms): ReceivedFields {
  const parameters = Object.entries(query)
  if (body === undefined) return { rest: undefined, lists: [], unread: parameters }
  if (forms.entriesForm === undefined) {
    if (isLines) throw new Problem('unsupported-media-type', JSON_ONLY)
    return { ...readJson(body, forms), unread: parameters }
  }
  const parser = new DocumentParser(query, { ...forms, entriesForm: forms.entriesForm })
  return parser.parse(body, isLines)
}

type Found = Omit<ReceivedFields, 'unread'>

class DocumentParser {
  readonly #forms: Required<BodyForms>
  readonly #query: Query
  readonly #forced: FormatId | undefined
  readonly #isEnvelope: boolean
  /** The parameters that were read. */
  readonly #read = new Set<string>()

  /** @param envelope the format that an envelope names, if the document is in one */
  constructor(query: Query, forms: Required<BodyForms>, envelope?: { forced: FormatId | undefined }) {
    const forced = envelope === undefined ? readFormatId(query['format']) : envelope.forced
    this.#forms = forms
    this.#query = query
    this.#forced = forced
    this.#isEnvelope = envelope !== undefined
    if (forced !== undefined) this.#read.add('format')
  }

  parse(body: Buffer, isLines: boolean): ReceivedFields {
    const found = isLines && !this.#isJson(body) ? this.#readLines(body, true) : this.#readJson(body)
    return { ...found, unread: Object.entries(this.#query).filter(([name]) => !this.#read.has(name)) }
  }

  /** Returns whether a body that was sent as NDJSON is one JSON value: pretty-printed, or a single line of another form. */
  #isJson(body: Buffer): boolean {
    const { values, isAll } = sampleLines(body)
    const [only, ...others] = values.filter(isObject)
    if (only !== undefined) return others.length === 0 && isAll && isUnknown([only])
    try {
      return isObject(JSON.parse(body.toString()))
    } catch {
      return false
    }
  }

  #readLines(body: Buffer, isDeclared: boolean): Found {
    const list = readLines(body, (values) => {
      if (this.#forced === undefined && (isUnknown(values) || !(isDeclared || detectFormat({ fields: {}, values }))))
        throw unknownFormat(`lines of JSON, of which the first ${values.length} have no fields of a known format`)
      return this.#choose(values, 'line')
    })
    const format = list.format ?? (isDeclared ? undefined : ownFormat(list.name))
    return { ...this.#asForm(list, {}), body, isLines: true, format }
  }

  #readJson(body: Buffer): Found {
    let json: ParsedBody
    try {
      json = readJson(body, this.#forms, (values) => this.#choose(values, 'item', 'messages'))
    } catch (error) {
      if (!(error instanceof Problem) || !sampleLines(body).values.some(isObject)) throw error
      return this.#readLines(body, false)
    }
    const [list] = json.lists
    if (list?.format !== undefined) return { ...this.#asForm(list, json.rest), body, format: list.format }
    if (list !== undefined || !isObject(json.rest)) return { ...json, body }
    return this.#readDocument(body, json.rest) ?? { ...json, body }
  }

  /** Returns a document of a foreign format; undefined if it has fields of one of the service's own forms. */
  #readDocument(body: Buffer, document: Record<string, unknown>): Found | undefined {
    const isOwn = OWN_FIELDS.some((name) => Object.hasOwn(document, name))
    if (!isOwn && !this.#isEnvelope && isEnvelope(document)) return this.#readEnvelope(document)
    const { fields, values } = openDocument(document)
    const sample = { fields, values: values.slice(0, MAX_SAMPLE_VALUES) }
    const list = foreignReader(sample, { ...this.#forms, forced: this.#forced, unit: 'item' })
    if (list !== undefined) {
      const range = { start: 0, end: body.length }
      for (const [index, value] of values.entries()) list.read(value, { index, range })
      return { ...this.#asForm(list, {}), body, format: list.format }
    }
    if (Array.isArray(document)) return this.#readArray(body, document)
    const names = Object.keys(document)
    if (isOwn || names.length === 0 || names.some((name) => Object.hasOwn(this.#forms.entriesForm.properties, name)))
      return undefined
    if (typeof document['type'] === 'string') return this.#readLines(body, false)
    throw unknownFormat(`a JSON object with ${names.length} fields, none of which is that of a known format`)
  }

  #readArray(body: Buffer, values: readonly unknown[]): Found | undefined {
    if (values.length === 0 || !values.some(isObject)) return undefined
    const id = this.#forced ?? detectFormat({ fields: {}, values: values.slice(0, MAX_SAMPLE_VALUES) })
    if (id === undefined) throw unknownFormat(`a JSON array of ${values.length} values of no known format`)
    const name = id === 'chat' ? 'messages' : 'entries'
    const wrapped = Buffer.concat([Buffer.from(`{"${name}":`), body, Buffer.from('}')])
    const { rest, lists } = readJson(wrapped, this.#forms)
    const fields = readQueryFields(this.#query, this.#forms.entriesForm.properties, this.#read)
    return { rest: { ...fields, ...(rest as object) }, lists, body: wrapped, format: id }
  }

  /** Reads the session of an envelope: a document, or the text of one. */
  #readEnvelope({ session, format, ...others }: Record<string, unknown>): Found {
    const text = typeof session === 'string' ? session : JSON.stringify(session)
    const parser = new DocumentParser({}, this.#forms, { forced: readFormatId(format) ?? this.#forced })
    const { rest, lists, format: found, ...document } = parser.parse(Buffer.from(text), false)
    const [list] = lists
    if (list === undefined) {
      const faults = [{ pointer: '/session', detail: 'must be a session of a known format, or its text' }]
      throw new Problem('invalid-request', 'The `session` of the envelope has no entries or messages.', { faults })
    }
    const fields = { ...(isObject(rest) ? rest : {}), ...others }
    return { ...document, rest: fields, lists, format: found ?? ownFormat(list.name) }
  }

  /** Returns a document as the form that its list belongs to. Of its own fields, those count that the form has. */
  #asForm(list: ElementList, document: unknown): ParsedBody {
    const { properties } = this.#forms.entriesForm
    const { entries: _entries, ...known } = properties
    const own = isObject(document) ? Object.entries(document).filter(([name]) => Object.hasOwn(known, name)) : []
    const fields = { ...readQueryFields(this.#query, known, this.#read), ...Object.fromEntries(own) }
    return { rest: { ...fields, [list.name]: [] }, lists: [list] }
  }

  #choose(values: readonly unknown[], unit: 'line' | 'item', own: ListName = 'entries'): ElementList {
    return chooseReader(values, own, { ...this.#forms, forced: this.#forced, unit })
  }
}

const isEnvelope = (document: object): boolean => !Array.isArray(document) && Object.hasOwn(document, 'session')

/** Fields with which a body is one of the service's own forms. */
const OWN_FIELDS = ['entries', 'messages', 'conversation', 'prompt'] as const

const ownFormat = (name: ListName): FormatId => (name === 'entries' ? 'pi' : 'chat')
