import { isCheckingPart } from './checks.ts'
import { isException, namesCause, stopsProgram } from './error-lines.ts'
import { endsWithLog, isQuery, printsStatus } from './exit-status.ts'
import { searchedPart } from './searched-output.ts'
import type { SimpleCommand } from './shell.ts'

type Verdict = 'succeeded' | 'failed' | 'unknown'

/** Joins patterns, each of which begins at the beginning of a line. */
const linesWith = (patterns: readonly string[], flags = ''): RegExp =>
  new RegExp(String.raw`^(?:${patterns.join('|')})`, `m${flags}`)

/** Words before the numbers in the last line of a test runner: `Tests: 3 passed, 1 failed`, `==== 2 failed`. */
const BEFORE_NUMBER = String.raw`[\s=!#*✖×❌ℹ-]{0,60}(?:(?:tests?|test suites|test files|suites|files|found|result|summary|failed|totals?)\b[ :]{1,20})?(?:\d+(?: of \d+|%)? [a-z]+(?: [a-z]+)?[,;|] {0,3}(?:and )?){0,5}`

/** Lines that programs print only when they fail, each with its source. */
const FAILURE = linesWith([
  // TAP; a test that is marked as TODO or SKIP does not count
  String.raw` {0,20}not ok \d+(?![^\n]{0,300}# (?:TODO|SKIP))`,
  // TAP, node:test
  String.raw`[#ℹ] fail(?:ed)? +[1-9]`,
  // cargo, go, pytest, unittest, Jest, Vitest, Deno, dotnet, ctest
  String.raw`test result: FAILED`,
  String.raw` {0,4}--- FAIL: `,
  String.raw` ?FAIL(?:[\s:]|$)`,
  String.raw` ?FAILED?(?:[ |]|$)`,
  String.raw`Failed! `,
  String.raw`ERROR (?:collecting )?\S{1,200}\.py\b`,
  String.raw`The following tests FAILED`,
  // mypy, ruff, tsc, ESLint: `Found 2 errors (2 fixed, 0 remaining)` is a success
  String.raw`Found [1-9]\d* errors?\b(?![^\n]{0,80}\b0 remaining)`,
  String.raw`✖ \d+ problems? \([1-9]`,
  // Surefire, PHPUnit
  String.raw`[^\n]{0,40}Tests(?: run)?: *\d+,[^\n]{0,80}(?:Failures|Errors): *[1-9]`,
  // Gradle, Maven, MSBuild, make, CMake, ninja
  String.raw`(?:\[\w+\] )?BUILD FAIL(?:ED|URE)\b`,
  String.raw`Build FAILED\b`,
  String.raw`FAILURE: Build failed`,
  String.raw`> Task \S{1,200} FAILED`,
  String.raw`g?make(?:\[\d+\])?: \*\*\* (?![^\n]{0,200}\(ignored\))`,
  String.raw`CMake Error\b`,
  String.raw`ninja: (?:error|build stopped)`,
  // npm, pnpm, Yarn, pip, apt
  String.raw`npm (?:ERR!|error) `,
  String.raw` ?(?:\[?ERR_PNPM_\w+|ELIFECYCLE)\b`,
  String.raw`error Command failed\b`,
  String.raw`ERROR: (?:Could not|No matching|failed to|Failed building)`,
  String.raw`E: (?:Unable|Could not|Package|Failed)`,
  // compilers: a place, then `error`
  String.raw`error\[E\d+\]: `,
  String.raw`error: (?:could not compile|aborting due to|test failed|\d+ targets? failed|failed to push|pathspec )`,
  String.raw`[^\n]{0,200}\berror (?:TS|CS|MSB|FS|NU|NETSDK)\d`,
  String.raw`[^\s:]{1,200}:\d+:(?:\d+:)? (?:fatal )?error: `,
  String.raw`# \S{1,200}\n(?:vet: )?\S{1,200}\.go:\d+:`,
  // git, Docker
  String.raw`fatal: `,
  String.raw`CONFLICT \(`,
  String.raw` ! \[(?:remote )?rejected\]`,
  String.raw`(?:docker: )?Error response from daemon`,
  String.raw`failed to solve:`,
  // Ansible
  String.raw`[^\s:]{1,100}\s{1,60}: ok=\d+\s+changed=\d+\s+(?:unreachable=[1-9]|unreachable=0\s+failed=[1-9])`,
  // Elixir; dialyxir
  String.raw`\*\* \((?:Mix|[\w.]{1,60}Error)\) `,
  String.raw`Total errors: [1-9]\d*, Skipped: 0,`,
  // crashes: Go, Rust, Node.js, Java, PHP
  String.raw`panic: `,
  String.raw`thread 'main'(?: \(\d+\))? panicked at`,
  String.raw`Node\.js v\d+\.\d+\.\d+$`,
  String.raw`Exception in thread "main"`,
  String.raw`(?:PHP )?Fatal error: `,
])

