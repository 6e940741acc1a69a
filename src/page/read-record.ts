import { counted } from '../text/numbers.ts'

/** How much of an entry is read: a longer text would make the page slow. */
const MAX_BYTES = 200_000

interface ByteRange {
  start: number
  end: number
}

/** Reads an entry: its whole record, and its message alone. */
export async function readRecordTexts(blob: Blob, range: ByteRange): Promise<{ record: string; message: string }> {
  const json = await readRecord(blob, range)
  const record = outline(json)
  return { record, message: messageIn(json) || record }
}

async function readRecord(blob: Blob, { start, end }: ByteRange): Promise<string> {
  const isLong = end - start > MAX_BYTES
  const text = await blob.slice(start, isLong ? start + MAX_BYTES : end).text()
  return isLong ? `${text}\n… (the beginning of ${counted(end - start, 'byte')})` : text
}

/** Fields of records beside what was said and done: ids, times, counters. */
const ASIDE =
  /^(?:api|attribution|cost|index|info|model|provider|responseId|role|signature|status|timestamp|tokens|type|usage|version|(?:raw)?[sS]top_?\w+|(?:thinking|text)(?:Level|Signature)|durationMs|internal_\w+|is[A-Z]\w*|cache_control|metadata|.*(?:Id|ID|_id|[uU]uid)|id)$/

/** Fields whose values need no name. */
const PLAIN = /^(?:content|parts|text)$/

/** Returns the message of a record as indented lines; nothing if it has none. */
function messageIn(json: string): string {
  try {
    const record = JSON.parse(json) as Record<string, unknown>
    return write(record['message'] ?? record['payload'] ?? record, '', ASIDE)
      .trim()
      .replace(/^content: /, '')
  } catch {
    return ''
  }
}

/** Returns a JSON text as indented lines, with its strings as they are. A text that is not JSON is returned unchanged. */
export function outline(json: string): string {
  try {
    return write(JSON.parse(json), '').trim()
  } catch {
    return json
  }
}

/** Values with a deeper indentation are shown as JSON. */
const MAX_INDENT = 16

/** @param without the names of fields that are left out, but not inside the arguments of calls */
function write(value: unknown, indent: string, without?: RegExp): string {
  if (typeof value === 'string') return value.includes('\n') ? block(value, indent) : value
  if (typeof value !== 'object' || value === null) return String(value)
  if (indent.length > MAX_INDENT) return JSON.stringify(value)
  const isList = Array.isArray(value)
  return Object.entries(value)
    .map(([key, one]) => {
      if (without?.test(key) === true) return ''
      if (without !== undefined && (isList || PLAIN.test(key))) {
        const text = write(one, indent, without)
        return !isList && text.startsWith('\n') ? text : `\n${indent}${text}`
      }
      const inner = write(one, `${indent}  `, /^(?:args|arguments|input)$/.test(key) ? undefined : without)
      return without !== undefined && inner === '' ? '' : `\n${indent}${isList ? '-' : `${key}:`} ${inner}`
    })
    .join('')
}

const block = (text: string, indent: string): string => `\n${text.replace(/^/gm, indent)}`
