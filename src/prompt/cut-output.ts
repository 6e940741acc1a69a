import { findErrorLines } from '../extract/find-errors.ts'
import { Lines } from '../text/lines.ts'
import { charactersOf, gapNote, isGapNote, truncateMiddle, withoutMiddleLines } from '../text/shorten.ts'

/**
 * Returns a function that returns the part of an output that fits a number of characters, at least 100: its head, its tail, the error lines between them, and
 * then more of tail and head, in order, with notes for the rest. Where it must be cut, lines over 200 characters lose
 * their middle, and Base64 and minified lines become notes of their size. A larger number never shows fewer lines.
 */
export function outputCutter(output: string): (maxCharacters: number) => string {
  let read: OutputLines | undefined
  return (maxCharacters) => {
    if (output.length <= maxCharacters) return output
    const ends = cutToEnds(output, maxCharacters)
    if (read?.ends !== ends) read = new OutputLines(ends)
    const { text } = read.lines
    if (text.length <= maxCharacters) return text
    const picked = read.pick(maxCharacters)
    return picked === undefined ? truncateMiddle(text, maxCharacters) : joinPicked(read.lines, picked)
  }
}

/** The searched part of an output, without blobs, and its lines by their value. */
class OutputLines {
  readonly ends: string
  readonly lines: Lines
  readonly #values: Generator<Pick>
  readonly #picks: Pick[] = []

  constructor(ends: string) {
    this.ends = ends
    this.lines = new Lines(elideBlobs(ends))
    this.#values = pickLines(this.lines)
  }

  /**
   * Returns the indexes of the lines to show, in the order of their value as far as they fit. The order does not depend on
   * the limit, and it is followed up to the first line that does not fit: so a larger limit shows the same lines and more.
   * @returns undefined for an output of few or very long lines
   */
  pick(maxCharacters: number): number[] | undefined {
    const { lines } = this
    if (lines.count < FEW_LINES || countHead(lines) + countTail(lines) === 0) return undefined
    while ((this.#picks.at(-1)?.characters ?? 0) <= maxCharacters) {
      const { value } = this.#values.next() as IteratorResult<Pick, undefined>
      if (value === undefined) break
      this.#picks.push(value)
    }
    return this.#picks.filter(({ characters }) => characters <= maxCharacters).map(({ index }) => index)
  }
}

/** A line to show, and the characters that it needs together with those before it. */
interface Pick {
  index: number
  characters: number
}

/** How much of an output's ends is searched: errors are at the end, and sometimes at the beginning. */
const SEARCHED_CHARACTERS = { head: 16_000, tail: 64_000 }

/** Returns the searched part of a long output: its ends. */
const cutToEnds = (output: string, maxCharacters: number): string =>
  withoutMiddleLines(
    output,
    Math.max(SEARCHED_CHARACTERS.head, maxCharacters),
    Math.max(SEARCHED_CHARACTERS.tail, maxCharacters),
  )

/** How much of one line is shown. Lines of stacks and compilers may be long; the beginning identifies them. */
const MAX_LINE_CHARACTERS = 200

/** The characters of a note for lines that are left out, with its line end. */
const GAP_CHARACTERS = gapNote(10_000).length + 1

/** The lines that come first of an output's beginning and end; error lines between them come next. */
const HEAD_CHARACTERS = 100
const TAIL_CHARACTERS = 250

/** An output with fewer lines has no choice of lines: its middle is cut out. */
const FEW_LINES = 8

/** Yields the lines of an output by their value, each once: notes stay between lines. */
function* pickLines(lines: Lines): Generator<Pick> {
  const picked = new Set<number>()
  // There are n + 1 gaps between and around n runs of lines.
  let characters = GAP_CHARACTERS
  for (const index of byValue(lines)) {
    const line = lines.at(index)
    if (picked.has(index) || isGapNote(line)) continue
    const isBeside = picked.has(index - 1) || picked.has(index + 1)
    characters += Math.min(line.length, MAX_LINE_CHARACTERS) + 1 + (isBeside ? 0 : GAP_CHARACTERS)
    picked.add(index)
    yield { index, characters }
  }
}

/** Yields the indexes of lines: the ends, the error lines between them with the last one first, then the rest from the ends. */
function* byValue(lines: Lines): Generator<number> {
  const head = countHead(lines)
  const tailStart = lines.count - countTail(lines)
  for (let index = 0; index < head; index++) yield index
  for (let index = lines.count - 1; index >= tailStart; index--) yield index
  yield* findErrorLines(lines, head, tailStart)
  for (let first = head, last = tailStart - 1; first <= last; first++, last--) {
    yield last
    yield first
  }
}

const countHead = (lines: Lines): number => countLines(lines, HEAD_CHARACTERS, (count) => count)
const countTail = (lines: Lines): number => countLines(lines, TAIL_CHARACTERS, (count) => lines.count - 1 - count)

/** Returns how many whole lines fit a number of characters. The ends of an output are at its notes. */
function countLines(lines: Lines, characters: number, indexAt: (count: number) => number): number {
  let left = characters
  for (let count = 0; count < lines.count; count++) {
    const line = lines.at(indexAt(count))
    if (isGapNote(line) || (left -= line.length + 1) < 0) return count
  }
  return lines.count
}

/**
 * Returns the picked lines as a text, with notes for the characters left out between them. Lines that are no longer than
 * their note stand for themselves.
 */
function joinPicked(lines: Lines, picked: readonly number[]): string {
  const shown: string[] = []
  let from = 0
  for (const index of picked.toSorted((a, b) => a - b)) {
    if (index > from) shown.push(writeGap(lines.slice(from, index)))
    shown.push(shortenLine(lines.at(index)))
    from = index + 1
  }
  if (from < lines.count) shown.push(writeGap(lines.slice(from, lines.count)))
  return shown.join('\n')
}

function writeGap(text: string): string {
  const notes = text.includes('[... ') ? text.split('\n').filter(isGapNote) : []
  const characters = notes.reduce((sum, note) => sum + charactersOf(note) - note.length - 1, text.length + 1)
  const note = gapNote(characters)
  return characters > note.length || notes.length > 0 ? note : text
}

const shortenLine = (line: string): string =>
  line.length > MAX_LINE_CHARACTERS ? truncateMiddle(line, MAX_LINE_CHARACTERS).replaceAll('\n', ' ') : line

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
  const plain = text.includes(';base64,')
    ? text.replace(DATA_URI, (match, head: string) => `${head}${sizeNote('base64', match.length - head.length)}`)
    : text
  return hasLongLine(plain) ? plain.split('\n').map(elideLine).join('\n') : plain
}

/** Whether a stretch as long as a long line has no line end. Of a page of lines, only the last line end is looked for. */
function hasLongLine(text: string): boolean {
  for (let start = 0; text.length - start >= LONG_LINE_CHARACTERS;) {
    const end = text.lastIndexOf('\n', start + LONG_LINE_CHARACTERS - 1)
    if (end < start) return true
    start = end + 1
  }
  return false
}

function elideLine(line: string): string {
  if (line.length < LONG_LINE_CHARACTERS) return line
  if (BASE64.test(line.trim())) return sizeNote('base64', line.length)
  const share = (pattern: RegExp): number => (line.match(pattern)?.length ?? 0) / line.length
  const isMinified = share(/\s/g) < MAX_SPACE_SHARE && share(/[{}()[\];:,=<>"']/g) > MIN_PUNCTUATION_SHARE
  return isMinified ? sizeNote('minified line', line.length) : line
}
