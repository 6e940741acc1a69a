import { isCommandTool } from '../files/tools.ts'
import type { ToolCallBlock, ToolResultMessage } from '../session/message.ts'
import { isErrorLine } from './error-lines.ts'

const COMMAND_ARGUMENTS = ['command', 'cmd', 'script'] as const

/** How clients write an exit status into a command's output; it stands at its end. */
const EXIT_NOTE = /\bexit(?:ed)?(?: with)?(?: (?:code|status))?:? (\d{1,3})\b(?!.*\bexit(?:ed)? )/is
const NOTE_CHARACTERS = 300

/** The command of a call of a shell tool. */
export function readCommand({ name, arguments: values }: ToolCallBlock): string | undefined {
  if (!isCommandTool(name) || typeof values !== 'object' || values === null) return undefined
  const [command] = COMMAND_ARGUMENTS.map((key) => (values as Record<string, unknown>)[key]).filter(
    (one) => one !== undefined,
  )
  return Array.isArray(command) ? command.join(' ') : typeof command === 'string' ? command : undefined
}

/**
 * Tells how a tool failed, in the words `exit code N` or `error`.
 * @param output the output of a command; empty for other tools, whose text tells no exit status
 * @returns undefined for a success
 */
export function readExitStatus({ isError, exitCode }: ToolResultMessage, output: string): string | undefined {
  const noted = EXIT_NOTE.exec(output.slice(-NOTE_CHARACTERS))?.[1]
  const code = exitCode ?? (noted === undefined ? undefined : Number(noted))
  if (code !== undefined && code !== 0) return `exit code ${code}`
  return isError ? 'error' : undefined
}
/** What `git commit` prints: `[main 3f2a1bc] message`, with `(root-commit)` for the first one. */
const COMMIT = /^\[[^\s\]]{1,200}(?: \(root-commit\))? ([0-9a-f]{7,40})\] (.{1,300})$/gm

/** Finds the commits that a command's output tells of, as `hash message`. */
export function findCommits(output: string): string[] {
  return Array.from(output.matchAll(COMMIT), ([, hash = '', message = '']) => `${hash} ${message.trim()}`)
}
/** Errors stand at an output's end, and sometimes at its beginning; the middle is not looked at. */
const HEAD_CHARACTERS = 4000
const TAIL_CHARACTERS = 12_000

const MAX_LINE_CHARACTERS = 300

/** Summaries of a test run, and exit notes: they say that something failed, not what. */
const NO_CAUSE =
  /^(?:[-+]{3} (?!FAIL)|@@|compare:|diff:|\(?(?:command )?exit(?:ed)?\b|#|npm (?:err|error)|make: \*\*\*|\d+ (?:failed|failing|errors?)\b)/i

/**
 * Finds the lines of a failed command's output that say what went wrong, word for word.
 * @param maxLines how many at most: the last ones, since what stands last stopped the command
 */
export function findErrors(output: string, maxLines: number): string[] {
  const lines = ends(output)
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
  const telling = lines.filter((line) => line.length < 2000 && isErrorLine(line))
  const causes = telling.filter((line) => !NO_CAUSE.test(line))
  const chosen = causes.length > 0 ? causes : lines.filter((line) => !NO_CAUSE.test(line))
  return [...new Set(chosen)]
    .slice(-maxLines)
    .map((line) => line.slice(0, MAX_LINE_CHARACTERS).replace(/[\uD800-\uDBFF]$/, ''))
}

function ends(output: string): string {
  if (output.length <= HEAD_CHARACTERS + TAIL_CHARACTERS) return output
  const tail = output.slice(-TAIL_CHARACTERS)
  return `${output.slice(0, HEAD_CHARACTERS)}\n${tail.slice(tail.indexOf('\n') + 1)}`
}
