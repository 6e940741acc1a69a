import { Problem } from '../errors.ts'
import { DocumentParser, type ReceivedFields } from './document-parser.ts'
import { emptyBody, readJson, type BodyForms } from './read-body.ts'
import { readFormData } from './read-form-data.ts'
import { meantParameter, parametersFor, type Query } from './read-query.ts'

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
    const meant = name === 'format' ? undefined : meantParameter(name, known)
    if (meant === undefined) continue
    const detail = `is not known on this route; use \`${meant}\``
    throw new Problem('invalid-request', `The part \`${name}\` of the form ${detail}.`, {
      faults: [{ pointer: `/${name}`, detail }],
    })
  }
}
