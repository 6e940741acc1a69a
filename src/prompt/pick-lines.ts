import { findErrorLines } from '../extract/error-lines.ts'
import { gapNote, isGapNote, charactersOf } from '../text/truncate-middle.ts'

/** One line of a stack or of a compiler may be long; its beginning says what it is. */
export const MAX_LINE_CHARACTERS = 200

/** What a note of a gap takes. */
const GAP_CHARACTERS = gapNote(10_000).length + 1

/** What the output's beginning and its end have at least; the lines between them that tell of errors come next. */
const HEAD_CHARACTERS = 100
const TAIL_CHARACTERS = 250

export const FEW_LINES = 8

interface Choice {
  /** Characters that may be shown, notes of gaps included. */
  limit: number
  /** Error lines that the reader finds elsewhere; those shown here join them. */
  alreadyShown: Set<string>
  /** Where error lines may be, as `findErrorHints` tells it. */
  hints: readonly number[]
}

/** What a line takes, with its end, where it is shown. */
export const shownCostOf = (line: string): number => Math.min(line.length, MAX_LINE_CHARACTERS) + 1

/** A note of a gap ends what counts as head or tail. */
const wholeCostOf = (line: string): number => (isGapNote(line) ? Number.POSITIVE_INFINITY : line.length + 1)

/** Those of the places that stand from one to before another. */
export const between = (places: readonly number[], start: number, end: number): number[] =>
  places.filter((index) => index >= start && index < end)

/**
 * The lines that are shown, by their place: those of head and tail; between them those that tell of errors, the last ones
 * first, since they stopped the command, but for those told elsewhere; and what room is left goes to tail and head again.
 * @returns undefined for a few huge lines: none tells more than another
 */
export function pickLines(lines: readonly string[], { limit, alreadyShown, hints }: Choice): Set<number> | undefined {
  const head = countLines(lines, HEAD_CHARACTERS, wholeCostOf)
  const tail = countLines(lines.toReversed(), TAIL_CHARACTERS, wholeCostOf)
  if (lines.length < FEW_LINES || head + tail === 0) return undefined
  const picked = new Set<number>()
  // Between n runs of lines, and around them, there are n + 1 gaps.
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
  const isTold = ([line]: [string, number]): boolean => alreadyShown.has(line)
  for (const [, index] of errors.filter((error) => !isTold(error))) take(index)
  for (const [, index] of errors.filter(isTold)) take(index)
  for (const [line, index] of errors) if (picked.has(index)) alreadyShown.add(line)
  for (let index = tailStart - 1; index >= head && (picked.has(index) || take(index)); index--);
  for (let index = head; index < tailStart && (picked.has(index) || take(index)); index++);
  return picked
}

/** How many lines from the first one fit so many characters. */
export function countLines(lines: readonly string[], characters: number, costOf: (line: string) => number): number {
  let left = characters
  const count = lines.findIndex((line) => (left -= costOf(line)) < 0)
  return count < 0 ? lines.length : count
}

/** Joins the lines that were picked, with notes of how much is missing between them. */
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
