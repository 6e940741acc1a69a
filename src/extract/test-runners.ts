import { isCheckingPart } from './checks.ts'
import { searchedPart } from './searched-output.ts'
import { countsTestsOn, readCounts } from './test-counts.ts'

/** The beginnings of commands that run tests. */
const RUNNER = String.raw`(?:npm|pnpm|yarn|bun)(?: run)? test(?::[\w:-]{1,60})?|make (?:test|check)|(?:python[\d.]* -m |uv run |poetry run )?pytest|python[\d.]* (?:-m unittest(?: discover)?|manage\.py test)|(?:mix|cargo|go|deno|dotnet|flutter|dart|swift|R) test|(?:\./)?gradlew? :?(?:[\w-]{1,40}:){0,4}\w{0,40}[tT]est\w{0,40}|(?:\./)?mvnw?(?: clean)? test|(?:\./)?mvnw?(?: clean)? (?:package|verify|install)|dbt (?:test|run|build)|ctest|(?:npx |pnpm |yarn )?(?:jest|vitest|(?:playwright|ng) test|cypress run|tap|mocha|ava)|(?:bundle exec )?(?:rspec|rubocop)|(?:[\w-]{1,40}/){0,4}(?:phpunit|pest)|php artisan test|west twister|xcodebuild test|node --test|busted`

const TEST_RUNNER = new RegExp(`^(?:${RUNNER})(?= |$)`)

/** Commands that run the tests of some files. */
const SOME_TESTS =
  /^(?:npx |pnpm |yarn )?(?:node (?:\S+ ){0,9}--test\b|(?:jest|vitest|mocha|tap|ava)\b|(?:node|tsx|bun)\b[^\n]{0,200}\.(?:test|spec)\.)/

/** Commands that run a script of the project. */
const RUNS_SCRIPT = /^(?:npm|pnpm|yarn|bun|make) (?!(?:run )?test:)/

/** What runs tests for such a script, and what it is given to run them: neither selects anything. */
const RUNTIME =
  /^(?:npx |pnpm |yarn )?(?:node|tsx|bun|jest|vitest|mocha|tap|ava)(?= )|(?<= )(?:(?:--import|--require|-r|--loader)[ =]\S+|--(?:test|no-warnings|experimental-\S+)) ?/g

/** Linters, which are given files as well. */
const LINTER = /^(?:npx (?:eslint|oxlint|stylelint|prettier --check)|ruff check|mypy|flake8)(?= |$)/

/** Options that select tests by their names, modules or models, or those that have failed last. */
const SELECTING =
  / (?:(?:-[kgteRL]|--?run|--(?:grep|filter|tests?|bin|example|spec|(?<!cypress run --)project|include|select|models|test-?[nN]ame-?[pP]attern|(?:tests|label)-regex)|-D(?:it\.)?test|filter)(?: ?= ?| )\S+|-pl \S+(?: -am)?|(?<=^dbt \w{1,9} )-s \S+|-only-testing:\S+|--(?:lf|last-failed|only-failures|lib|bins|doc))(?= |$)/g

/** Programs that make targets: another one beside the tests is no part of them. */
const TARGETS = /make|mvn|gradle/

/** What a command checks of what it can check: with neither paths nor names, all of it. */
interface Selection {
  /** The program with its other options. */
  runner: string
  paths: string[]
  names: string[]
}

/** The first words of commands that run tests or linters. */
const MAY_RUN =
  /^(?:\.\/|(?:[\w-]{1,40}\/){1,4})?(?:npm|pnpm|yarn|bun|npx|make|python|uv|poetry|pytest|mix|cargo|go|deno|dotnet|flutter|dart|swift|R|gradle|mvn|dbt|ctest|jest|vitest|playwright|ng|cypress|tap|mocha|ava|bundle|rspec|rubocop|phpunit|pest|php|west|xcodebuild|node|busted|ruff|mypy|flake8)/

