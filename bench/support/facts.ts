import { callsOf, textOf, type SessionEntry, type SessionMessage } from './session-entry.ts'

/** The facts that an agent must still know after a compaction; see `FACT_RULES` for their definitions. */
export interface Facts {
  files: string[]
  commands: string[]
  /** The last error line of each of the commands. */
  errors: string[]
  lastError: string | undefined
  newestRequest: string | undefined
}

/** The definitions of the facts and how they are checked, as the benchmark prints them. White space never counts. */
export const FACT_RULES = [
  'files: every path that a write or edit call names; found if the whole path occurs',
  'commands: distinct bash commands whose result is an error, by their first 60 characters',
  'last errors: of each failing command the last line that says why, its first 100 characters',
  'last error: that of the last failing command that printed anything',
  'newest request: the last thing the user said, its first 500 characters, word for word',
  'constraints: planted sentences; in a real session short sentences of the user with must, never, always, only or do not',
  'After the tenth compaction; last error and newest request after each of the ten.',
] as const

const COMMAND_CHARACTERS = 60
const ERROR_CHARACTERS = 100
const REQUEST_CHARACTERS = 500

/** Finds the facts of a session, kept region included. */
export function findFacts(entries: readonly SessionEntry[]): Facts {
  const messages = entries.flatMap(({ message }) => (message === undefined ? [] : [message]))
  const failures = findFailures(messages)
  const requests = messages.filter(({ role }) => role === 'user').map((message) => textOf(message).trim())
  const errors = failures.flatMap(({ output }) => lastLineOf(output) ?? [])
  return {
    files: distinct(messages.flatMap(callsOf).flatMap(({ name, arguments: args }) => modifiedBy(name, args))),
    commands: distinct(failures.map(({ command }) => oneLine(command).slice(0, COMMAND_CHARACTERS).trim())),
    errors: distinct(errors),
    lastError: errors.at(-1),
    newestRequest: requests.findLast((text) => text !== '')?.slice(0, REQUEST_CHARACTERS),
  }
}

/** Replaces each run of white space by a space, since a summary may differ in it. */
export const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim()

const distinct = (texts: readonly string[]): string[] => [...new Set(texts)].filter((text) => text !== '')

function modifiedBy(name = '', args: Record<string, unknown> = {}): string[] {
  return /^(?:write|edit)$/i.test(name) && typeof args.path === 'string' ? [args.path] : []
}

interface Failure {
  command: string
  output: string
}

function findFailures(messages: readonly SessionMessage[]): Failure[] {
  const calls = new Map(messages.flatMap(callsOf).map((call) => [call.id, call]))
  return messages.flatMap((message) => {
    if (message.role === 'bashExecution' && (message.exitCode ?? 0) !== 0)
      return [{ command: message.command ?? '', output: message.output ?? '' }]
    const command = calls.get(message.toolCallId)?.arguments?.command
    return message.isError === true && typeof command === 'string' ? [{ command, output: textOf(message) }] : []
  })
}

/** Lines that only repeat the fact of a failure. */
const EXIT_NOTE = /^(?:Command (?:exited with code|aborted)|npm (?:error|ERR!))/
const GIVES_REASON = /error|fail|exception|panic|fatal|denied|no such|not found|cannot|exceeded|crossed/i

/** Returns the last line that gives a reason, or else the last line that is not blank. */
function lastLineOf(output: string): string | undefined {
  const lines = output
    .split('\n')
    .map(oneLine)
    .filter((line) => line !== '' && !EXIT_NOTE.test(line))
  const line = lines.filter((text) => GIVES_REASON.test(text)).at(-1) ?? lines.at(-1)
  return line?.slice(0, ERROR_CHARACTERS).trim()
}
