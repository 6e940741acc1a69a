import { searchedPart } from './searched-output.ts'

/** The beginnings of commands that run tests. */
const RUNNER = String.raw`(?:npm|pnpm|yarn|bun)(?: run)? test|make (?:test|check)|(?:python[\d.]* -m |uv run |poetry run )?pytest(?: -\w{1,3}){0,5}|mix test|cargo test|go test \./\.\.\.|npx (?:jest|vitest(?: run)?|tap|mocha)|bundle exec rspec`

/** Commands that run all tests of a project. */
export const ALL_TESTS = new RegExp(`^(?:${RUNNER})$`)
export const TEST_RUNNER = new RegExp(`^(?:${RUNNER}) `)

/** Commands that run the tests of some files. */
export const SOME_TESTS =
  /^(?:npx |pnpm |yarn )?(?:node (?:\S+ ){0,9}--test\b|(?:jest|vitest|mocha|tap|ava)\b|(?:node|tsx|bun)\b[^\n]{0,200}\.(?:test|spec)\.)/

/** The lines in which runners of tests say how many there are, or how one of them ended. */
const SHOWS_TESTS =
  /^(?:[ℹ#] (?:tests|pass|fail) \d|\s{0,8}(?:[✖✔] |not ok \d|ok \d)|TAP version \d|Tests?(?: Suites)?:? {1,9}\d|test result: |--- FAIL: |Ran \d+ tests?\b|=+ [^\n]{0,80}\b(?:passed|failed)\b|\s{0,8}\d+ (?:doctests?, \d+ )?(?:tests?|examples?|passing|failing)\b)/m

/** Whether a part of a check runs tests. */
export const runsTests = (part: string): boolean =>
  ALL_TESTS.test(part) || TEST_RUNNER.test(part) || SOME_TESTS.test(part)

/** Returns an output from the first result of a test on. */
export const fromTests = (output: string): string => output.slice(Math.max(0, output.search(SHOWS_TESTS)))

/** Whether an output has the results of tests. */
export const reportsTests = (output: string): boolean => SHOWS_TESTS.test(searchedPart(output))

/** The lines in which they say that some have failed: TAP, node:test, go, cargo, unittest, pytest, Jest, Vitest, Mocha, ExUnit, RSpec. */
const SHOWS_FAILED =
  /^(?:\s{0,8}not ok \d+(?![^\n]{0,300}# (?:TODO|SKIP))|[ℹ#] fail(?:ed)? +[1-9]|\s{0,8}✖ |\s{0,4}--- FAIL: |test result: FAILED|FAILED \(|[=\s]{0,90}(?:(?:Tests|Test Files|Test Suites)[: ]{1,20})?(?:\d+ (?:doctests?|tests?|examples?|passed|passing),? ){0,3}[1-9]\d* (?:failed|failing|failures?)\b)/m

/** Returns what an output says of all tests that were run; undefined without results of tests. */
export function resultOfTests(output: string): 'passed' | 'failed' | undefined {
  if (!reportsTests(output)) return undefined
  return SHOWS_FAILED.test(searchedPart(output)) ? 'failed' : 'passed'
}
