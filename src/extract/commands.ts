import { isCommandTool } from '../files/tools.ts'
import { fieldsOf } from '../session/entry.ts'
import type { ToolCallBlock } from '../session/message.ts'
import { firstCharacters } from '../text/shorten.ts'
import { namesCause, searchedPart } from './error-lines.ts'
import { splitCommand, type SimpleCommand } from './shell.ts'

const COMMAND_ARGUMENTS = ['command', 'cmd', 'script', 'commands'] as const

/** Returns the command of a call that runs one; undefined for calls of other tools. */
export function readCommand({ name, arguments: values }: ToolCallBlock): string | undefined {
  if (!isCommandTool(name)) return undefined
  const fields = fieldsOf(values)
  const command = COMMAND_ARGUMENTS.map((key) => fields[key]).find((one) => one !== undefined)
  return Array.isArray(command) ? command.join(' ') : typeof command === 'string' ? command : undefined
}

/** What `git commit` prints: `[main 3f2a1bc] message`, with `(root-commit)` for the first one. */
const COMMIT = /^\[[^\s\]]{1,200}(?: \(root-commit\))? ([0-9a-f]{7,40})\] (.{1,300})$/gm

/** Returns the commits that a command's output reports, as `hash message`. */
export function findCommits(output: string): string[] {
  return Array.from(output.matchAll(COMMIT), ([, hash = '', message = '']) => `${hash} ${message.trim()}`)
}

/** The verbs of git that report new commits; a merge, for example, prints the same line as a commit. */
const COMMIT_VERBS = new Set(['commit', 'merge', 'cherry-pick', 'revert', 'rebase', 'am', 'pull'])

/** Whether a command runs git to make commits. Other output may contain the lines of `git commit` too, such as a log. */
export const makesCommits = (command: string): boolean => splitCommand(command).some(isCommit)

/** Whether a simple command is git with one of the verbs; the options before the verb may have values. */
function isCommit({ program, words: [, ...words] }: SimpleCommand): boolean {
  let verb = 0
  while (words[verb]?.startsWith('-') === true) verb += /^-[cC]$/.test(words[verb] ?? '') ? 2 : 1
  return program === 'git' && COMMIT_VERBS.has(words[verb] ?? '')
}

/** Longer lines are data. */
const MAX_TESTED_LINE_CHARACTERS = 2000

/** How much of an error line is returned. */
const MAX_ERROR_LINE_CHARACTERS = 300

/** Lines that say that something failed, but not why: results of a test run, exit statuses, headers of a diff. */
const NO_CAUSE =
  /^(?:[-+]{3} (?!FAIL)|@@|compare:|diff:|\(?(?:command )?exit(?:ed)?\b|#|npm (?:err|error)|make: \*\*\*|ℹ (?:tests|suites|pass|fail)\b|FAILED \((?:failures|errors)=|\d+ (?:failed|failing|errors?)\b)/i

/**
 * Lines that agents write around an output: Codex (0.120 and 0.169), Gemini CLI and Qwen Code, OpenHands, Cline, pi, and what
 * several write in the place of an empty one.
 */
const ENVELOPE = new RegExp(
  `^(?:${[
    String.raw`chunk id: \w{1,40}`,
    String.raw`wall time: [\d.]{1,20} ?s(?:econds?)?`,
    String.raw`process (?:exited with code|running with session id) -?\w{1,20}`,
    String.raw`original token count: \d{1,12}`,
    String.raw`total output lines: \d{1,12}`,
    String.raw`(?:output|stdout|stderr|error|signal|background pids|process group pgid|directory):(?: ?\((?:none|empty|root|no output)\)| \d{1,12})?`,
    String.raw`exit code: ?(?:-?\d{1,5}|\(none\))`,
    String.raw`\[(?:the )?command (?:completed|finished|exited)[^\]\n]{0,80}\]`,
    String.raw`\[(?:current working directory|python interpreter): [^\]\n]{0,300}\]`,
    // The inspector of Node.js
    String.raw`debugger attached\.|waiting for the debugger to disconnect\.\.\.`,
    String.raw`command executed\.?|command execution was not successful[^\n]{0,60}`,
    String.raw`\((?:no output|empty)\)|<?no output>?|(?:bash|command) completed with no output`,
  ].join('|')})$`,
  'i',
)

/** Whether a line, without white space around it, was written by an agent around the output of a command. */
export const isEnvelopeLine = (line: string): boolean => ENVELOPE.test(line)

/** The tags that Claude Code (2.1.39) writes around the error of a tool. */
const withoutErrorTag = (line: string): string =>
  line.includes('tool_use_error>') ? line.replace(/^<tool_use_error>|<\/tool_use_error>$/g, '').trim() : line

/**
 * Returns the lines of a failed command's output that say what went wrong, word for word, each once. Where there are
 * none, it returns the last lines of the output.
 * @param maxLines how many lines at most: the last ones, since the last error stopped the command
 */
export function findErrors(output: string, maxLines: number): string[] {
  const lines = searchedPart(output)
    .split('\n')
    .map((line) => withoutErrorTag(line.trim()))
    .filter((line) => line !== '')
  const others = lines.filter((line) => !NO_CAUSE.test(line) && !isEnvelopeLine(line))
  const causes = others.filter((line) => line.length < MAX_TESTED_LINE_CHARACTERS && namesCause(line))
  const chosen = causes.length > 0 ? causes : others
  return [...new Set(chosen)].slice(-maxLines).map((line) => firstCharacters(line, MAX_ERROR_LINE_CHARACTERS))
}
