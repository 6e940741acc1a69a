import type { ByteRange } from '../session/entry.ts'
import { codeAt, findTextStart, isBlank, withoutBlanks } from '../text/json-scan.ts'

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
    if (isBlank(codeAt(body, at))) {
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
