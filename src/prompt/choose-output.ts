import { MAX_LINE_CHARACTERS, pickLines } from './pick-lines.ts'
import { noteOpaque } from './note-opaque.ts'
import { charactersOf, gapNote, truncateMiddle, withoutMiddle } from './truncate-middle.ts'

/** How much of an output is shown. What failed is worth more: why it did stands somewhere in it. */
const MAX_FAILED_CHARACTERS = 2000
export const MAX_CHARACTERS = 800

/** What the output's beginning and its end have at least; the lines between them that tell of errors come next. */
const HEAD_CHARACTERS = 100
const TAIL_CHARACTERS = 250

const FEW_LINES = 8

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
  return text.length <= limit ? text : chooseLines(text.split('\n'), { limit, told })
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
  const tailStart = output.indexOf('\n', output.length - tail) + 1
  if (headEnd < head / 2 || tailStart === 0 || output.length - tailStart < tail / 2) return output
  return withoutMiddle(output, headEnd, tailStart)
}

function chooseLines(lines: readonly string[], { limit, told }: { limit: number; told: Set<string> }): string {
  const head = countLines(lines, { characters: HEAD_CHARACTERS, step: 1 })
  const tail = countLines(lines, { characters: TAIL_CHARACTERS, step: -1 })
  // Of a few huge lines none tells more than another: the middle goes.
  if (lines.length < FEW_LINES || head + tail === 0) return truncateMiddle(lines.join('\n'), limit)
  return join(lines, pickLines(lines, { head, tail, limit, told }))
}

/** How many lines from one end fit so many characters. */
function countLines(lines: readonly string[], { characters, step }: { characters: number; step: 1 | -1 }): number {
  let count = 0
  for (let left = characters; count < lines.length; count++) {
    left -= (lines.at(step === 1 ? count : -1 - count) ?? '').length + 1
    if (left < 0) break
  }
  return count
}

function join(lines: readonly string[], picked: ReadonlySet<number>): string {
  const shown: string[] = []
  let gap = 0
  const closeGap = (): void => {
    if (gap > 0) shown.push(gapNote(gap))
    gap = 0
  }
  for (const [index, line] of lines.entries()) {
    if (!picked.has(index)) gap += charactersOf(line)
    else {
      closeGap()
      shown.push(
        line.length > MAX_LINE_CHARACTERS ? truncateMiddle(line, MAX_LINE_CHARACTERS).replaceAll('\n', ' ') : line,
      )
    }
  }
  closeGap()
  return shown.join('\n')
}
