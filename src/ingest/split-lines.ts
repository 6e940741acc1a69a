import type { ByteRange } from '../session/entry.ts'

const LINE_FEED = 0x0a

/** Calls back for each line of a text that is not blank, with its number; the first line is 0. */
export function splitLines(body: Buffer, onLine: (line: number, range: ByteRange) => void): void {
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
    onLine(line, withoutBlanks(body, at, end))
    at = end
  }
}

/** Returns the first line of a text that is not blank. */
export function findFirstLine(body: Buffer): ByteRange {
  const { start } = withoutBlanks(body, findTextStart(body), body.length)
  const feed = body.indexOf(LINE_FEED, start)
  return { start, end: feed < 0 ? body.length : feed }
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
