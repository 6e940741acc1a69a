import { BEFORE_END, NO_JSON_LINE, Problem } from '../errors.ts'
import { MAX_FAULTS } from '../schemas/find-faults.ts'
import { FORMAT_IDS } from '../schemas/format-ids.ts'
import type { FormatId } from '../schemas/format.ts'
import { findJsonFault, type JsonFault } from './find-json-fault.ts'

/** Returns the problem of a body that is not JSON: where its fault is, and the usual mistake that it may come from. */
export function brokenJson(body: Buffer): Problem {
  const fault = findJsonFault(body)
  const place = fault === undefined ? '' : ` (line ${fault.line}, column ${fault.column})`
  const faults = [{ pointer: '', detail: `must be valid JSON${place}` }]
  const hint = hintAtEncoding(body) ?? (fault && hintAtFault(body, fault)) ?? ''
  return new Problem('invalid-request', `The request body is not valid JSON${describePlace(fault)}.${hint}`, { faults })
}

/**
 * Returns the problem of an NDJSON body without a valid line, or with too many broken ones.
 * @param lines the broken lines; the first line of the body is 0
 */
export function brokenLines(body: Buffer, lines: readonly number[], found: keyof typeof BROKEN_LINES): Problem {
  const faults = lines
    .slice(0, MAX_FAULTS)
    .map((line) => ({ pointer: `/entries/${line}`, detail: `must be valid JSON (line ${line + 1})` }))
  const fault = findJsonFault(body)
  const isOneLine = lines.length === 1 && found === 'none is valid'
  const hint =
    hintAtEncoding(body) ??
    (fault && (hintAtFault(body, fault) ?? (isOneLine ? hintAtEnd(fault) : undefined) ?? hintAtJson(fault))) ??
    SEND_LINES
  return new Problem('invalid-request', `${BROKEN_LINES[found]}${hint}`, { faults })
}

const BROKEN_LINES = {
  'none is valid': NO_JSON_LINE,
  'too many': 'More than 10,000 lines of the NDJSON body are not valid JSON.',
}
const SEND_LINES = ' Send one JSON value on each line.'

function describePlace(fault: JsonFault | undefined): string {
  if (fault === undefined) return ''
  const { line, column, isEnd } = fault
  return isEnd
    ? `: it ends at line ${line}, column ${column}, ${BEFORE_END}`
    : `: the fault is at line ${line}, column ${column}`
}

/** Beginnings of compressed data: gzip (RFC 1952, section 2.3.1) and Zstandard (RFC 8878, section 3.1.1). */
const COMPRESSED: readonly (readonly [name: string, start: Buffer, remedy: string])[] = [
  ['gzip', Buffer.from([0x1f, 0x8b]), 'Send it with `Content-Encoding: gzip`.'],
  ['Zstandard', Buffer.from([0x28, 0xb5, 0x2f, 0xfd]), 'Send it uncompressed, or as gzip, deflate or br.'],
]

/** A file that is not text has a NUL byte in as many bytes at its beginning. */
const HEAD_BYTES = 1024

/** Returns a hint for bytes that are no text in UTF-8 (RFC 8259, section 8.1), or markup; undefined if they may be JSON. */
function hintAtEncoding(body: Buffer): string | undefined {
  const found = COMPRESSED.find(([, start]) => body.subarray(0, start.length).equals(start))
  if (found !== undefined) return ` It is compressed (${found[0]}). ${found[2]}`
  const [first = 1, second = 1] = body
  const hasMark = (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)
  // Every second byte of ASCII in UTF-16 is 0, and no text of JSON has such a byte.
  if (hasMark || (first === 0) !== (second === 0)) return ' It is UTF-16. Send it as UTF-8.'
  if (body.toString('latin1', 0, HEAD_BYTES).trimStart().startsWith('<'))
    return ' It begins like XML or HTML. Send JSON, or a session file.'
  return body.subarray(0, HEAD_BYTES).includes(0) ? ' It is not text: it has NUL bytes. Send a session.' : undefined
}

/** Returns a hint for several values without line ends between them. */
function hintAtFault(body: Buffer, { isNextValue, at }: JsonFault): string | undefined {
  if (!isNextValue) return undefined
  return body.subarray(0, at).includes('\n')
    ? ' It has more than one JSON value. Send one value, or a session file as application/x-ndjson.'
    : ' It has several JSON values on one line. If it is a session file, send it with its line ends: with curl, use `--data-binary @file` instead of `-d @file`.'
}

/** Returns a hint for a body of one line whose value is not complete. */
const hintAtEnd = ({ line, column, isEnd }: JsonFault): string | undefined =>
  isEnd ? ` It ends at line ${line}, column ${column}, ${BEFORE_END}. Send the whole session.` : undefined

/** Returns a hint for a JSON value of several lines that was sent as NDJSON and is broken. */
function hintAtJson({ line, column }: JsonFault): string | undefined {
  return line === 1
    ? undefined
    : ` If it is one JSON value on several lines, its fault is at line ${line}, column ${column}: correct it, and send it as application/json.`
}

/** Returns the error of a document without a message of the format that the client has named. */
export const noMessageOf = (format: FormatId): Problem =>
  new Problem(
    'unknown-format',
    `The body has no message of the format ${format}, which the request names. ` +
      `Leave out \`format\`: the service finds out itself which format it is. Known formats are ${FORMAT_IDS.join(', ')}.`,
  )
