import { isEnvelopeLine, isErrorLine, namesCause, saysOnlyThat } from '../extract/error-lines.ts'
import { findErrorHints } from '../extract/find-errors.ts'
import { Lines } from '../text/lines.ts'
import type { RecalledPassage } from './passage.ts'
import { endNear, excerptsAt, startNear, type Excerpt, type TextSpan } from './text-spans.ts'

/** So much is shown of an error, and of the end or the beginning of an output. */
const ERROR_CHARACTERS = 120
const END_CHARACTERS = 150

/**
 * Returns what came of a call whose output has passages of its own: of a command the last lines, and the first error if it has failed;
 * of another tool the beginning. Nothing is returned for a file that was read, and for an edit that was made: their kind says it.
 */
export function outcomeExcerpts({ outcome = '', text, lead, kinds: [kind], paths = [] }: RecalledPassage): Excerpt[] {
  const output = { text: outcome.trimEnd(), before: 0 }
  const end = output.text.length
  if (end === 0) return []
  const isCommand = (lead === '' ? text : lead).startsWith('$ ')
  if (kind !== 'failure' && !isCommand)
    return paths.length > 0 ? [] : excerptsAt(output, [{ start: 0, end: endNear(output.text, END_CHARACTERS) }])
  const errors = kind === 'failure' ? firstError(output.text) : []
  return excerptsAt(output, [...errors, { start: startNear(output.text, end - END_CHARACTERS), end }])
}

/** Returns what came of a call as one text, in which `…` stands for what is left out; undefined if there is nothing to say. */
export function outcomeTextOf(passage: RecalledPassage): string | undefined {
  const pieces = outcomeExcerpts(passage)
  if (pieces.length === 0) return undefined
  const { text, end } = joinPieces(pieces)
  return end < (passage.outcome ?? '').trimEnd().length ? `${text}\n…` : text
}

function joinPieces(pieces: readonly Excerpt[]): { text: string; end: number } {
  let [joined, end] = ['', 0]
  for (const { text, start } of pieces) {
    joined += `${joined === '' ? '' : '\n'}${start > end ? '…\n' : ''}${text}`
    end = start + text.length
  }
  return { text: joined, end }
}

/** Returns the first line that says what went wrong, or else the first one that says that something did. */
function firstError(output: string): TextSpan[] {
  const lines = new Lines(output)
  const hinted = findErrorHints(output).map((index) => ({
    start: lines.startOf(index),
    line: beginningOf(lines, index),
  }))
  const errors = hinted.filter(({ line }) => isErrorLine(line) && !isEnvelopeLine(line))
  const error = errors.find(({ line }) => namesCause(line) && !saysOnlyThat(line)) ?? errors[0]
  if (error === undefined) return []
  return [{ start: error.start, end: Math.max(error.start, endNear(output, error.start + ERROR_CHARACTERS)) }]
}

/** Longer lines are data. */
const MAX_LINE_CHARACTERS = 1000

const beginningOf = (lines: Lines, index: number): string =>
  lines.text
    .slice(lines.startOf(index), Math.min(lines.startOf(index + 1) - 1, lines.startOf(index) + MAX_LINE_CHARACTERS))
    .trim()

/**
 * Returns whether what came of a call is to be shown below it: not if what follows is of the same call, nor if what stands before it is
 * its output.
 */
export function endsWithOutcome(shown: readonly RecalledPassage[], at: number): boolean {
  const [before, passage, next] = [shown[at - 1], shown[at], shown[at + 1]]
  if (passage?.outcome === undefined || next?.unit === passage.unit) return false
  return before?.unit !== passage.unit || before.outcome !== undefined
}
