import { createWordFinder } from '../text/find-in-text.ts'
import type { Lines } from '../text/lines.ts'
import { firstCharacters } from '../text/shorten.ts'
import { findComplaints } from './complaints.ts'
import { ERROR_WORDS, isEnvelopeLine, isErrorLine, namesCause, saysOnlyThat } from './error-lines.ts'
import { searchedLines } from './searched-output.ts'

/** An error is recognizable by the beginning of its line. */
const MAX_TESTED_CHARACTERS = 1000

/** Error lines are searched for in parts of this size, since there is often only room for the last ones. */
const PART_CHARACTERS = 4096

/** Yields the indexes of the distinct error lines in a range of lines, outcomes included, the last one first. */
export function* findErrorLines(lines: Lines, first: number, end: number): Generator<number> {
  const found = new Set<string>()
  for (let to = end; to > first;) {
    let from = to - 1
    while (from > first && lines.startOf(to) - lines.startOf(from - 1) <= PART_CHARACTERS) from -= 1
    for (const hint of findErrorHints(lines.slice(from, to)).toReversed()) {
      const line = lines
        .at(from + hint)
        .slice(0, MAX_TESTED_CHARACTERS)
        .trim()
      if (found.has(line) || !isErrorLine(line)) continue
      found.add(line)
      yield from + hint
    }
    to = from
  }
}

const findWords = createWordFinder(ERROR_WORDS)

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

/** Longer lines are data. */
const MAX_TESTED_LINE_CHARACTERS = 2000

/** How much of an error line is returned. */
const MAX_ERROR_LINE_CHARACTERS = 300

/** The tags that Claude Code (2.1.39) writes around the error of a tool. */
const withoutErrorTag = (line: string): string =>
  line.includes('tool_use_error>') ? line.replace(/^<tool_use_error>|<\/tool_use_error>$/g, '').trim() : line

/** Lines of signs only separate others. */
const WORDS = /[\p{L}\p{N}]/u

/** The numbers of a run of tests, where nothing else is said: `FAILED (failures=1)`. */
const COUNT = /^FAILED \((?:failures|errors)=\d/

/** A test that has failed, in TAP: one that is marked as TODO or SKIP does not count. */
const FAILED_TEST = /^not ok \d+ - (?!.{0,300}# (?:TODO|SKIP))/

/** The end of what TAP says of a test, and the parts of it that say why the test has failed. */
const TEST_END = /^(?:ok \d|not ok \d|\.{3}$|#|\d+\.\.\d)/
const TEST_DETAIL = /^(?:expected|actual): \S/
const IN_TEST = /^(?:expected|actual|error|code|name|operator|failureType|stack|message|found|wanted|diff|compare): ?/
const CONTAINS_FAILED = /^failureType: 'subtestsFailed'/

/** Returns lines with each failed test of TAP as one line, with what it expected and got; others of its lines say less. */
function joinFailedTests(lines: readonly string[]): string[] {
  const joined: string[] = []
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? ''
    joined.push(line)
    if (!FAILED_TEST.test(line)) continue
    const next = lines.findIndex((one, index) => index > at && TEST_END.test(one))
    const block = lines.slice(at + 1, next < 0 ? undefined : next)
    const details = block.filter((one) => TEST_DETAIL.test(one))
    if (block.some((one) => CONTAINS_FAILED.test(one))) joined.pop()
    else if (details.length > 0) joined[joined.length - 1] = `${line} (${details.join(', ')})`
    if (details.length > 0) joined.push(...block.filter((one) => !IN_TEST.test(one)))
    else joined.push(...block)
    at += block.length
  }
  return joined
}

/** What is joined to the line of a test. */
const SAYS_EXPECTED = /^not ok \d.{1,2000} \((?:expected|actual): /

/** Returns an error that `findErrors` has found as it is found again: a test has another number in another run, and may get other values. */
export const errorName = (error: string): string =>
  FAILED_TEST.test(error) ? error.replace(FAILED_TEST, '').replace(/ \((?:expected|actual): .*$/, '') : error

/** Whether an output shows an error that `findErrors` has found in another one. */
export const showsError = (output: string, error: string): boolean => output.includes(errorName(error))

/** A word alone, such as `:error`, is a name or a value. Only what is returned of a line counts: the rest is data. */
const isCause = (line: string): boolean =>
  /\s/.test(line) && (namesCause(firstCharacters(line, MAX_ERROR_LINE_CHARACTERS)) || FAILED_TEST.test(line))

/** A value of printed JSON, unless it says what is wrong. */
const DATA = /^"(?!(?:error|message|reason|detail|msg|title)\w{0,20}")[^"]{1,100}": ?(?:["[{]|-?\d|true|false|null)/i

/** A line that only says that errors follow: `Pre-commit validation failed:`. */
const INTRODUCTION = /\b(?:fail(?:ed|ures?|s)|errors?|problems?|issues?):$/i

/**
 * Returns the lines of a failed command's output that say what went wrong, word for word, each once. Where there are
 * none, it returns what the output complains about, or else its last lines.
 * @param maxLines how many lines at most: the last ones, since the last error stopped the command
 */
export const findErrors = (output: string, maxLines: number): string[] => errorsIn(linesOf(output), maxLines)

/**
 * Returns the last line of a failed command's output that says what went wrong, with the line that it announces by a colon: `expected a
 * map, got:` says less than half. It is empty where no line says anything.
 */
export function findCause(output: string): string {
  const lines = linesOf(output)
  const [line = ''] = errorsIn(lines, 1)
  const at = line.endsWith(':') ? lines.lastIndexOf(line) : -1
  const next = at < 0 ? undefined : lines[at + 1]
  return next === undefined ? line : firstCharacters(`${line} ${next}`, MAX_ERROR_LINE_CHARACTERS)
}

const linesOf = (output: string): string[] =>
  joinFailedTests(
    searchedLines(output)
      .map((line) => withoutErrorTag(line.trim()))
      .filter((line) => WORDS.test(line) && !isEnvelopeLine(line)),
  )

function errorsIn(lines: readonly string[], maxLines: number): string[] {
  const others = lines.filter((line) => !saysOnlyThat(line) && !DATA.test(line))
  const causes = others.filter((line) => line.length < MAX_TESTED_LINE_CHARACTERS && isCause(line))
  const said = causes.filter((line) => !INTRODUCTION.test(line))
  const counts = lines.filter((line) => COUNT.test(line)).slice(-1)
  // Tests that say what they expected need no other line: what else is printed may be wanted, or be a part of them.
  const tests = causes.some((line) => SAYS_EXPECTED.test(line)) ? causes.filter((line) => FAILED_TEST.test(line)) : []
  const complaints = said.length > 0 ? [] : findComplaints(lines.join('\n'), maxLines)
  const [chosen = []] = [tests, said, complaints, causes, others, counts].filter((found) => found.length > 0)
  return [...new Set(chosen)].slice(-maxLines).map((line) => firstCharacters(line, MAX_ERROR_LINE_CHARACTERS))
}
