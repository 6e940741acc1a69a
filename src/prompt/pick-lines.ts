import { findErrorLines } from '../extract/error-lines.ts'
import { gapNote, isGapNote, charactersOf } from '../text/shorten.ts'

/** How much of one line is shown. Lines of stacks and compilers may be long; the beginning identifies them. */
export const MAX_LINE_CHARACTERS = 200

/** The characters of a note for lines that are left out, with its line end. */
const GAP_CHARACTERS = gapNote(10_000).length + 1

/** The least that is shown of an output's beginning and end; error lines between them come next. */
const HEAD_CHARACTERS = 100
const TAIL_CHARACTERS = 250

/** An output with fewer lines has no choice of lines: its middle is cut out. */
export const FEW_LINES = 8

interface Choice {
  /** The number of characters that may be shown, with the notes for gaps. */
  limit: number
  /** Error lines that the transcript shows in other outputs; the error lines picked here are added. */
  alreadyShown: Set<string>
  /** The indexes of the lines that may be error lines, as `findErrorHints` returns them. */
  hints: readonly number[]
}

/** Returns the characters that a line uses where it is shown, with its line end. */
export const shownCostOf = (line: string): number => Math.min(line.length, MAX_LINE_CHARACTERS) + 1

/** The characters of a whole line with its line end. The head and the tail of an output end at a note. */
const wholeCostOf = (line: string): number => (isGapNote(line) ? Number.POSITIVE_INFINITY : line.length + 1)

/** Returns the indexes from `start` up to, but not including, `end`. */
export const between = (indexes: readonly number[], start: number, end: number): number[] =>
  indexes.filter((index) => index >= start && index < end)

/**
 * Returns the indexes of the lines to show: the head and the tail; then the error lines between them, the last ones
 * first, since the last error stopped the command, and those that are shown elsewhere at the end; then more of tail and
 * head.
 * @returns undefined for an output of few or very long lines
 */
export function pickLines(lines: readonly string[], { limit, alreadyShown, hints }: Choice): Set<number> | undefined {
  const head = countLines(lines, HEAD_CHARACTERS, wholeCostOf)
  const tail = countLines(lines.toReversed(), TAIL_CHARACTERS, wholeCostOf)
  if (lines.length < FEW_LINES || head + tail === 0) return undefined
  const picked = new Set<number>()
  // There are n + 1 gaps between and around n runs of lines.
  let left = limit - GAP_CHARACTERS
  const take = (index: number): boolean => {
    const line = lines[index] ?? ''
    if (isGapNote(line)) return false
    const isBeside = picked.has(index - 1) || picked.has(index + 1)
    const cost = shownCostOf(line) + (isBeside ? 0 : GAP_CHARACTERS)
    if (cost > left) return false
    left -= cost
    return picked.add(index).has(index)
  }
  const tailStart = lines.length - tail
  for (let index = 0; index < head; index++) take(index)
  for (let index = lines.length - 1; index >= tailStart; index--) take(index)
  const errors = findErrorLines(lines, between(hints, head, tailStart))
  const isShownElsewhere = ([line]: [string, number]): boolean => alreadyShown.has(line)
  for (const [, index] of errors.filter((error) => !isShownElsewhere(error))) take(index)
  for (const [, index] of errors.filter(isShownElsewhere)) take(index)
  for (const [line, index] of errors) if (picked.has(index)) alreadyShown.add(line)
  for (let index = tailStart - 1; index >= head && (picked.has(index) || take(index)); index--);
  for (let index = head; index < tailStart && (picked.has(index) || take(index)); index++);
  return picked
}

/** Returns how many lines, from the first one on, fit a number of characters. */
export function countLines(lines: readonly string[], characters: number, costOf: (line: string) => number): number {
  let left = characters
  const count = lines.findIndex((line) => (left -= costOf(line)) < 0)
  return count < 0 ? lines.length : count
}

/** Returns the picked lines as a text, with notes for the characters left out between them. */
export function joinPicked(
  lines: readonly string[],
  picked: ReadonlySet<number>,
  write = (line: string): string => line,
): string {
  const shown: string[] = []
  let gap = 0
  const closeGap = (): void => {
    if (gap > 0) shown.push(gapNote(gap))
    gap = 0
  }
  for (let index = 0; index < lines.length; index++) {
    const line = lines[index] ?? ''
    if (!picked.has(index)) gap += charactersOf(line)
    else {
      closeGap()
      shown.push(write(line))
    }
  }
  closeGap()
  return shown.join('\n')
}