function readSelection(part: string): Selection | undefined {
  if (!MAY_RUN.test(part)) return undefined
  // What linters select is added to what they check.
  const plain = LINTER.test(part) ? part : part.replace(SELECTING, '')
  const [head] = TEST_RUNNER.exec(plain) ?? LINTER.exec(plain) ?? []
  if (head === undefined) return undefined
  const words = plain
    .slice(head.length)
    .split(' ')
    .map((word) => word.replace(/^["']|["']$/g, ''))
    .filter((word) => word !== '' && word !== '--')
  const isPath = (word: string): boolean => !word.startsWith('-') && !TARGETS.test(head)
  const paths = words.filter(isPath)
  return {
    runner: [head.replace(/^\.\/|w?(?: clean)?(?= \w+$)/g, ''), ...words.filter((word) => !isPath(word))].join(' '),
    // Go tests the current package only.
    paths: paths.length === 0 && head === 'go test' ? ['.'] : paths,
    names: plain === part ? [] : (part.match(SELECTING) ?? []),
  }
}

/** Commands that run others before they go on: the later phases of Maven, and all of dbt. */
const RUNS_OTHERS: readonly (readonly [RegExp, string])[] = [
  [/^((?:\.\/)?mvnw?\b.{0,200}?) (?:package|verify|install|deploy)(?= |$)/, '$1 test'],
  [/^dbt build(?= |$)/, 'dbt test'],
  [/^dbt build(?= |$)/, 'dbt run'],
]

/** A command of Gradle that says no more than what to make: each of these is made. */
const GRADLE = /^(?:\.\/)?gradlew?(?: [a-z:][\w:-]{0,100}){1,400}$/i

/** Whether a command makes all that another one makes, or makes of it with some tests only. */
function makesAll(whole: string, part: string): boolean {
  if (!GRADLE.test(whole)) return false
  const all = part.replace(SELECTING, '')
  return GRADLE.test(all) && all.split(' ').every((word, at) => at === 0 || whole.split(' ').includes(word))
}

/** Whether a command with a success checks all that another one of the same runner, or of a script of the project, has checked. */
export function coversTests(whole: string, part: string): boolean {
  if (makesAll(whole, part)) return true
  if (RUNS_OTHERS.some(([form, other]) => form.test(whole) && coversTests(whole.replace(form, other), part)))
    return true
  const all = readSelection(whole)
  if (all === undefined) return false
  const some = readSelection(part)
  if (
    RUNS_SCRIPT.test(whole) &&
    all.runner === whole &&
    SOME_TESTS.test(part) &&
    !/ -/.test(part.replace(SELECTING, '').replace(RUNTIME, ''))
  )
    return true
  return (
    all.runner === some?.runner &&
    all.names.every((name) => some.names.some((one) => isNamedBy(name, one))) &&
    (all.paths.length === 0 ||
      (some.paths.length > 0 && some.paths.every((path) => all.paths.some((folder) => isIn(path, folder, all.runner)))))
  )
}

/** Whether an option selects all that another one does: the same, or one of several in a pattern, as in `-R "a|b"`. */
function isNamedBy(name: string, one: string): boolean {
  const [option = '', patterns = ''] = name.split(VALUE)
  const [other, pattern = '', more = ''] = one.split(VALUE)
  return name === one || (option === other && more === '' && patterns.split('|').includes(pattern))
}

/** The place before the value of an option. */
const VALUE = /(?<=\S)(?: ?= ?| )["']?|["']$/

/** Whether two checks check some of the same, or may: one has all words of the other and more, and which it selects is not known. */
export function overlap(part: string, other: string): boolean {
  if (coversTests(part, other) || coversTests(other, part)) return true
  if (!isCheckingPart(part) && !runsTests(part)) return false
  const [words, others] = [part, other].map((one) => one.split(' ')) as [string[], string[]]
  const [fewer, more] = words.length < others.length ? [words, others] : [others, words]
  return words[0] === others[0] && fewer.every((word) => more.includes(word))
}

/** The selection of a model of dbt with those around it. */
const AROUND = /^dbt .{0,200}(?:\S\+(?: |$)| \+\S)/

/** Commands that build what other commands of the same program build first. */
const BUILDS = /^(cargo|go|dotnet|swift|mix|(?:\.\/)?mvnw?) (?:build|check|compile|vet|test-compile)(?= |$)/

/** Whether a run may say something of a failed one: they overlap, it has built first, or they may have run the same models of dbt. */
export const isRelated = (passed: string, failed: string): boolean =>
  overlap(failed, passed) ||
  (passed.startsWith(`${BUILDS.exec(failed)?.[1] ?? '-'} `) && (runsTests(passed) || BUILDS.test(passed))) ||
  (/^dbt /.test(passed) && /^dbt /.test(failed) && (AROUND.test(passed) || AROUND.test(failed)))

function isIn(path: string, folder: string, runner: string): boolean {
  const [inner, outer] = [path, folder].map((one) => one.replace(/^\.\//, '').replace(/\/$/, '')) as [string, string]
  if (inner === outer) return true
  if (runner.startsWith('go ')) return /(?:^|\/)\.\.\.$/.test(outer) && `${inner}/`.startsWith(outer.slice(0, -3))
  return outer === '.' ? !/^(?:\/|\.\.)/.test(inner) : inner.startsWith(outer) && /[/:]/.test(inner[outer.length] ?? '')
}

/** The lines in which runners of tests say how many there are. */
const COUNTS = String.raw`\d\d:\d\d \+\d+ (?:~\d+ )?(?:-\d+)?: |[ℹ#] (?:tests|pass|fail) \d| {0,8}Tests?(?: Suites| Files)?:? {1,9}\d|test result: |Ran \d+ tests?\b| {2}\d+ (?:failed|passed \([\d.]+m?s\))$|=+ [^\n]{0,80}\b(?:passed|failed)\b|\s{0,8}\d+ (?:doctests?, \d+ )?(?:tests?|examples?|passing|failing)\b`
const COUNTS_TESTS = new RegExp(`^(?:${COUNTS})`, 'm')

/** Those, and the lines in which they say how one of them ended. */
const SHOWS_TESTS = new RegExp(
  String.raw`^(?:${COUNTS}|\s{0,8}(?:[✖✔] (?!\d+ problems?\b)|not ok \d|ok \d|\d+/\d+ Test +#)|TAP version \d|--- FAIL: |FAILED \S{1,300}::)`,
  'm',
)

/** Whether an output has the number of tests, with which a run ends. */
export const countsTests = (output: string): boolean =>
  COUNTS_TESTS.test(searchedPart(output)) || searchedPart(output).split('\n').some(countsTestsOn)

/** Whether a part of a check runs tests. */
export const runsTests = (part: string): boolean => TEST_RUNNER.test(part) || SOME_TESTS.test(part)

/** Returns an output from the first result of a test on. */
export const fromTests = (output: string): string => output.slice(Math.max(0, output.search(SHOWS_TESTS)))

/** Returns an output after the last line in which a runner counts its tests. */
export function afterTests(output: string): string {
  const lines = searchedPart(output).trimEnd().split('\n')
  const last = lines.findLastIndex((line) => COUNTS_TESTS.test(line) || countsTestsOn(line))
  return last < 0 ? '' : lines.slice(last + 1).join('\n')
}

/** Whether an output has the results of tests. */
export const reportsTests = (output: string): boolean => SHOWS_TESTS.test(searchedPart(output)) || countsTests(output)

/** The lines in which they say that some have failed: TAP, node:test, go, Flutter, cargo, unittest, pytest, Jest, Vitest, Mocha, ExUnit, RSpec. */
const SHOWS_FAILED =
  /^(?:\s{0,8}not ok \d+(?![^\n]{0,300}# (?:TODO|SKIP))|[ℹ#] fail(?:ed)? +[1-9]|\s{0,8}✖ |\s{0,4}--- FAIL: |\d\d:\d\d \+\d+ (?:~\d+ )?-\d|test result: FAILED|FAILED \(|[=\s]{0,90}(?:(?:Tests|Test Files|Test Suites)[: ]{1,20})?(?:\d+ (?:doctests?|tests?|examples?|passed|passing),? ){0,3}[1-9]\d* (?:failed|failing|failures?)\b)/m

/** Returns what an output says of all tests that were run; undefined without results of tests. */
export function resultOfTests(output: string): 'passed' | 'failed' | undefined {
  if (!reportsTests(output)) return undefined
  const text = searchedPart(output)
  const hasFailed = SHOWS_FAILED.test(text) || text.split('\n').some((line) => readCounts(line) === 'failed')
  return hasFailed ? 'failed' : 'passed'
}
