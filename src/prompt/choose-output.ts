import { findLineStart } from './find-line-start.ts'
import { joinPicked } from './join-picked.ts'
import { findErrorHints, MAX_LINE_CHARACTERS, pickLines } from './pick-lines.ts'
import { noteOpaque } from './note-opaque.ts'
import { truncateMiddle, withoutMiddle } from './truncate-middle.ts'

/** How much of an output is shown. What failed is worth more: why it did stands somewhere in it. */
const MAX_FAILED_CHARACTERS = 2000
export const MAX_CHARACTERS = 800

/**
 * How far from its ends an output is looked at: errors stand at the end, and sometimes at the beginning; of what went
 * well little is shown.
 */
const LOOK = { failed: { head: 16_000, tail: 64_000 }, succeeded: { head: 1000, tail: 3000 } } as const

export interface OutputTraits {
  hasFailed: boolean
  /** Error lines that the reader finds elsewhere: they yield to those that stand here alone. Those shown here join them. */
  told: Set<string>
}

/**
 * Chooses what a model reads of an output: its head, its tail, and between them the lines that tell of errors, in order,
 * with notes of what is missing; lines over 200 characters lose their middle. What no reader can use becomes a note of
 * its size first.
 */
export function chooseOutput(output: string, { hasFailed, told }: OutputTraits): string {
  const limit = hasFailed ? MAX_FAILED_CHARACTERS : MAX_CHARACTERS
  const text = noteOpaque(cutToEnds(output, hasFailed))
  if (text.length <= limit) return text
  const lines = text.split('\n')
  const picked = pickLines(lines, { limit, told, hints: findErrorHints(text) })
  return picked === undefined ? truncateMiddle(text, limit) : joinPicked(lines, picked, shortenLine)
}

/** Room for the note between the ends: what has been cut is not cut again. */
const NOTE_CHARACTERS = 60

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

const shortenLine = (line: string): string =>
  line.length > MAX_LINE_CHARACTERS ? truncateMiddle(line, MAX_LINE_CHARACTERS).replaceAll('\n', ' ') : line
