import type { ByteRange } from '../session/entry.ts'

const LINE_FEED = 0x0a

/** A line of a text, without the white space around it; the first line is 0. */
interface Line {
  line: number
  range: ByteRange
}

/** Yields the lines of a text that are not blank. */
export function* eachLine(body: Buffer): Generator<Line, undefined> {
  let line = 0
  for (let at = findTextStart(body); at < body.length;) {
    // A loop over bytes is faster than a search: a hostile body has only line feeds.
    if (isBlank(body[at])) {
      if (body[at] === LINE_FEED) line += 1
      at += 1
      continue
    }
    const feed = body.indexOf(LINE_FEED, at)
    const end = feed < 0 ? body.length : feed
    yield { line, range: withoutBlanks(body, at, end) }
    at = end
  }
}

const BYTE_ORDER_MARK = Buffer.from('\uFEFF')

/** Returns the index after the byte order mark that some editors write at the beginning of a file; 0 without one. */
export function findTextStart(body: Buffer): number {
  return body.subarray(0, BYTE_ORDER_MARK.length).equals(BYTE_ORDER_MARK) ? BYTE_ORDER_MARK.length : 0
}

/** Returns a range without the white space of JSON (RFC 8259, section 2) at its ends. */
export function withoutBlanks(body: Buffer, from: number, to: number): ByteRange {
  let start = from
  let end = to
  while (start < end && isBlank(body[start])) start += 1
  while (end > start && isBlank(body[end - 1])) end -= 1
  return { start, end }
}

function isBlank(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x09 || byte === LINE_FEED || byte === 0x0d
}
