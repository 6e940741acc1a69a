import { findErrorHints } from '../extract/error-lines.ts'
import { findLineStart, truncateMiddle, withoutMiddle } from '../text/truncate-middle.ts'
import { joinPicked, MAX_LINE_CHARACTERS, pickLines } from './pick-lines.ts'

/** How much of an output is shown. What failed is worth more: why it did stands somewhere in it. */
const MAX_FAILED_CHARACTERS = 2000
export const MAX_CHARACTERS = 800

/**
 * How far from its ends an output is looked at: errors stand at the end, and sometimes at the beginning; of what went
 * well little is shown.
 */
const LOOK = { failed: { head: 16_000, tail: 64_000 }, succeeded: { head: 1000, tail: 3000 } } as const

interface OutputTraits {
  hasFailed: boolean
  /** Error lines that the reader finds elsewhere: they yield to those that stand here alone. Those shown here join them. */
  alreadyShown: Set<string>
}

/** Room for the note between the ends: what has been cut is not cut again. */
const NOTE_CHARACTERS = 60

const shortenLine = (line: string): string =>
  line.length > MAX_LINE_CHARACTERS ? truncateMiddle(line, MAX_LINE_CHARACTERS).replaceAll('\n', ' ') : line

/**
 * Chooses what a model reads of an output: its head, its tail, and between them the lines that tell of errors, in order,
 * with notes of what is missing; lines over 200 characters lose their middle. What no reader can use becomes a note of
 * its size first.
 */
export function chooseOutput(output: string, { hasFailed, alreadyShown }: OutputTraits): string {
  const limit = hasFailed ? MAX_FAILED_CHARACTERS : MAX_CHARACTERS
  const text = elideBlobs(cutToEnds(output, hasFailed))
  if (text.length <= limit) return text
  const lines = text.split('\n')
  const picked = pickLines(lines, { limit, alreadyShown, hints: findErrorHints(text) })
  return picked === undefined ? truncateMiddle(text, limit) : joinPicked(lines, picked, shortenLine)
}

/**
 * Leaves of a long output what is looked at: whole lines at both ends, and a note between them. One whose lines are too
 * long for that stays as it is.
 */
export function cutToEnds(output: string, hasFailed: boolean): string {
  const { head, tail } = hasFailed ? LOOK.failed : LOOK.succeeded
  if (output.length <= head + tail + NOTE_CHARACTERS) return output
  const headEnd = output.lastIndexOf('\n', head)
  const tailStart = findLineStart(output, output.length - tail)
  if (headEnd < head / 2 || tailStart === undefined || output.length - tailStart < tail / 2) return output
  return withoutMiddle(output, headEnd, tailStart)
}
/** A line this long is no line that somebody reads. */
const LONG_LINE_CHARACTERS = 600

/** Base64 in a line of its own, or behind a data URI's head. */
const BASE64 = /^(?=[^A-Z]*[A-Z])(?=[^a-z]*[a-z])(?=\D*\d)[A-Za-z0-9+/_=-]+$/
const DATA_URI = /(data:[\w/+.-]{1,60};base64,)[A-Za-z0-9+/=_-]{200,}/g

/** What is packed for machines has next to no gaps, and many marks. */
const MAX_GAP_SHARE = 0.06
const MIN_MARK_SHARE = 0.05

const note = (what: string, characters: number): string => `[${what}, ${characters} characters]`

/**
 * Puts notes of their size in the place of what no reader can use: Base64, and lines that were minified. Ordinary text
 * comes back as it is.
 */
export function elideBlobs(text: string): string {
  if (text.length < LONG_LINE_CHARACTERS) return text
  const plain = text.replace(DATA_URI, (match, head: string) => `${head}${note('base64', match.length - head.length)}`)
  return hasLongLine(plain) ? plain.split('\n').map(noteLine).join('\n') : plain
}

function hasLongLine(text: string): boolean {
  let start = 0
  for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', start)) {
    if (end - start >= LONG_LINE_CHARACTERS) return true
    start = end + 1
  }
  return text.length - start >= LONG_LINE_CHARACTERS
}

function noteLine(line: string): string {
  if (line.length < LONG_LINE_CHARACTERS) return line
  if (BASE64.test(line.trim())) return note('base64', line.length)
  const share = (pattern: RegExp): number => (line.match(pattern)?.length ?? 0) / line.length
  const isPacked = share(/\s/g) < MAX_GAP_SHARE && share(/[{}()[\];:,=<>"']/g) > MIN_MARK_SHARE
  return isPacked ? note('minified line', line.length) : line
}
