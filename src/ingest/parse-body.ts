import { Problem } from '../errors.ts'
import { DocumentParser, type ReceivedFields } from './document-parser.ts'
import { emptyBody, readJson, type BodyForms } from './read-body.ts'
import type { Query } from './read-query.ts'

/** A request's body as it was received, after decompression. */
export interface ReceivedBody {
  /** The whole body; undefined if the request has none. */
  body: Buffer | undefined
  /** True if the content type is that of NDJSON: the other fields are query parameters. */
  isLines: boolean
  query: Query
}

const JSON_ONLY = 'This route does not read NDJSON. Send the body as application/json.'

/**
 * Parses a body: one of the service's own forms, an envelope (`{"session": DOCUMENT, ...}`), or a document of any format,
 * whose other fields are query parameters. The content of the body decides its form; the content type is only a hint.
 * @throws Problem `invalid-request`, `unknown-format`
 */
export function parseBody({ body, isLines, query }: ReceivedBody, forms: BodyForms): ReceivedFields {
  if (body === undefined) throw emptyBody()
  if (forms.entriesForm !== undefined)
    return new DocumentParser(query, { ...forms, entriesForm: forms.entriesForm }).parse(body, isLines)
  if (isLines) throw new Problem('unsupported-media-type', JSON_ONLY)
  return { ...readJson(body, forms), unread: Object.entries(query), parameters: new Map() }
}
