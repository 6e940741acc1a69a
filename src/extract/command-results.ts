import { readCommitMessage } from './commit-message.ts'
import { failedCommand } from './checked-by.ts'
import { simpleCommandsOf, type ToolRun } from './runs.ts'
import { isEnvelopeLine } from './error-lines.ts'
import { oneLine } from '../text/shorten.ts'

/** A number beside a word of a result: `410 tests, 0 failures`, `Tests: 3 passed`, `errors: 0`, `8 files changed`. */
const RESULT =
  /\d files? changed\b|\d (?:[a-z]{1,12} ){0,2}(?:pass(?:ed|es|ing)?|fail(?:ed|ing|ures?)?|tests?|errors?|warnings?|issues?|problems?|suggestions?)\b|\b(?:pass(?:ed)?|fail(?:ed|ures)?|tests|errors|warnings):? {0,3}\d/i
const RESULT_CHARACTERS = 3000
const MAX_RESULT_CHARACTERS = 160

/** Returns the last line near the end of an output that reports a result in numbers. */
export function findResult(output: string): string | undefined {
  const lines = output.slice(-RESULT_CHARACTERS).split('\n')
  const line = lines.findLast((one) => one.length < MAX_RESULT_CHARACTERS && RESULT.test(one))
  return line === undefined ? undefined : oneLine(line)
}

/** The line in which a client says how a command ended. */
const EXIT_NOTE = /^\W{0,3}(?:the )?command (?:exited|failed|finished|completed) with (?:exit )?code \d{1,3}\W{0,3}$/i

/** Returns the last line of an output, if it is short: where nothing else is known, it says how the command went. */
export function lastLine(output: string): string | undefined {
  const lines = output.slice(-RESULT_CHARACTERS).split('\n')
  const line = lines.findLast((one) => one.trim() !== '' && !EXIT_NOTE.test(one))?.trim() ?? ''
  return !/[\p{L}\p{N}]/u.test(line) || line.length >= MAX_RESULT_CHARACTERS || isEnvelopeLine(line)
    ? undefined
    : oneLine(line)
}

/**
 * Returns the command of a run as the course has it: of a commit, only the subject counts, and what is before it is left out; of one that
 * has failed, the parts that may have.
 */
export function courseCommand(run: ToolRun): string {
  const { command = '' } = run
  const message = readCommitMessage(command, simpleCommandsOf(run))
  return message === undefined ? failedCommand(run) : `git commit … ${message.subject}`
}

/** What `git diff --stat` prints. */
export const DIFF_STAT = /^ \d+ files? changed\b/m
