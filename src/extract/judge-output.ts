import { isCheckingPart } from './checks.ts'
import { isException, namesCause, stopsProgram } from './error-lines.ts'
import { AFTER_RESULT, FAILURE, FAILURE_COUNT, SAYS_FAILURE, SUCCESS, SUCCESS_AT_END } from './ending-lines.ts'
import { endsWithLog, isQuery, printsStatus } from './exit-status.ts'
import { searchedPart } from './searched-output.ts'
import type { SimpleCommand } from './shell.ts'
import { readCounts } from './test-counts.ts'

type Verdict = 'succeeded' | 'failed' | 'unknown'

/**
 * Returns what the output of a command says about how it ended.
 * @param made the commits with which it ended
 */
export function judgeOutput(parts: readonly SimpleCommand[], output: string, made: readonly string[] = []): Verdict {
  const whole = searchedPart(output)
  if (whole.trim() === '' || EMPTY.test(whole)) return isSilentSuccess(parts) ? 'succeeded' : 'unknown'
  if (parts.every(isQuery)) return complains(whole, parts) ? 'failed' : 'succeeded'
  const text = withoutQuotes(withoutOwn(whole, parts), parts)
  const lines = outerLines(text)
  if (endsWithLog(parts) && !parts.some(({ text: part }) => isCheckingPart(part))) return 'unknown'
  const counts = lines.map(readCounts)
  if (FAILURE.test(text) || FAILURE_COUNT.test(text) || counts.includes('failed')) return 'failed'
  // A result of success may be that of a part, if others follow it.
  const isResult = lines.map((line, at) => SUCCESS_AT_END.test(line) || counts[at] === 'passed')
  const last = lines.findLastIndex((line, at) => isResult[at] !== true && !AFTER_RESULT.test(line))
  const success = lines.findLastIndex(
    (line, at) =>
      SUCCESS.test(line) || (at > last && isResult[at] === true) || made.some((commit) => isLogLine(line, commit)),
  )
  const ends = lines.length > END_LINES ? [lines[0] ?? '', ...lines.slice(-END_LINES)] : lines
  const after = success < 0 ? ends : lines.slice(success + 1).slice(-END_LINES)
  if (after.some(asksForStatus(parts) ? isException : stopsProgram)) return 'failed'
  return success < 0 || lines.some((line) => SAYS_FAILURE.test(line)) ? 'unknown' : 'succeeded'
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

/** Returns the lines that a command prints itself behind signs. */
const ownLines = (parts: readonly SimpleCommand[], isBehind: (at: number) => boolean): string[] =>
  parts.flatMap(({ program, words, isCertain }, at) =>
    program === 'echo' && isCertain && words.length > 1 && isBehind(at) ? [words.slice(1).join(' ')] : [],
  )

/** Returns the output of a command without what it prints itself whatever has become of the one before. */
function withoutOwn(text: string, parts: readonly SimpleCommand[]): string {
  const operatorAt = (at: number): string => parts[at]?.operator ?? ''
  const own = ownLines(
    parts,
    (at) => /^[;\n]$/.test(operatorAt(at - 1)) || (operatorAt(at - 1) === '&&' && operatorAt(at - 2) === '|'),
  )
  const lines = text.split('\n')
  return own.length === 0 ? text : lines.filter((line) => !own.includes(line.trim())).join('\n')
}

/** Whether a command says itself that a check in it has failed: `npm test || echo failed`. */
export function saysItself(text: string, parts: readonly SimpleCommand[]): boolean {
  const isCheck = (before: SimpleCommand | undefined): boolean =>
    before?.operator === '||' && isBehindCheck(parts, before)
  const own = ownLines(parts, (at) => isCheck(parts[at - 1]))
  return own.length > 0 && text.split('\n').some((line) => own.includes(line.trim()))
}

const isBehindCheck = (parts: readonly SimpleCommand[], last: SimpleCommand): boolean =>
  parts.slice(0, parts.indexOf(last) + 1).some(({ text }) => isCheckingPart(text))

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
  text
    .split('\n')
    .filter(
      (line) => line.trim() !== '' && (!/^(?:\t| {6}(?! {0,6}Tests? ))/.test(line) || readCounts(line) !== undefined),
    )

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
