import { findCommits } from '../extract/find-commits.ts'
import { cutToEnds, MAX_CHARACTERS } from './choose-output.ts'
import { noteOpaque } from './note-opaque.ts'
import { findErrorLines, MAX_LINE_CHARACTERS } from './pick-lines.ts'
import { charactersOf, gapNote, isGapNote } from './truncate-middle.ts'

/** A line that is longer may hold a secret that a cut would part: then nothing is cut. */
const MAX_KEPT_LINE_CHARACTERS = 2000

/** Shorter outputs have next to nothing to lose. */
const LEAST_CHARACTERS = 3 * MAX_CHARACTERS

/**
 * Leaves of an output only the lines that `chooseOutput` could show, whole, with notes of what is missing: it chooses the
 * same of what is left. Secrets are still to be looked for, so nothing is cut that could part one.
 */
export function keepChoosable(output: string, hasFailed: boolean): string {
  if (output.length < LEAST_CHARACTERS || output.includes('PRIVATE KEY')) return output
  const ends = cutToEnds(output, hasFailed)
  // Of what failed more is told than what is shown: the evidence is found in it.
  if (hasFailed) return ends
  const lines = noteOpaque(ends).split('\n')
  if (lines.some((line) => line.length > MAX_KEPT_LINE_CHARACTERS)) return output
  const head = countLines(lines)
  const tail = countLines(lines.toReversed())
  if (head + tail >= lines.length) return ends
  const kept = new Set(findErrorLines(lines, head, lines.length - tail).map(([, index]) => index))
  return join(lines, (line, index) => {
    const isEnd = index < head || index >= lines.length - tail
    return isEnd || kept.has(index) || (line.startsWith('[') && findCommits(line).length > 0)
  })
}

/** How many lines from the first one all that is shown could be. */
function countLines(lines: readonly string[]): number {
  let left = MAX_CHARACTERS
  const count = lines.findIndex((line) => {
    left -= Math.min(line.length, MAX_LINE_CHARACTERS) + 1
    return left < 0
  })
  return count < 0 ? lines.length : count
}

function join(lines: readonly string[], isKept: (line: string, index: number) => boolean): string {
  const kept: string[] = []
  let gap = 0
  for (const [index, line] of [...lines, undefined].entries()) {
    const isShown = line === undefined || (!isGapNote(line) && isKept(line, index))
    if (!isShown) gap += charactersOf(line)
    else {
      if (gap > 0) kept.push(gapNote(gap))
      gap = 0
      if (line !== undefined) kept.push(line)
    }
  }
  return kept.join('\n')
}
