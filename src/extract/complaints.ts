import { oneLine, shorten } from '../text/shorten.ts'
import { searchedLines } from './searched-output.ts'

/** A place in a file, as compilers, linters and test runners write it: `src/a.ts:12:5`, `src/a.ts(12,5)`. */
const PLACE = /(?<![\w./@-])[\w./@-]{1,200}\.[a-z]{1,5}(?::\d{1,6}|\(\d{1,6}(?:,\d{1,6}){0,3}\))/i

/** Places that are a part of a trace, and those in installed packages. */
const TRACE = /^\s{0,40}(?:at |\(|#\d|File ")|node_modules\/|(?:^|[\s/])deps\//

/** Frames around a line. */
const FRAME = /^[\s┃│|>*•]{1,40}/u

/** A place with more words than these beside it says itself what is wrong. */
const MIN_WORDS = 4

const MAX_LINE_CHARACTERS = 500
const MAX_COMPLAINT_CHARACTERS = 240

/** A line that begins a message: a class in brackets, a level, a number. */
const MESSAGE = /^(?:\[[A-Z]\]|(?:error|warning|note|fail\w*)\b|\d{1,4}\)|[✖✗×●])/i

/**
 * Returns what an output complains about: lines with a place in a file, each with the line above or below it that says what is
 * wrong there; each message once, with its first place.
 */
export function findComplaints(output: string, maxComplaints: number): string[] {
  const lines = searchedLines(output)
    .map((line) => line.slice(0, MAX_LINE_CHARACTERS).replace(FRAME, '').trim())
    .filter((line) => line !== '')
  const complaints = new Map<string, string>()
  for (const [at, line] of lines.entries()) {
    if (!PLACE.test(line) || TRACE.test(line)) continue
    const others = line
      .replace(PLACE, '')
      .split(/\s+/)
      .filter((word) => /\p{L}{2}/u.test(word))
    const beside = others.length >= MIN_WORDS ? '' : messageBeside(lines, at)
    const key = beside === '' ? line.replace(PLACE, '') : beside
    if (!complaints.has(key))
      complaints.set(key, oneLine(MESSAGE.test(beside) ? `${beside} ${line}` : `${line} ${beside}`))
    if (complaints.size >= maxComplaints) break
  }
  return Array.from(complaints.values(), (complaint) => shorten(complaint, MAX_COMPLAINT_CHARACTERS))
}

/** Returns the line with the message of a place: the one above it if it begins one, or else the one below it. */
function messageBeside(lines: readonly string[], at: number): string {
  const [above = '', below = ''] = [lines[at - 1], lines[at + 1]]
  if (MESSAGE.test(above)) return above
  return PLACE.test(below) ? '' : below
}
