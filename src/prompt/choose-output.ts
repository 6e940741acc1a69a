import { findErrorHints } from '../extract/error-lines.ts'
import { findLineStart, truncateMiddle, withoutMiddle } from '../text/shorten.ts'
import { joinPicked, MAX_LINE_CHARACTERS, pickLines } from './pick-lines.ts'

/** How much of an output is shown. */
export const MAX_OUTPUT_CHARACTERS = 800

/** How much of a failed output is shown: more, since the reason of the failure stands somewhere in it. */
const MAX_FAILED_OUTPUT_CHARACTERS = 2000

/**
 * How many characters of an output's ends are searched: errors stand at the end, and sometimes at the beginning. Of a
 * successful output little is shown.
 */
const SEARCHED_CHARACTERS = { failed: { head: 16_000, tail: 64_000 }, succeeded: { head: 1000, tail: 3000 } } as const

interface OutputTraits {
  hasFailed: boolean
  /**
   * Error lines that the transcript shows in other outputs: other lines come before them. The lines shown are added.
   */
  alreadyShown: Set<string>
}

const shortenLine = (line: string): string =>
  line.length > MAX_LINE_CHARACTERS ? truncateMiddle(line, MAX_LINE_CHARACTERS).replaceAll('\n', ' ') : line

/**
 * Returns the part of an output that a model reads: its head, its tail, and the error lines between them, in order,
 * with notes for the rest. Lines over 200 characters lose their middle; Base64 and minified lines become notes of their
 * size.
 */
export function chooseOutput(output: string, { hasFailed, alreadyShown }: OutputTraits): string {
  const limit = hasFailed ? MAX_FAILED_OUTPUT_CHARACTERS : MAX_OUTPUT_CHARACTERS
  const text = elideBlobs(cutToEnds(output, hasFailed))
  if (text.length <= limit) return text
  const lines = text.split('\n')
  const picked = pickLines(lines, { limit, alreadyShown, hints: findErrorHints(text) })
  return picked === undefined ? truncateMiddle(text, limit) : joinPicked(lines, picked, shortenLine)
}

/** Room for the note between the ends, so that an output that was cut is not cut again. */
const GAP_NOTE_CHARACTERS = 60

/**
 * Returns the searched part of a long output: whole lines at both ends, and a note between them. An output whose lines
 * are too long for that stays as it is.
 */
export function cutToEnds(output: string, hasFailed: boolean): string {
  const { head, tail } = hasFailed ? SEARCHED_CHARACTERS.failed : SEARCHED_CHARACTERS.succeeded
  if (output.length <= head + tail + GAP_NOTE_CHARACTERS) return output
  const headEnd = output.lastIndexOf('\n', head)
  const tailStart = findLineStart(output, output.length - tail)
  if (headEnd < head / 2 || tailStart === undefined || output.length - tailStart < tail / 2) return output
  return withoutMiddle(output, headEnd, tailStart)
}

/** Longer lines were not written for people. */
const LONG_LINE_CHARACTERS = 600

/** Base64 on a line of its own, or in a data URI. */
const BASE64 = /^(?=[^A-Z]*[A-Z])(?=[^a-z]*[a-z])(?=\D*\d)[A-Za-z0-9+/_=-]+$/
const DATA_URI = /(data:[\w/+.-]{1,60};base64,)[A-Za-z0-9+/=_-]{200,}/g

/** Minified code has little white space and much punctuation. */
const MAX_SPACE_SHARE = 0.06
const MIN_PUNCTUATION_SHARE = 0.05

const sizeNote = (what: string, characters: number): string => `[${what}, ${characters} characters]`

/**
 * Returns a text with Base64 and minified lines replaced by notes of their size, since no reader can use them. Other
 * text stays as it is.
 */
export function elideBlobs(text: string): string {
  if (text.length < LONG_LINE_CHARACTERS) return text
  const plain = text.replace(
    DATA_URI,
    (match, head: string) => `${head}${sizeNote('base64', match.length - head.length)}`,
  )
  return hasLongLine(plain) ? plain.split('\n').map(elideLine).join('\n') : plain
}

function hasLongLine(text: string): boolean {
  let start = 0
  for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', start)) {
    if (end - start >= LONG_LINE_CHARACTERS) return true
    start = end + 1
  }
  return text.length - start >= LONG_LINE_CHARACTERS
}

function elideLine(line: string): string {
  if (line.length < LONG_LINE_CHARACTERS) return line
  if (BASE64.test(line.trim())) return sizeNote('base64', line.length)
  const share = (pattern: RegExp): number => (line.match(pattern)?.length ?? 0) / line.length
  const isMinified = share(/\s/g) < MAX_SPACE_SHARE && share(/[{}()[\];:,=<>"']/g) > MIN_PUNCTUATION_SHARE
  return isMinified ? sizeNote('minified line', line.length) : line
}
