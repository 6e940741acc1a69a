import { isCommandTool } from '../files/tools.ts'
import type { ToolCallBlock, ToolResultMessage } from '../session/message.ts'
import { isErrorLine } from './error-lines.ts'

const COMMAND_ARGUMENTS = ['command', 'cmd', 'script', 'commands'] as const

/** An exit status as agents write it at the end of a command's output. */
const EXIT_NOTE = /\bexit(?:ed)?(?: with)?(?: (?:code|status))?:? (\d{1,3})\b(?!.*\bexit(?:ed)? )/is
const EXIT_NOTE_CHARACTERS = 300

/** Returns the command of a call that runs one; undefined for calls of other tools. */
export function readCommand({ name, arguments: values }: ToolCallBlock): string | undefined {
  if (!isCommandTool(name) || typeof values !== 'object' || values === null) return undefined
  const [command] = COMMAND_ARGUMENTS.map((key) => (values as Record<string, unknown>)[key]).filter(
    (one) => one !== undefined,
  )
  return Array.isArray(command) ? command.join(' ') : typeof command === 'string' ? command : undefined
}

/**
 * Returns how a tool failed: `exit code N`, or `error` where no exit status is known.
 * @param output the output of a command; empty for other tools, whose outputs have no exit status
 * @returns undefined for a success
 */
export function readExitStatus({ isError, exitCode }: ToolResultMessage, output: string): string | undefined {
  const noted = EXIT_NOTE.exec(output.slice(-EXIT_NOTE_CHARACTERS))?.[1]
  const code = exitCode ?? (noted === undefined ? undefined : Number(noted))
  if (code !== undefined && code !== 0) return `exit code ${code}`
  return isError ? 'error' : undefined
}

/** What programs print when they fail: TAP, npm, Python, Rust, TypeScript, Go, test runners. */
const FAILURE =
  /^(?:not ok \d|npm (?:ERR!|error) |Traceback \(most recent|panic: |error(?:\[E\d+\])?: |[^\n]{0,200}\berror TS\d|FAILED\b|--- FAIL|FAIL\b|[^\n]{0,80}\b[1-9]\d* (?:failed|failures|failing)\b)/m

/** Commands whose output is a text that may be about failures. */
const QUERY =
  /^\s*(?:cd [^&;|\n]{1,200}&&\s*)?(?:git|gh|bd|rg|grep|find|ls|cat|bat|sed|head|tail|less|nl|jq|awk|echo|curl)\b/

/**
 * Whether a command's output reports a failure which its exit status does not: that of a pipe is the status of its last
 * command, such as `tail`.
 */
export const hidesFailure = (command: string, output: string): boolean =>
  /[|;]/.test(command) && !QUERY.test(command) && FAILURE.test(output.slice(-TAIL_CHARACTERS))

/** What `git commit` prints: `[main 3f2a1bc] message`, with `(root-commit)` for the first one. */
const COMMIT = /^\[[^\s\]]{1,200}(?: \(root-commit\))? ([0-9a-f]{7,40})\] (.{1,300})$/gm

/** Returns the commits that a command's output reports, as `hash message`. */
export function findCommits(output: string): string[] {
  return Array.from(output.matchAll(COMMIT), ([, hash = '', message = '']) => `${hash} ${message.trim()}`)
}

/** The verbs of git that report new commits; a merge, for example, prints the same line as a commit. */
const COMMIT_VERBS = new Set(['commit', 'merge', 'cherry-pick', 'revert', 'rebase', 'am', 'pull'])

/** A shell that runs code given as an argument, as Codex runs all of its commands. */
const SHELL = /^\s*(?:\/[\w/.-]+\/)?(?:ba|z|da|k)?sh\s+-[a-z]*c\s+/

/** An escaped character, or quoted text. An escaped quote opens nothing, so that it is not searched for its end. */
const QUOTED = /\\[^]|'[^']*'|"(?:[^"\\]|\\[^])*"/g

/** Words before the name of a program: assignments, and programs that run another one. */
const BEFORE_PROGRAM = /^(?:\w+=.*|sudo|env|time|command|exec|nohup|then|do|else|!)$/

/** How much of a command is read. Longer code is a program. */
const MAX_COMMAND_CHARACTERS = 8000

/** Whether a command runs git to make commits. Other output may contain the lines of `git commit` too, such as a log. */
export function makesCommits(command: string): boolean {
  const code = command.slice(0, MAX_COMMAND_CHARACTERS).replace(/\\\r?\n/g, ' ')
  const inner = SHELL.test(code) ? code.replace(SHELL, '').replace(/^['"]/, '') : code
  return inner
    .replace(QUOTED, 'quoted')
    .split(/[;&|\n(){}`]/)
    .some(isCommit)
}

/** Whether a simple command is git with one of the verbs; the options before the verb may have values. */
function isCommit(command: string): boolean {
  const words = command.trim().split(/\s+/)
  const program = words.findIndex((word) => !BEFORE_PROGRAM.test(word))
  if (!/^(?:\S*\/)?git$/.test(words[program] ?? '')) return false
  let verb = program + 1
  while (words[verb]?.startsWith('-') === true) verb += /^-[cC]$/.test(words[verb] ?? '') ? 2 : 1
  return COMMIT_VERBS.has(words[verb] ?? '')
}

/** How much of an output is searched: errors stand at its end, and sometimes at its beginning. */
const HEAD_CHARACTERS = 4000
const TAIL_CHARACTERS = 12_000

/** Longer lines are data. */
const MAX_TESTED_LINE_CHARACTERS = 2000

/** How much of an error line is returned. */
const MAX_ERROR_LINE_CHARACTERS = 300

/** Lines that say that something failed, but not why: results of a test run, exit statuses, headers of a diff. */
const NO_CAUSE =
  /^(?:[-+]{3} (?!FAIL)|@@|compare:|diff:|\(?(?:command )?exit(?:ed)?\b|#|npm (?:err|error)|make: \*\*\*|\d+ (?:failed|failing|errors?)\b)/i

/**
 * Returns the lines of a failed command's output that say what went wrong, word for word, each once. Where there are
 * none, it returns the last lines of the output.
 * @param maxLines how many lines at most: the last ones, since the last error stopped the command
 */
export function findErrors(output: string, maxLines: number): string[] {
  const lines = searchedPart(output)
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
  const others = lines.filter((line) => !NO_CAUSE.test(line))
  const causes = others.filter((line) => line.length < MAX_TESTED_LINE_CHARACTERS && isErrorLine(line))
  const chosen = causes.length > 0 ? causes : others
  return [...new Set(chosen)]
    .slice(-maxLines)
    .map((line) => line.slice(0, MAX_ERROR_LINE_CHARACTERS).replace(/[\uD800-\uDBFF]$/, ''))
}

function searchedPart(output: string): string {
  if (output.length <= HEAD_CHARACTERS + TAIL_CHARACTERS) return output
  const tail = output.slice(-TAIL_CHARACTERS)
  return `${output.slice(0, HEAD_CHARACTERS)}\n${tail.slice(tail.indexOf('\n') + 1)}`
}
