import { oneLine, shorten } from '../text/shorten.ts'
import { findErrors } from './find-errors.ts'
import { searchedPart } from './searched-output.ts'

/** The lines in which runners of tests count, with how many failed, and how many there were or else have passed. */
const COUNTS: readonly { form: RegExp; passed?: RegExp }[] = [
  // node:test, TAP
  { form: /^[ℹ#] tests (?<all>\d+)$[^]{0,200}?^[ℹ#] fail (?<failed>\d+)/gm },
  { form: /^[ℹ#] fail (?<failed>\d+)/gm, passed: /^[ℹ#] pass (\d+)/m },
  // unittest
  {
    form: /^Ran (?<all>\d+) tests? in [^\n]{1,40}\n\s{0,4}FAILED \((?:failures=(?<failed>\d+))?(?:, )?(?:errors=(?<errors>\d+))?/gm,
  },
  // Jest; Vitest
  { form: /^Tests: +(?<failed>\d+) failed, (?:\d+ \w+, ){0,3}(?<all>\d+) total/gm },
  { form: /^ *Tests +(?<failed>\d+) failed [^\n()]{0,60}\((?<all>\d+)\)/gm },
  // pytest
  { form: /^=* ?(?<failed>\d+) failed(?:, (?<passed>\d+) passed)?[^\n]{0,60} in [\d.]+s/gm },
  // cargo; ExUnit, RSpec; Mocha
  { form: /^test result: FAILED\. (?<passed>\d+) passed; (?<failed>\d+) failed/gm },
  { form: /^\s{0,4}(?:\d+ doctests?, )?(?<all>\d+) (?:tests?|examples?), (?<failed>\d+) failures?/gm },
  { form: /^ *(?<failed>\d+) failing$/gm, passed: /^ *(\d+) passing\b/m },
  // PHPUnit; Playwright
  { form: /^Tests: (?<all>\d+), Assertions: \d+(?:, Errors: (?<errors>\d+))?(?:, Failures: (?<failed>\d+))?\b/gm },
  { form: /^ {2}(?<failed>\d+) failed$/gm, passed: /^ {2}(\d+) passed\b/m },
  // CTest; Gradle
  { form: /^\d{1,3}% tests passed, (?<failed>\d+) tests? failed out of (?<all>\d+)/gm },
  { form: /^(?<all>\d+) tests? completed, (?<failed>\d+) failed/gm },
]

/**
 * How runners name a test that failed: unittest (the frame, where its heading is cut), pytest, go, cargo, ExUnit, RSpec, Jest, Vitest, PHPUnit,
 * Playwright, dbt, CTest, Gradle.
 */
const NAMES: readonly RegExp[] = [
  /^(?:FAIL|ERROR): (\w{1,200}) \(/,
  /^ {2}File "[^"]{1,400}", line \d+, in (test\w{0,200})$/,
  /^(?:FAILED|ERROR) \S{1,300}\.py::(\S{1,200})/,
  /^\s{0,8}--- FAIL: (\S{1,200}) \(/,
  /^test (\S{1,200}) \.\.\. FAILED$/,
  /^ {1,4}\d{1,4}\) (test .{1,200}) \([\w.]{1,200}\)$/,
  /^rspec \S{1,300} # (.{1,200})$/,
  /^ {0,4}● .{0,200}› (.{1,200})$/,
  /^ ?(?:FAIL|×) +\S{1,300}\.(?:test|spec)\.\w{1,5} .{0,200}> (.{1,200})$/,
  /^\d{1,4}\) (?:\w{1,60}\\){0,9}(\w{1,100}::\w{1,100})$/,
  /^ {0,4}[\d,]{1,9}\) ([^›]{1,200}›[^─]{1,200}?)(?: ─+)?$/,
  /^[\d:]{0,8} {0,4}Failure in test (\S{1,200}) \(/,
  /^\s{1,8}\d{1,5} - (\S{1,200}) \([A-Z][\w ]{1,40}\)/,
  /^([\w.$]{1,150} > .{1,200}?) FAILED$/,
]

/** TAP, whose nested tests stand before the one that has them; and the list at the end of Node's own form. */
const NOT_OK = /^( {0,40})not ok \d+ - (?!.{0,300}# (?:TODO|SKIP))(.{1,200}?)(?: # time=.{1,40})?$/
const FAILING_LIST = '✖ failing tests:'
const FAILING = /^✖ (.{1,200}?) \([\d.]{1,12}ms\)$/

/** How runners count tests that they leave out: cargo, pytest, Jest, Vitest; dbt, R; node:test; unittest; Maven, PHPUnit; Flutter. */
const SKIPPED =
  /(?<!\d)(\d+) (?:ignored|skipped|pending|todo|xfailed)\b|\bSKIP[ =](\d+)|^[ℹ#] (?:skipped|todo) (\d+)|skipped=(\d+)|\bSkipped: {1,9}(\d+)|^\d\d:\d\d \+\d+ ~(\d+): All tests/gm

/** Returns how many tests an output counts that were left out. */
export const countSkippedTests = (output: string): number =>
  [...searchedPart(output).matchAll(SKIPPED)].reduce((sum, [, ...counts]) => sum + Number(counts.join('')), 0)

/** How they say that there was none, and that there were some: pytest, go, cargo, ExUnit, RSpec, unittest, Jest, Vitest, node:test, TAP, Mocha, Deno, Xcode, .NET, Maven. */
const HAS_NONE =
  /^(?:=* ?no tests ran|collected 0 items|running 0 tests|0 (?:tests|examples)\b|Ran 0 tests|[ℹ#] tests 0\b|1\.\.0\b)|\[no test(?:s to run| files)\]|\bno tests? (?:were |files? )?(?:found|executed|matched)|(?<!=)\b0 total\b|^ *0 passing\b|\b0 passed \| 0 failed\b|\bExecuted 0 tests\b|\bNo test matches\b|\bTests run: 0\b/im
const HAS_SOME =
  /(?<![\d.])[1-9]\d* (?:passed|passing|tests?|examples?)\b|^[ℹ#] tests [1-9]|^ok[ \t]+\S+[ \t]+(?:[\d.]+s|\(cached\))$|^1\.\.[1-9]|\bTests run: [1-9]/m

/** A test that go has left out. */
const GO_SKIPPED = /^ *--- SKIP: /m

/** Whether the tests of a run that has passed did run: there were some, and none was left out, as far as its output says. */
export function hasRunTests(output: string): boolean {
  const text = searchedPart(output)
  return countSkippedTests(output) === 0 && !GO_SKIPPED.test(text) && (HAS_SOME.test(text) || !HAS_NONE.test(text))
}

const MAX_NAMED = 5
const MAX_NAME_CHARACTERS = 80

/** Returns what the output of a run of tests says of those that failed: `2 of 19 tests failed: adds, divides`; undefined if it says nothing. */
export function describeFailedTests(output: string): string | undefined {
  const text = searchedPart(output)
  const { failed, all } = countTests(text)
  const names = namesIn(text)
  const details = detailsIn(text)
  if (failed === 0 || (failed === undefined && names.length === 0)) return undefined
  const count = failed ?? names.length
  const named = names
    .slice(0, MAX_NAMED)
    .map((name) => shorten(oneLine(name), MAX_NAME_CHARACTERS) + (details.get(name) ?? ''))
  const more = names.length > 0 && count > named.length ? [`and ${count - named.length} more`] : []
  const of = all === undefined ? '' : ` of ${all}`
  const head = `${count}${of} test${(all ?? count) === 1 ? '' : 's'} failed`
  return named.length === 0 ? head : `${head}: ${[...named, ...more].join(', ')}`
}

function countTests(text: string): { failed?: number; all?: number } {
  for (const { form, passed } of COUNTS) {
    const found = [...text.matchAll(form)].at(-1)?.groups
    if (found === undefined) continue
    const failed = Number(found['failed'] ?? 0) + Number(found['errors'] ?? 0)
    const others = found['passed'] ?? passed?.exec(text)?.[1]
    if (found['all'] !== undefined) return { failed, all: Number(found['all']) }
    return others === undefined ? { failed } : { failed, all: failed + Number(others) }
  }
  return {}
}

/** Returns the names of the tests that have failed, as far as an output has them. */
export const failedTestsIn = (output: string): string[] => namesIn(searchedPart(output))

/** Returns them if they are as many as it counts; none otherwise. */
export function allFailedTestsIn(output: string): string[] {
  const names = failedTestsIn(output)
  return names.length >= (countTests(searchedPart(output)).failed ?? Infinity) ? names : []
}

function namesIn(text: string): string[] {
  const lines = text.slice(Math.max(0, text.indexOf(FAILING_LIST))).split('\n')
  const listed = text.includes(FAILING_LIST) ? lines.flatMap((line) => FAILING.exec(line)?.[1] ?? []) : []
  const others = lines.flatMap((line) => NAMES.flatMap((form) => form.exec(line)?.[1] ?? []))
  const names = [...new Set([...listed, ...notOk(lines), ...others])]
  // A test of Go has its parts as tests of their own.
  return names.filter((name) => !names.some((other) => other.startsWith(`${name}/`)))
}

/** What TAP says that a test has expected, and got. */
const EXPECTED = /^not ok \d{1,6} - (.{1,200}?)( \((?:expected|actual): .{1,200})$/
const MAX_DETAILS_CHARACTERS = 100

/** A colon ends a part of a line: what is said elsewhere is left out in parts. */
const withoutColons = (details: string): string => details.replace(/\b(expected|actual): /g, '$1 ')

const detailsIn = (text: string): Map<string, string> =>
  new Map(
    findErrors(text, MAX_NAMED).flatMap((line) => {
      const [, name, details] = EXPECTED.exec(line) ?? []
      return name === undefined || details === undefined
        ? []
        : [[name, shorten(withoutColons(details), MAX_DETAILS_CHARACTERS)]]
    }),
  )

/** Whether a line only names a test that failed, without the reason that pytest writes behind it. */
export const isNameOfTest = (line: string): boolean =>
  /^(?:not ok \d|\d{1,5} - \S{1,200} \([A-Z]|(?:--- )?FAIL(?:ED)?\b(?! \S{1,300}\.py::\S{1,300} - \S)|✖ |● )/.test(line)

/** Returns the tests of TAP that failed: the innermost ones of Node, and the outermost ones of others, whose innermost lines are assertions. */
function notOk(lines: readonly string[]): string[] {
  const found = lines.flatMap((line) => {
    const [, indent, name] = NOT_OK.exec(line) ?? []
    return indent === undefined || name === undefined ? [] : [{ depth: indent.length, name }]
  })
  const isNode = lines.some((line) => /^ *failureType: /.test(line))
  return found
    .filter(({ depth }, at) => (isNode ? (found[at - 1]?.depth ?? 0) <= depth : depth === 0))
    .map(({ name }) => name)
}
