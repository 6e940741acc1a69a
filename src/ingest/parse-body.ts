import { Problem } from '../errors.ts'
import { meantName } from '../text/near-name.ts'
import { DocumentParser, type ReceivedFields } from './document-parser.ts'
import { emptyBody, readJson, type BodyForms } from './read-body.ts'
import { parametersFor, type Query } from './read-query.ts'

/** A request's body as it was received, after decompression. */
export interface ReceivedBody {
  /** The whole body; undefined if the request has none. */
  body: Buffer | undefined
  /** True if the content type is that of NDJSON: the other fields are query parameters. */
  isLines: boolean
  query: Query
  /** The boundary of a form (`multipart/form-data`); undefined for any other body. */
  boundary?: string | undefined
}

const JSON_ONLY = 'This route reads neither NDJSON nor forms. Send the body as application/json.'

/**
 * Parses a body: one of the service's own forms, an envelope (`{"session": DOCUMENT, ...}`), or a document of any format,
 * whose other fields are query parameters. The content of the body decides its form; the content type is only a hint. In
 * `multipart/form-data`, the body is one of the parts.
 * @throws Problem `invalid-request`, `unknown-format`
 */
export function parseBody({ body, isLines, query, boundary }: ReceivedBody, forms: BodyForms): ReceivedFields {
  const noneRead = { unread: Object.entries(query), parameters: new Map<string, string>() }
  if (body === undefined) throw emptyBody()
  if (forms.entriesForm === undefined) {
    if (isLines || boundary !== undefined) throw new Problem('unsupported-media-type', JSON_ONLY)
    return { ...readJson(body, forms), ...noneRead }
  }
  const { document, fields } = boundary === undefined ? { document: body, fields: {} } : readFormData(body, boundary)
  const parser = new DocumentParser({ ...fields, ...query }, { ...forms, entriesForm: forms.entriesForm })
  const found = parser.parse(document, isLines)
  if (boundary === undefined) return found
  refuseMisspeltParts(fields, parametersFor(forms.entriesForm.properties))
  // The parts of a form are in the body.
  return { ...found, parameters: new Map([...found.parameters].filter(([, name]) => Object.hasOwn(query, name))) }
}

/** Refuses a part of a form whose name is nearly that of a field. @throws Problem that names the field */
function refuseMisspeltParts(parts: Query, known: readonly string[]): void {
  for (const name of Object.keys(parts)) {
    const meant = name === 'format' ? undefined : meantName(name, known)
    if (meant === undefined) continue
    const detail = `is not known on this route; use \`${meant}\``
    throw new Problem('invalid-request', `The part \`${name}\` of the form ${detail}.`, {
      faults: [{ pointer: `/${name}`, detail }],
    })
  }
}

/** A form as a browser or `curl -F` sends it: one document, and fields beside it. */
interface FormData {
  /** The bytes of the document, in the memory of the body. */
  document: Buffer
  /** The text parts. They count as query parameters. */
  fields: Query
}

/**
 * Reads a body of the type `multipart/form-data` (RFC 7578). The document is the part with a file name, or the part `session`.
 * Linear for any input.
 * @param boundary the parameter of the content type; '' if it has none
 * @throws Problem `invalid-request`
 */
export function readFormData(body: Buffer, boundary: string): FormData {
  if (boundary === '')
    throw broken('its content type has no boundary. Let the client set the header: `curl -F`, or `fetch` with FormData')
  const parts = splitParts(body, boundary).map(readPart)
  const documents = parts.filter(({ name, isFile }) => isFile || name === DOCUMENT)
  const [document] = documents
  if (document === undefined)
    throw broken('no part has a file name or the name `session`. Send `-F session=@session.jsonl`')
  if (documents.length > 1)
    throw broken(
      `it has ${documents.length} documents: parts with a file name, or named \`session\`. Send one session in each request`,
    )
  const fields = new Map<string, unknown>()
  for (const { name, content } of parts.filter((part) => part !== document)) {
    const value = content.toString()
    // A repeated name is a list, as in a query string.
    fields.set(name, fields.has(name) ? [fields.get(name), value].flat() : value)
  }
  return { document: document.content, fields: Object.fromEntries(fields) }
}

const DOCUMENT = 'session'

const broken = (fault: string): Problem =>
  new Problem('invalid-request', `The body is a form (multipart/form-data), and ${fault}.`, {
    faults: [{ pointer: '', detail: 'must be a form with one document' }],
  })

const MAX_PARTS = 100

/** A header is the name of a field and that of a file. */
const MAX_HEADER_BYTES = 8192

interface RawPart {
  header: string
  content: Buffer
}

/** Returns the parts between the boundaries (RFC 2046, section 5.1.1). */
function splitParts(body: Buffer, boundary: string): RawPart[] {
  const delimiter = Buffer.from(`\r\n--${boundary}`)
  const parts: RawPart[] = []
  // The first delimiter needs no line end before it.
  const isFirst = body.subarray(0, delimiter.length - 2).equals(delimiter.subarray(2))
  let at = isFirst ? delimiter.length - 2 : endOf(body, delimiter, 0)
  while (body.toString('latin1', at, at + 2) !== '--') {
    if (parts.length === MAX_PARTS) throw broken(`it has more than ${MAX_PARTS} parts`)
    const head = body.subarray(at, at + MAX_HEADER_BYTES)
    const headerEnd = head.indexOf('\r\n\r\n')
    if (headerEnd < 0)
      throw broken(`the header of part ${parts.length + 1} has no end within ${MAX_HEADER_BYTES} bytes`)
    const start = at + headerEnd + 4
    at = endOf(body, delimiter, start - 2)
    parts.push({
      header: head.toString('utf8', 0, headerEnd),
      content: body.subarray(start, Math.max(start, at - delimiter.length)),
    })
  }
  return parts
}

/** Returns the index after the next delimiter. */
function endOf(body: Buffer, delimiter: Buffer, from: number): number {
  const at = body.indexOf(delimiter, from)
  if (at < 0) throw broken('it ends before its last boundary. Send the whole body')
  return at + delimiter.length
}

interface Part {
  name: string
  isFile: boolean
  content: Buffer
}

/** The parameters of a header with their values, in quotes or not (RFC 7578, section 4.2). */
const PARAMETER = /;[ \t]{0,8}(name|filename\*?)=(?:"((?:[^"\\]|\\.){0,1000})"|([^;\s"]{1,1000}))/gi

function readPart({ header, content }: RawPart): Part {
  const line = header.split('\r\n').find((one) => /^content-disposition:/i.test(one)) ?? ''
  const values = new Map<string, string>()
  for (const [, name = '', quoted, plain = ''] of line.matchAll(PARAMETER))
    values.set(name.toLowerCase(), quoted ?? plain)
  return { name: values.get('name') ?? '', isFile: values.has('filename') || values.has('filename*'), content }
}
