import { isCommandTool } from '../files/tools.ts'
import { fieldsOf, firstText } from '../session/entry.ts'
import type { ToolCallBlock } from '../session/message.ts'
import type { SimpleCommand } from './shell.ts'

const COMMAND_ARGUMENTS = ['command', 'cmd', 'script', 'commands'] as const

/** Returns the command of a call that runs one: a text, or a list of words. Returns undefined for other calls. */
export function readCommand({ name, arguments: values }: ToolCallBlock): string | undefined {
  if (!isCommandTool(name)) return undefined
  const fields = fieldsOf(values)
  const command: unknown = COMMAND_ARGUMENTS.map((key) => fields[key]).find((one) => one !== undefined)
  if (Array.isArray(command)) return command.every(isWord) ? command.join(' ') : undefined
  return typeof command === 'string' ? command : undefined
}

/** Where agents name the folder of a command: Codex and opencode, Roo, Gemini CLI and its earlier versions, other servers of tools. */
const FOLDER_ARGUMENTS = ['workdir', 'cwd', 'dir_path', 'directory', 'working_directory', 'dir'] as const

/** Returns the folder that a call names for its command. */
export const readFolder = ({ arguments: values }: ToolCallBlock): string | undefined =>
  firstText(values, FOLDER_ARGUMENTS)

const isWord = (value: unknown): value is string | number => typeof value === 'string' || typeof value === 'number'

/** The output of `git commit`: `[main 3f2a1bc] message`, with `(root-commit)` for the first one. */
const COMMIT = /^\[[^\s\]]{1,200}(?: \(root-commit\))? ([0-9a-f]{7,40})\] (.{1,300})$/gm

/** Returns the commits that a command's output reports, as `hash message`. */
export function findCommits(output: string): string[] {
  return Array.from(output.matchAll(COMMIT), ([, hash = '', message = '']) => `${hash} ${message.trim()}`)
}

/** The verbs of git that report new commits; a merge, for example, prints the same line as a commit. */
const COMMIT_VERBS = new Set(['commit', 'merge', 'cherry-pick', 'revert', 'rebase', 'am', 'pull'])

/** Whether simple commands run git to make commits. Other output may contain the lines of `git commit` too, such as a log. */
export const makesCommits = (commands: readonly SimpleCommand[]): boolean => commands.some(isCommit)

/** Whether a simple command is git with one of the verbs. */
export const isCommit = (command: SimpleCommand): boolean => COMMIT_VERBS.has(readGit(command)?.verb ?? '')

/** Returns the verb of git and what follows it; undefined for other programs. The options before the verb may have values. */
export function readGit({
  program,
  words: [, ...words],
}: SimpleCommand): { verb: string; given: string[] } | undefined {
  if (program !== 'git') return undefined
  let verb = 0
  while (words[verb]?.startsWith('-') === true) verb += /^-[cC]$/.test(words[verb] ?? '') ? 2 : 1
  return { verb: words[verb] ?? '', given: words.slice(verb + 1) }
}

/** Whether a simple command replaces the last commit. */
export const isAmending = (command: SimpleCommand): boolean => isCommit(command) && command.words.includes('--amend')
