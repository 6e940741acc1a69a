import { PATH_ARGUMENTS } from '../files/collect-files.ts'
import type { RawToolCallBlock } from '../schemas/message.ts'
import { findLineStart, withoutMiddle, findOpeningLine, isGapNote } from '../text/truncate-middle.ts'
import { findCommits } from '../extract/commands.ts'
import { cutToEnds, MAX_CHARACTERS, elideBlobs } from '../prompt/choose-output.ts'
import {
  joinPicked,
  between,
  countLines,
  FEW_LINES,
  findErrorHints,
  findErrorLines,
  pickLines,
  shownCostOf,
} from '../prompt/pick-lines.ts'

/** Tools whose arguments hold files. A patch is read whole, since it names the files that it changes. */
const WRITING_TOOL = /^(?:write|edit|multiedit|create|str_replace)$/i

const UNCUT = new Set<string>(PATH_ARGUMENTS)

/** Keeps of a tool call what can be shown: of the text of a file its ends. */
export function trimCall({ type, id, name, arguments: values }: RawToolCallBlock): RawToolCallBlock {
  return { type, id, name, arguments: WRITING_TOOL.test(name) ? trimValues(values) : values }
}

function trimValues(values: unknown): unknown {
  if (typeof values !== 'object' || values === null || Array.isArray(values)) return values
  return Object.fromEntries(
    Object.entries(values).map(([key, value]: [string, unknown]) => [
      key,
      typeof value === 'string' && !UNCUT.has(key) ? shortenText(value) : value,
    ]),
  )
}

/** Of thinking and written files at most 500 characters are shown at either end. */
const END_CHARACTERS = 2000

/** Shorter outputs have next to nothing to lose. */
const LEAST_CHARACTERS = 3 * MAX_CHARACTERS

/** Less is not worth a note. */
const LEAST_TEXT_CHARACTERS = 200

/**
 * Leaves of a long text both its ends, and a note of what is missing. Secrets are still to be looked for: it is cut between
 * lines, where none goes on, and one that has no such place, or a private key, stays whole.
 */
export function shortenText(text: string): string {
  if (text.length <= 2 * END_CHARACTERS + LEAST_TEXT_CHARACTERS || text.includes('PRIVATE KEY')) return text
  const headEnd = text.lastIndexOf('\n', END_CHARACTERS)
  const tailStart = findLineStart(text, text.length - END_CHARACTERS)
  if (headEnd < END_CHARACTERS / 2 || tailStart === undefined || text.length - tailStart < END_CHARACTERS / 2)
    return text
  return withoutMiddle(text, headEnd, tailStart)
}

/** A line that is longer may hold a secret that a cut would part: then nothing is cut. */
const MAX_KEPT_LINE_CHARACTERS = 2000

/** What few texts have is looked for first. */
const mayHaveCommits = (text: string): boolean => text.includes('] ') && (text.startsWith('[') || text.includes('\n['))

/**
 * Leaves of an output only the lines that `chooseOutput` could show, whole, with notes of what is missing: it chooses the
 * same of what is left. Secrets are still to be looked for, so nothing is cut that could part one.
 */
export function trimOutput(output: string, hasFailed: boolean): string {
  if (output.length < LEAST_CHARACTERS || output.includes('PRIVATE KEY')) return output
  const ends = cutToEnds(output, hasFailed)
  // Of what failed more is told than what is shown: the evidence is found in it.
  if (hasFailed) return ends
  // Commits are told wherever they stand.
  if (ends !== output && mayHaveCommits(output) && findCommits(ends).length < findCommits(output).length) return output
  const text = elideBlobs(ends)
  const lines = text.split('\n')
  if (lines.some((line) => line.length > MAX_KEPT_LINE_CHARACTERS)) return output
  const kept = findChoosable(lines, findErrorHints(text))
  const left = kept === undefined ? ends : joinPicked(lines, kept)
  // Of fewer lines than that, where they are long, the middle would be cut.
  return left.length <= MAX_CHARACTERS || (kept?.size ?? 0) >= FEW_LINES ? left : ends
}

/** Which error lines are shown depends on what other outputs tell; where there are none the choice is made already. */
function findChoosable(lines: readonly string[], hints: readonly number[]): ReadonlySet<number> | undefined {
  const picked = pickLines(lines, { limit: MAX_CHARACTERS, alreadyShown: new Set(), hints })
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
