import { findCommits } from '../extract/find-commits.ts'
import { cutToEnds, MAX_CHARACTERS } from './choose-output.ts'
import { noteOpaque } from './note-opaque.ts'
import { findOpeningLine } from './find-line-start.ts'
import { joinPicked } from './join-picked.ts'
import { between, countLines, FEW_LINES, findErrorHints, findErrorLines, pickLines, shownCostOf } from './pick-lines.ts'
import { isGapNote } from './truncate-middle.ts'

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
  // Commits are told wherever they stand.
  if (ends !== output && mayHaveCommits(output) && findCommits(ends).length < findCommits(output).length) return output
  const text = noteOpaque(ends)
  const lines = text.split('\n')
  if (lines.some((line) => line.length > MAX_KEPT_LINE_CHARACTERS)) return output
  const kept = findChoosable(lines, findErrorHints(text))
  const left = kept === undefined ? ends : joinPicked(lines, kept)
  // Of fewer lines than that, where they are long, the middle would be cut.
  return left.length <= MAX_CHARACTERS || (kept?.size ?? 0) >= FEW_LINES ? left : ends
}

/** What few texts have is looked for first. */
const mayHaveCommits = (text: string): boolean => text.includes('] ') && (text.startsWith('[') || text.includes('\n['))

/** Which error lines are shown depends on what other outputs tell; where there are none the choice is made already. */
function findChoosable(lines: readonly string[], hints: readonly number[]): ReadonlySet<number> | undefined {
  const picked = pickLines(lines, { limit: MAX_CHARACTERS, told: new Set(), hints })
  if (picked === undefined) return undefined
  const hasErrors = hints.length > 0
  const head = hasErrors ? countLines(lines, MAX_CHARACTERS, shownCostOf) : 0
  const tail = hasErrors ? countLines(lines.toReversed(), MAX_CHARACTERS, shownCostOf) : 0
  const tailStart = lines.length - tail
  // A line that stands at an end too is one between them once more.
  const errors = new Set(findErrorLines(lines, between(hints, head, tailStart)).map(([, index]) => index))
  for (const [index, line] of lines.entries()) {
    const isEnd = (index < head || index >= tailStart) && !isGapNote(line)
    if (isEnd || errors.has(index) || (line.startsWith('[') && findCommits(line).length > 0)) picked.add(index)
  }
  // A secret is told by the name that it is assigned to.
  for (const index of picked) {
    const opening = findOpeningLine(lines, index)
    if (opening !== undefined) picked.add(opening)
  }
  return picked
}
