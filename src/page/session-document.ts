/** A session as it was opened. It stays in this tab: the service stores nothing. */
export interface OpenedDocument {
  name: string
  blob: Blob
  /** `lines`: one JSON value on each line. `json`: one JSON value. `own`: JSON in one of the service's own forms. */
  kind: 'lines' | 'json' | 'own'
}

/** Fields of a request beside the session. */
export interface RequestFields extends SearchFields {
  settings?: Readonly<Record<string, number>>
  customInstructions?: string
  /** Asks for the facts that code found in the replaced entries. */
  details?: 'full'
  /** The number of a compaction (`POST /compaction/compare`). */
  compaction?: number
  /** A summary in place of a model's. */
  summary?: string
}

/** Fields of a look-up (`POST /recall`). */
interface SearchFields {
  query?: string
  entryIds?: readonly string[]
  kinds?: readonly string[]
  scope?: 'all' | 'replaced'
  before?: string
  maxTokens?: number
  offset?: number
}

/** The first bytes decide how a document is sent. */
const PEEK_BYTES = 65_536

/** Opens a document: finds out how its requests are written. */
export async function openSessionDocument(name: string, blob: Blob): Promise<OpenedDocument> {
  const head = (await blob.slice(0, PEEK_BYTES).text()).trimStart()
  const end = head.indexOf('\n')
  const isLines = end > 0 && isJson(head.slice(0, end)) && head.slice(end).trim() !== ''
  return { name, blob, kind: isLines ? 'lines' : 'json' }
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

interface RequestBody {
  query: URLSearchParams
  body: Blob
  contentType: string
}

const [NDJSON, JSON_TYPE] = ['application/x-ndjson', 'application/json']

/**
 * Returns the body and the query of a request with a document. The bytes of the document keep their places, so that ranges in the
 * reply are places in the document, except with a summary.
 */
export async function writeRequest({ blob, kind }: OpenedDocument, fields: RequestFields): Promise<RequestBody> {
  const { summary, ...others } = fields
  if (kind === 'own')
    return { query: new URLSearchParams(), body: await addFields(blob, fields), contentType: JSON_TYPE }
  if (summary === undefined)
    return { query: queryOf(others), body: blob, contentType: kind === 'lines' ? NDJSON : JSON_TYPE }
  const session = kind === 'json' ? [blob] : ['"', ...(await escapeText(blob)), '"']
  const rest = JSON.stringify(fields).slice(1)
  return {
    query: new URLSearchParams(),
    body: new Blob(['{"session":', ...session, ',', rest]),
    contentType: JSON_TYPE,
  }
}

/** Returns fields as a query string: each setting is a field of its own, and a list is a field for each of its values. */
function queryOf({ settings, ...others }: RequestFields): URLSearchParams {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries({ ...settings, ...others }))
    for (const one of [value].flat()) query.append(name, String(one))
  return query
}

/** Appends fields to a JSON object: the last field of a name counts. */
async function addFields(blob: Blob, fields: RequestFields): Promise<Blob> {
  if (Object.keys(fields).length === 0) return blob
  const tail = await blob.slice(-1024).text()
  const close = tail.lastIndexOf('}')
  const afterClose = new Blob([tail.slice(close)]).size
  return new Blob([blob.slice(0, blob.size - afterClose), ',', JSON.stringify(fields).slice(1)])
}

const PART_BYTES = 1_048_576

/** Returns a text as the inside of a JSON string, in parts: a large one must not stop the page. */
async function escapeText(blob: Blob): Promise<string[]> {
  const decoder = new TextDecoder()
  const parts: string[] = []
  for (let at = 0; at < blob.size; at += PART_BYTES) {
    const bytes = await blob.slice(at, at + PART_BYTES).arrayBuffer()
    parts.push(JSON.stringify(decoder.decode(bytes, { stream: true })).slice(1, -1))
  }
  return parts
}