/** A number of failures at the end of a run: Jest, Vitest, Mocha, pytest, RSpec, Gradle, Bun, Playwright, clang. */
const FAILURE_COUNT = linesWith(
  [
    String.raw`${BEFORE_NUMBER}[1-9]\d*(?: of \d+)? (?:tests? |examples? |specs? )?(?:fail(?:ed|ures?|ing)?|errors?)\b(?! (?:ignored|fixed|handled|recovered)|[^\n]{0,80}\b0 remaining)`,
  ],
  'i',
)

/** Lines that programs print only when they succeed. */
const SUCCESS = linesWith(
  [
    String.raw`${BEFORE_NUMBER}[1-9]\d* (?:tests? |examples? )?pass(?:ed|ing)?\b`,
    String.raw`${BEFORE_NUMBER}0 (?:fail(?:ed|ures?|ing)?|errors?)\b`,
    String.raw`[#ℹ] fail(?:ed)? +0\b`,
    String.raw`ok \d+\b`,
    String.raw`test result: ok`,
    String.raw`ok\s+\S{1,200}\s+(?:[\d.]+s|\(cached\))`,
    String.raw`PASS\b`,
    String.raw`(?:OK|Passed!)(?: |$)`,
    String.raw`[^\n]{0,40}Tests run: *\d+, Failures: *0, Errors: *0`,
    String.raw`(?:\[\w+\] )?BUILD SUCCESS`,
    String.raw`Build succeeded\b`,
    // ninja
    String.raw`\[(?<steps>\d{2,6})/\k<steps>\] (?:Link|Generat|Build|Install)ing `,
    String.raw`✖ \d+ problems? \(0 errors`,
    String.raw`all (?:tests|checks|\d+ tests) (?:have )?passed\b`,
    String.raw`All matched files use Prettier`,
    String.raw`Found [^\n]{0,80}\b0 remaining`,
    String.raw`Success: no issues found`,
    String.raw`[^\s:]{1,100}\s{1,60}: ok=\d+\s+changed=\d+\s+unreachable=0\s+failed=0\b`,
    // xcodebuild
    String.raw`\*\* (?:BUILD|TEST|ARCHIVE|CLEAN|ANALYZE) SUCCEEDED \*\*`,
    // dialyxir, Credo
    String.raw`Total errors: 0, Skipped: \d`,
    String.raw`\d+ mods/funs, found no issues`,
    String.raw`(?:found )?no (?:errors|issues|problems)(?: found)?\b`,
    String.raw` {0,8}Finished [^\n]{0,80}\bin \d`,
    String.raw`[^\n]{0,60}\b(?:compiled successfully|built in \d)`,
    String.raw`(?:added|changed|removed|audited) \d+ packages?\b|up to date\b`,
    String.raw`(?:Successfully |Requirement already )`,
    // git commit, pull, push
    String.raw`\[[^\s\]]{1,200}(?: \(root-commit\))? [0-9a-f]{7,40}\] `,
    String.raw`Already up to date|Everything up-to-date|Fast-forward|   [0-9a-f]{7,40}\.\.[0-9a-f]{7,40} `,
  ],
  'i',
)

/**
 * Returns what the output of a command says about how it ended.
 * @param made the commits with which it ended
 */
export function judgeOutput(parts: readonly SimpleCommand[], output: string, made: readonly string[] = []): Verdict {
  const whole = searchedPart(output)
  if (whole.trim() === '' || EMPTY.test(whole)) return isSilentSuccess(parts) ? 'succeeded' : 'unknown'
  if (parts.every(isQuery)) return complains(whole, parts) ? 'failed' : 'succeeded'
  const text = withoutQuotes(whole, parts)
  const lines = outerLines(text)
  if (endsWithLog(parts) && !parts.some(({ text: part }) => isCheckingPart(part))) return 'unknown'
  if (FAILURE.test(text) || FAILURE_COUNT.test(text)) return 'failed'
  const success = lines.findLastIndex((line) => SUCCESS.test(line) || made.some((commit) => isLogLine(line, commit)))
  const ends = lines.length > END_LINES ? [lines[0] ?? '', ...lines.slice(-END_LINES)] : lines
  const after = success < 0 ? ends : lines.slice(success + 1).slice(-END_LINES)
  if (after.some(asksForStatus(parts) ? isException : stopsProgram)) return 'failed'
  return success < 0 ? 'unknown' : 'succeeded'
}

