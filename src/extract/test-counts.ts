/** The lines in which programs count their results: `12 tests, 0 failures`, `[ FAIL 0 | WARN 1 | PASS 9 ]`, `ok=9 failed=0`. */

const BAD = 'fail(?:ed|ures?|s|ing)?|err(?:ors?|ored)?'
const GOOD = 'pass(?:ed|es|ing)?|succe(?:eded|ss(?:es|ful)?)'
const OTHER = 'skip(?:ped|s)?|warn(?:ed|ings?)?|pending|ignored|todo|cancell?ed|broken'
const THINGS = 'tests?|examples?|specs?|runs?|assertions|expectations'

/** One count: its word and its number, in one order or the other. `=` binds any word. */
const COUNT = new RegExp(
  [
    String.raw`(?<![\p{L}\d]|expected )(?:(?:${BAD}|${GOOD}|${OTHER})(?: ?: {0,12}| {1,4})|(?:${THINGS})(?: run)?: {0,12}(?=\d+ ?(?:[,;.|]|$))|[a-z]+=)(?:\d+)(?![\d%])`,
    String.raw`(?<![\p{L}\d./])\d+%? (?:(?:tests?|test cases?|specs?) )?(?:${BAD}|${GOOD}|${OTHER}|${THINGS})(?![\p{L}-]| (?:ignored|fixed|handled|recovered)(?!\p{L}))`,
  ].join('|'),
  'giu',
)

const IS_BAD = new RegExp(String.raw`(?:^|[\d ])(?:${BAD}|unreachable)(?![\p{L}])`, 'iu')
const IS_GOOD = new RegExp(String.raw`(?:^|[\d ])(?:${GOOD}|ok)(?![\p{L}])`, 'iu')

/** What may be between two counts of a line. */
const BETWEEN = /^[\w\s,;:|/()[\]%-]{0,14}$/

/** A line with the name of a test, which may have any numbers. */
const NAMES_TEST = /^\s*(?:[✓✔√•*] |(?:not )?ok \d|test \S{1,200} \.\.\. )/

/** Longer lines are data. */
const MAX_CHARACTERS = 300

/** Returns what the counts of a line say; undefined if they are fewer than two, or of nothing that passes or fails. */
export function readCounts(line: string): 'passed' | 'failed' | undefined {
  if (line.length > MAX_CHARACTERS || !/\d/.test(line) || NAMES_TEST.test(line)) return undefined
  const counts = [...line.matchAll(COUNT)]
  const end = (at: number): number => (counts[at]?.index ?? 0) + (counts[at]?.[0].length ?? 0)
  const areJoined = counts.every(({ index }, at) => at === 0 || BETWEEN.test(line.slice(end(at - 1), index)))
  if (counts.length < 2 || !areJoined) return undefined
  const numberOf = (text: string): number => Number(/\d+/.exec(text)?.[0])
  const bad = counts.filter(([text]) => IS_BAD.test(text))
  if (bad.some(([text]) => numberOf(text) > 0)) return 'failed'
  const good = counts.filter(([text]) => IS_GOOD.test(text))
  const isAll = good.length === 0 ? bad.length > 0 : good.some(([text]) => numberOf(text) > 0)
  return isAll && !hasOthers(line) ? 'passed' : undefined
}

/** Whether a line has a count of other things, which may be bad, or says how many of all have passed. */
const hasOthers = (line: string): boolean =>
  /\d (?:out )?of \d/i.test(line) ||
  [...line.matchAll(/([a-z-]{2,30})[:=] {0,12}[1-9]/gi)].some(([, word = '']) => !HARMLESS.test(word))

const HARMLESS =
  /^(?:ok|changed|rescued|total|time|duration|elapsed|rows?|files?|no-?op|workers?|tests?|examples?|specs?|runs?|run|assertions|expectations|pass\w*|succe\w*|skip\w*|warn\w*|pending|ignored|todo)$/i

/** Whether a line counts tests. */
export const countsTestsOn = (line: string): boolean =>
  /test|pass|spec|example/i.test(line) && readCounts(line) !== undefined
