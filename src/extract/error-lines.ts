import { createWordFinder } from '../text/find-in-text.ts'

/** Patterns of words that say what went wrong. Each is under a part of it that stands in every match, in lower case. */
const CAUSES: Readonly<Record<string, string>> = {
  error: String.raw`error|\w+Error`,
  exception: String.raw`exception|\w+Exception`,
  fail: 'fail(?:ed|ure|s)?',
  panic: 'panic(?:ked)?',
  fatal: 'fatal',
  traceback: 'traceback',
  assertion: 'assertion',
  expected: '(?:un)?expected',
  undefined: 'undefined',
  cannot: 'cannot',
  'unable to': 'unable to',
  denied: 'denied',
  refused: 'refused',
  'not found': 'not found',
  'no such': 'no such',
  'segmentation fault': 'segmentation fault',
  enoent: 'ENOENT',
  eacces: 'EACCES',
  econnrefused: 'ECONNREFUSED',
}

/**
 * Patterns of words that say that something failed, but not why: numbers of failures, exit statuses, and the code of an
 * assertion.
 */
const OUTCOMES: Readonly<Record<string, string>> = {
  error: 'errors',
  exception: 'exceptions',
  fail: 'failures',
  assert: String.raw`assert\w*`,
  exit: String.raw`exit(?:ed)?(?: with)?(?: code| status)?:? [1-9]\d*`,
}

/** The marks that test runners put before a test that failed: TAP, Mocha and Node.js, Vitest, pytest. */
const TEST_MARKS = ['not ok', '✖', '✗', '×', 'E '] as const

const CAUSE = new RegExp(String.raw`\b(?:${Object.values(CAUSES).join('|')})\b`, 'i')

const OUTCOME = new RegExp(
  String.raw`\b(?:${Object.values(OUTCOMES).join('|')})\b|^\s*(?:${TEST_MARKS.join('|')})`,
  'i',
)

/**
 * Whether a line of a command's output says what went wrong. Lines that say only that something failed stand after it, and
 * code that keeps the last lines leaves them out.
 */
export const namesCause = (line: string): boolean => CAUSE.test(line)

/** Whether a line reports an error in any way. This is the only definition of an error line in outputs. */
export const isErrorLine = (line: string): boolean => namesCause(line) || OUTCOME.test(line)

/** An error is recognizable by the beginning of its line. */
const MAX_TESTED_CHARACTERS = 1000

/**
 * Returns the distinct error lines among some lines, outcomes included, with their indexes, the last one first.
 * @param hints the indexes of the lines to test, as `findErrorHints` returns them
 */
export function findErrorLines(lines: readonly string[], hints: readonly number[]): [line: string, index: number][] {
  const indexes = new Map<string, number>()
  for (const index of hints.toReversed()) {
    const line = (lines[index] ?? '').slice(0, MAX_TESTED_CHARACTERS).trim()
    if (!indexes.has(line) && isErrorLine(line)) indexes.set(line, index)
  }
  return [...indexes]
}

const findWords = createWordFinder([
  ...new Set([...Object.keys(CAUSES), ...Object.keys(OUTCOMES)]),
  // As a mark, `E ` stands at the beginning of a line or after white space.
  ...TEST_MARKS.flatMap((mark) => (mark === 'E ' ? ['\nE ', '\tE ', ' E '] : mark)),
])

/**
 * Returns the indexes, ascending, of the lines that may be error lines: those with a part of any of the words. One
 * search for all words takes a fifth of the time that testing each line takes.
 */
export function findErrorHints(text: string): number[] {
  const hinted = /^E /i.test(text) ? [0] : []
  let index = 0
  let lineEnd = text.indexOf('\n')
  findWords(text, (word, start) => {
    // A word that begins with a line's end belongs to the line that it ends in.
    for (; lineEnd >= 0 && lineEnd < start + word.length; index++) lineEnd = text.indexOf('\n', lineEnd + 1)
    if (hinted.at(-1) !== index) hinted.push(index)
  })
  return hinted
}

/** How much of an output is searched: errors stand at its end, and sometimes at its beginning. */
const HEAD_CHARACTERS = 4000
const TAIL_CHARACTERS = 12_000

/** Returns an output without the middle of a long one. */
export function searchedPart(output: string): string {
  if (output.length <= HEAD_CHARACTERS + TAIL_CHARACTERS) return output
  const tail = output.slice(-TAIL_CHARACTERS)
  return `${output.slice(0, HEAD_CHARACTERS)}\n${tail.slice(tail.indexOf('\n') + 1)}`
}