/**
 * Whether a command asks for the exit status of a program that is no check. It may be the error that was expected: what the program writes
 * about it is no failure, unless it has crashed.
 */
export const asksForStatus = (parts: readonly SimpleCommand[]): boolean =>
  printsStatus(parts) && !parts.some(({ text }) => isCheckingPart(text))

/** Whether a line is that of a log about a commit, `hash message`. */
function isLogLine(line: string, commit: string): boolean {
  const [hash = ''] = commit.split(' ', 1)
  return line.includes(`${hash} `) && line.includes(commit.slice(hash.length))
}

/** Programs that print lines of files, each after the name of its file if there are several. */
const SEARCHES = new Set(['grep', 'egrep', 'fgrep', 'rg', 'ag', 'ack'])

/** Returns an output without the lines that a search quotes from files: they may be about anything. */
function withoutQuotes(text: string, parts: readonly SimpleCommand[]): string {
  const files = parts
    .filter(({ program }, at) => SEARCHES.has(program) && parts[at - 1]?.operator !== '|')
    .flatMap(({ words }) => words.filter((word) => !word.startsWith('-')).slice(2))
    .map((path) => `${path}:`)
  if (files.length === 0) return text
  return text
    .split('\n')
    .filter((line) => !files.some((start) => line.startsWith(start)))
    .join('\n')
}

/** Whether a program, or the shell, reports an error of its own. */
export const complains = (output: string, parts: readonly SimpleCommand[]): boolean =>
  outerLines(searchedPart(output)).some((line) => isComplaint(line, parts))

/** How many lines at the end of an output may say why a program stopped. */
const END_LINES = 4

/** Returns the lines that are not indented, as stack traces are. A summary of tests may be indented by a little. */
const outerLines = (text: string): string[] =>
  text.split('\n').filter((line) => line.trim() !== '' && !/^(?:\t| {6})/.test(line))

/** The texts that clients write in the place of an empty output. */
const EMPTY =
  /^\s*[([<]?(?:no output|bash completed with no output|(?:tool |command )?ran without output[^\n]{0,60})[)\]>.]{0,2}\s*$/i

/** Programs that print nothing when they succeed: compilers, linters, and those that change files. */
const SILENT =
  /^(?:npx |pnpm |yarn |python3? -m |uv run )?(?:tsc|eslint|gofmt|flake8|shellcheck|javac|gcc|g\+\+|cc|clang|rm|rmdir|mkdir|cp|mv|touch|chmod|chown|ln|py_compile|go (?:build|vet)|git (?:add|checkout|switch|restore|rm|mv|apply)|node --check|bash -n)\b/

const QUIET_COMMIT = /^git commit (?:[^\n]{0,300} )?(?:-[a-z]{0,4}q[a-z]{0,4}|--quiet)(?= |$)/

/** Whether commands that have printed nothing have succeeded. A check beside a quiet commit may have written elsewhere. */
const isSilentSuccess = (parts: readonly SimpleCommand[]): boolean =>
  parts.some(({ text }) => SILENT.test(text)) ||
  (parts.some(({ text }) => QUIET_COMMIT.test(text)) && !parts.some(({ text }) => isCheckingPart(text)))

/** Whether a line is an error message of one of the programs, or of the shell: `ls: cannot access 'x': No such file`. */
function isComplaint(line: string, parts: readonly SimpleCommand[]): boolean {
  const [, program = ''] = /^(?:\S{0,100}\/)?-?([\w[.-]{1,40}): /.exec(line) ?? []
  if (program === 'fatal') return parts.some(({ text }) => text.startsWith('git'))
  const isOfShell = /^(?:ba|z|da|k)?sh$/.test(program)
  return (
    (isOfShell || parts.some((part) => part.program === program)) &&
    (namesCause(line) || /can't |: \(\d+\) /i.test(line))
  )
}
