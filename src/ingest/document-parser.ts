import type { TProperties } from '@sinclair/typebox'
import { detectFormat, openDocument } from '../agents/detect-format.ts'
import { Problem } from '../errors.ts'
import type { FormatId } from '../schemas/format.ts'
import { fieldsOf, isObject, type ByteRange } from '../session/entry.ts'
import {
  chooseReader,
  foreignReader,
  isForeign,
  isOwnForm,
  ownFormat,
  readFormatId,
  readTextLines,
  textFormat,
  unknownLines,
  unknownValue,
  type ReaderOptions,
} from './choose-reader.ts'
import { envelopeSession, inEnvelope, isEnvelope, noList, type MovePointer } from './envelope.ts'
import { FirstLines, isUnknown, MAX_SAMPLE_VALUES } from './sample-elements.ts'
import { readArray, readJson, readLines, type SessionBodyForms, type ParsedBody } from './read-body.ts'
import type { ElementList } from './read-elements.ts'
import { addQueryFields, fieldsOfParameters, readDocumentFields, type Query } from './read-query.ts'
import { findElements } from './split-elements.ts'

/** The content of a body. */
export interface ReceivedFields extends ParsedBody {
  /** The query parameters that were not read. */
  unread: readonly (readonly [name: string, value: unknown])[]
  /** Those that were read, by the pointers of the fields that they stand for. */
  parameters: ReadonlyMap<string, string>
  /** The body with the elements. */
  body?: Buffer
  /** Whether the body has one JSON value on each line. */
  isLines?: boolean
  format?: FormatId | undefined
  /** Where the faults of the session are, if it is in an envelope. */
  toPointer?: MovePointer
  /** Where it begins in the envelope, in bytes; 0 for a text. */
  offset?: number
}

type Found = Omit<ReceivedFields, 'unread' | 'parameters'>

/** Parses a body in any of the forms of a session. */
export class DocumentParser {
  readonly #forms: SessionBodyForms
  /** The fields of the entries form, without its list. */
  readonly #properties: TProperties
  readonly #query: Query
  readonly #forced: FormatId | undefined
  /** Whether the document is the session of an envelope. */
  readonly #isInner: boolean
  /** The parameters that were read. */
  readonly #read = new Set<string>()

  /** @param envelope the format that an envelope names, if the document is in one */
  constructor(query: Query, forms: SessionBodyForms, envelope?: { forced: FormatId | undefined }) {
    const { entries: _entries, ...properties } = forms.entriesForm.properties
    this.#forms = forms
    this.#properties = properties
    this.#query = query
    this.#forced = envelope === undefined ? readFormatId(query['format'], 'format') : envelope.forced
    this.#isInner = envelope !== undefined
    if (this.#forced !== undefined) this.#read.add('format')
  }

  parse(body: Buffer, isLines: boolean): ReceivedFields {
    const lines = new FirstLines(body)
    const areLines = !lines.isOne && (isLines ? !lines.isOneJsonValue() : lines.beginsWithObject() && lines.isFile())
    const found =
      this.#readText(body) ?? (areLines ? this.#readLines(body, lines, isLines) : this.#readJson(body, lines, isLines))
    const unread = Object.entries(this.#query).filter(([name]) => !this.#read.has(name))
    return { ...found, unread, parameters: fieldsOfParameters(this.#read, this.#properties, found.isLines) }
  }

  /** Reads a document of a format that is text and not JSON, line by line; undefined for any other body. */
  #readText(body: Buffer): Found | undefined {
    const id = textFormat(body, this.#forced)
    const list = id && foreignReader({ fields: {}, values: [] }, this.#optionsOf('line', id))
    if (list === undefined) return undefined
    readTextLines(body, list)
    return { ...this.#asForm(list, {}), body, format: list.format }
  }

  #readLines(body: Buffer, lines: FirstLines, isDeclared: boolean): Found {
    const list = readLines(body, lines, (values) => {
      const isKnown = this.#forced !== undefined || detectFormat({ fields: {}, values }) !== undefined
      if (!isKnown && (isUnknown(values) || !isDeclared)) throw unknownLines(body, values)
      return chooseReader(values, 'entries', this.#optionsOf('line'))
    })
    const own = isDeclared ? this.#forced : ownFormat(list.name)
    return { ...this.#asForm(list, {}), body, isLines: true, format: list.format ?? own }
  }

  /** @param isDeclared whether the client says that the body has lines */
  #readJson(body: Buffer, lines: FirstLines, isDeclared: boolean): Found {
    let json: ReturnType<typeof readJson>
    try {
      json = this.#readLists(body)
    } catch (error) {
      if (isDeclared && !lines.isOneJsonValue()) return this.#readLines(body, lines, true)
      if (!(error instanceof Problem) || !lines.isFile()) throw error
      return this.#readLines(body, lines, false)
    }
    const { rest, lists, session } = json
    const [list] = lists
    if (list === undefined && session === undefined && lines.isOne) lines.note(rest)
    if (isDeclared && lines.isOne && !(isObject(rest) && isUnknown([rest]))) return this.#readLines(body, lines, true)
    list?.setFields?.(fieldsOf(rest))
    if (list?.format !== undefined) return { ...this.#asForm(list, rest), body, format: list.format }
    if (list !== undefined)
      return { rest: this.#addQuery(rest), lists, body, format: this.#forced && ownFormat(list.name) }
    if (!isObject(rest)) throw unknownValue(rest)
    if (!this.#isInner && isEnvelope(rest)) return this.#readEnvelope(body, rest, session)
    return this.#readDocument(body, lines, rest) ?? { rest, lists, body }
  }

  /** Parses a document with its lists. Fields may show that its format is another one than its elements do. */
  #readLists(body: Buffer): ReturnType<typeof readJson> {
    return readJson(body, this.#forms, {
      choose: (values, fields) => {
        const byFields = values.length === 0 ? undefined : detectFormat({ fields, values })
        const format = this.#forced ?? (isForeign(byFields) ? byFields : undefined)
        return chooseReader(values, 'messages', this.#optionsOf('item', format))
      },
      isEnvelope: (fields) => !this.#isInner && isEnvelope(fields),
    })
  }

  /** Returns a document of a foreign format; undefined if it has fields of one of the service's own forms. */
  #readDocument(body: Buffer, lines: FirstLines, document: Record<string, unknown>): Found | undefined {
    const { fields, values, listName } = openDocument(document)
    const sample = { fields, values: values.slice(0, MAX_SAMPLE_VALUES) }
    const list = foreignReader(sample, this.#optionsOf('item'))
    if (list !== undefined) {
      list.readAll({ fields, values }, findElements(body, listName), body.length)
      return { ...this.#asForm(list, {}), body, format: list.format }
    }
    if (Array.isArray(document)) return this.#readArray(body, document)
    const names = Object.keys(document)
    if (names.length === 0 || isOwnForm(document) || names.some((name) => Object.hasOwn(this.#properties, name)))
      return undefined
    if (typeof document['type'] === 'string') return this.#readLines(body, lines, false)
    throw unknownValue(document, this.#isInner ? undefined : (this.#forms.fields ?? this.#forms.lists))
  }

  #readArray(body: Buffer, values: readonly unknown[]): Found | undefined {
    if (values.length === 0) throw unknownValue(values)
    const id = this.#forced ?? detectFormat({ fields: {}, values: values.slice(0, MAX_SAMPLE_VALUES) })
    if (id === undefined) throw unknownValue(values)
    const { rest, lists } = readArray(body, { name: id === 'chat' ? 'messages' : 'entries', values }, this.#forms)
    return { rest: this.#addQuery(rest), lists, body, format: id }
  }

  /** Reads the session of an envelope. @param range where it is if it is not a text */
  #readEnvelope(envelope: Buffer, fields: Record<string, unknown>, range: ByteRange | undefined): Found {
    const { session: value, format, ...others } = fields
    const session = envelopeSession(envelope, value, range)
    const parser = new DocumentParser({}, this.#forms, { forced: readFormatId(format) ?? this.#forced })
    const { rest, lists, ...document } = inEnvelope(session, () => parser.parse(session.body, false))
    const { move: toPointer, offset } = session
    const [list] = lists
    if (list === undefined) throw noList()
    const own = this.#addQuery({ ...fieldsOf(rest), ...others })
    return { ...document, rest: own, lists, format: document.format ?? ownFormat(list.name), toPointer, offset }
  }

  /** Returns the fields of a session's form, with those of the query string. */
  #addQuery(fields: unknown): object {
    return addQueryFields(fieldsOf(fields), { query: this.#query, properties: this.#properties, read: this.#read })
  }

  /** Returns a document as the form that its list belongs to. Of its own fields, those count that the form has. */
  #asForm(list: ElementList, document: unknown): ParsedBody {
    const own = readDocumentFields(document, this.#properties, list.format)
    return { rest: this.#addQuery({ ...own, [list.name]: [] }), lists: [list] }
  }

  #optionsOf(unit: 'line' | 'item', forced = this.#forced): ReaderOptions {
    return { ...this.#forms, forced, isNamed: this.#forced !== undefined, unit }
  }
}
