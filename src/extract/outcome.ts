import { textOf, type BashExecutionMessage, type ToolResultMessage } from '../session/message.ts'
import { defined } from '../text/defined.ts'
import { isEnvelopeLine, saysRefused } from './error-lines.ts'
import { hidesStatus, isQuery, printedStatus, printsStatus } from './exit-status.ts'
import { endsWithCommit, findMadeCommits } from './commit-message.ts'
import { asksForStatus, complains, judgeOutput, saysItself } from './judge-output.ts'
import { isProgramMissing } from './missing-program.ts'
import { isCheckingPart, writerOf } from './checks.ts'
import type { SimpleCommand } from './shell.ts'
import { resultOfTests } from './test-runners.ts'

/** How a call ended. */
export interface Outcome {
  kind: 'succeeded' | 'failed' | 'unknown'
  /** Of a failure: `exit code N`, or `error` where no exit status is known. */
  status?: string
  exitCode?: number
  /** Whether the user has stopped it: it is unknown what it has done until then. */
  isAborted?: true
  /** Whether the user has refused it: it has not run. */
  isRefused?: true
  /** Whether its program is not installed: it has not run. */
  isMissing?: true
}

/** Whether a call has not run: the user has refused it, or its program is not installed. */
export const hasNotRun = ({ isRefused, isMissing }: Outcome): boolean => isRefused === true || isMissing === true

/**
 * Returns how a call or a command of the user ended. This is the only place that decides it. What a client says about it
 * counts first. The output decides where the client says nothing, as in OpenAI's chat format, and where the exit status is
 * not that of the command that matters, as in `npm test | tail`.
 * @param command the command that was run; left out for other tools, whose outputs do not say how they ended
 * @param commands its simple commands; none for other tools
 */
export function readOutcome(
  result: ToolResultMessage | BashExecutionMessage,
  command: string | undefined,
  commands: readonly SimpleCommand[],
): Outcome {
  const outcome = readEnd(result, command, commands)
  if (outcome.kind !== 'failed' || command === undefined || outcome.isRefused === true) return outcome
  const output = result.role === 'toolResult' ? textOf(result.content) : result.output
  return isProgramMissing(commands, output) ? { ...outcome, isMissing: true } : outcome
}

function readEnd(
  result: ToolResultMessage | BashExecutionMessage,
  command: string | undefined,
  commands: readonly SimpleCommand[],
): Outcome {
  const { exitCode } = result
  const isTool = result.role === 'toolResult'
  const output = isTool ? textOf(result.content) : result.output
  const hasSucceeded = isTool && !result.isError && result.isUnmarked !== true
  const note = command === undefined ? undefined : readExitNote(output, hasSucceeded || commands.every(isQuery))
  const printed = printedStatus(commands, output)
  const code = printed ?? (printsStatus(commands) ? (note ?? exitCode) : (exitCode ?? note))
  if (saysNo(output, { commands: command === undefined ? undefined : commands, exitCode: code }))
    return { kind: 'succeeded', ...defined({ exitCode: code }) }
  const found = command === undefined || (code ?? 0) > 1 ? undefined : readFiltered(output, commands)
  if (found !== undefined) return { ...found, ...defined({ exitCode: code }) }
  if (command !== undefined && code === 1 && answersAtLength(output, commands)) return { kind: 'unknown', exitCode: 1 }
  if (isTool && result.isError && saysRefused(output)) return REFUSED_OUTCOME
  if (exitCode === INTERRUPTED && resultOfTests(output) !== 'failed') return { ...ABORTED_OUTCOME, exitCode }
  if (exitCode !== undefined && exitCode !== 0) return failure(exitCode)
  if (isTool && result.isError) return ABORTED.test(output.slice(-NOTE_CHARACTERS)) ? ABORTED_OUTCOME : failure(code)
  const isMarked = exitCode !== undefined || (isTool && result.isUnmarked !== true)
  if (command === undefined) return { kind: isMarked ? 'succeeded' : 'unknown' }
  if (!isTool && result.cancelled) return ABORTED_OUTCOME
  // It is that of the outer program: one inside it may have hidden a failure.
  if (printed === 0) return { kind: judgeOutput(commands, output) === 'failed' ? 'unknown' : 'succeeded', exitCode: 0 }
  const made = endsWithCommit(commands) ? findMadeCommits(command, commands, output) : []
  return outcomeOf(commands, output, { isMarked, exitCode: code, made })
}

/** The exit status of a command that Ctrl-C has ended. */
const INTERRUPTED = 130

const ABORTED_OUTCOME: Outcome = { kind: 'unknown', isAborted: true }
const REFUSED_OUTCOME: Outcome = { kind: 'failed', status: 'refused by the user', isRefused: true }

interface Status {
  /** Whether the client says how the command ended. */
  isMarked: boolean
  /** The status in the result or, as a note, in its output. */
  exitCode: number | undefined
  /** The commits with which the command ended. */
  made: readonly string[]
}

function outcomeOf(parts: readonly SimpleCommand[], output: string, { isMarked, exitCode, made }: Status): Outcome {
  const isReading = parts.every(isQuery)
  // A file that is printed may end with such a note.
  if (exitCode !== undefined && exitCode !== 0 && !(isMarked && isReading) && !asksForStatus(parts))
    return failure(exitCode)
  if (saysItself(output, parts)) return failure(undefined)
  const code = exitCode === 0 ? { exitCode } : {}
  if ((isMarked || exitCode === 0) && !hidesStatus(parts)) return { kind: 'succeeded', ...code }
  const kind = judgeOutput(parts, output, made)
  return kind === 'failed' ? failure(asksForStatus(parts) ? exitCode : undefined) : { kind, ...code }
}

const failure = (exitCode: number | undefined): Outcome =>
  exitCode === undefined || exitCode === 0
    ? { kind: 'failed', status: 'error' }
    : { kind: 'failed', status: `exit code ${exitCode}`, exitCode }

/** Programs whose status 1 is an answer, with any output: there is no hit. A fault has the status 2. */
const SEARCHES = /^(?:(?:[efz]|zip|p)?grep|rg|ag|ack|which|type|command|git (?:-\S+ )*grep)(?: |$)/

/** Programs whose status 1 without any output is an answer: the condition is false, or the files differ. */
const TESTS = /^(?:test|\[|\[\[|diff|cmp|git (?:-\S+ )*diff)(?: |$)/

/** Programs whose status 1 beside the differences is one. */
const COMPARES = /^(?:diff|cmp)(?: |$)/

/** jq prints the value that is not true, and has the status 1. */
const ASKS_JQ = /^jq (?:\S+ ){0,9}(?:-[a-df-zA-Z]*e[a-zA-Z]*|--exit-status)(?: |$)/
const NOT_TRUE = /(?:^|\n)(?:false|null)$/

/** A count of hits: its number is a line of the output. */
const COUNTS = /^(?:[efz]?grep|rg)(?: -\S+)* (?:-[a-bd-z]*c[a-z]*|--count)(?= |$)/

/** Whether a chain has come to its end, where a count of hits has found none: only that has the status 1. */
const endsWithoutHit = (parts: readonly SimpleCommand[], output: string): boolean =>
  COUNTS.test(parts.at(-1)?.text ?? '') &&
  parts.slice(0, -1).every(({ operator }) => operator === '&&' || operator === '|') &&
  output.split('\n').some((line) => line.trim() === '0')

/** The outputs of searches without a hit, which some tools return as an error. */
const NO_HIT = /^(?:no (?:files?|match(?:es)?|results?|hits?)(?: (?:were )?found)?\b|0 (?:matches|results|files)\b)/i
const MAX_NO_HIT_CHARACTERS = 200

/** Whether the error of a search or of a test is only the answer "no". */
function saysNo(
  output: string,
  { commands: parts, exitCode }: { commands: readonly SimpleCommand[] | undefined; exitCode: number | undefined },
) {
  const said = output.length > MAX_NO_HIT_CHARACTERS ? output : withoutNotes(output)
  if (parts === undefined) return said.length <= MAX_NO_HIT_CHARACTERS && NO_HIT.test(said)
  if (exitCode !== 1) return false
  if (endsWithoutHit(parts, said)) return true
  if (!parts.every(isQuery) || complains(output, parts)) return false
  const runs = (pattern: RegExp): boolean => parts.some(({ text }) => pattern.test(text))
  return runs(SEARCHES) || (said === '' && runs(TESTS)) || (NOT_TRUE.test(said) && runs(ASKS_JQ))
}

/**
 * Whether the status 1 says only that something was found, which is printed: differences, or findings as JSON. Of a check, it says that
 * the work has faults.
 */
function answersAtLength(output: string, parts: readonly SimpleCommand[]): boolean {
  if (parts.every(isQuery)) return parts.some(({ text }) => COMPARES.test(text)) && !complains(output, parts)
  return !parts.some(({ text }) => isCheckingPart(text)) && isReport(withoutNotes(output))
}

const MAX_REPORT_CHARACTERS = 200_000

/** Whether a text is a document of JSON that is no error. */
function isReport(text: string): boolean {
  if (!/^[[{]/.test(text) || !/[\]}]$/.test(text) || text.length > MAX_REPORT_CHARACTERS) return false
  try {
    const report: unknown = JSON.parse(text)
    return Array.isArray(report) || !['error', 'errors', 'message'].some((key) => Object.hasOwn(report as object, key))
  } catch {
    return false
  }
}

/**
 * Returns the outcome of a command whose output was piped to a search that found nothing, or is searched in its file: if the search is for
 * errors, there are none, and otherwise its status says nothing.
 */
function readFiltered(output: string, parts: readonly SimpleCommand[]): Outcome | undefined {
  const end = parts.findLastIndex(({ program }) => !ENDS.has(program))
  const { text = '', words = [] } = parts[end] ?? {}
  if (!SEARCHES.test(text) || (parts[end - 1]?.operator !== '|' && writerOf(parts, end) === undefined)) return undefined
  const said = output.length > MAX_NO_HIT_CHARACTERS ? output : withoutNotes(output)
  if (parts.every(isQuery) || (said !== '' && !(said === '0' && COUNTS.test(text)))) return undefined
  return { kind: SEARCHES_ERRORS.test(words.join(' ')) ? 'succeeded' : 'unknown' }
}

/** Programs that show the beginning or the end of an output, and have its status if it is empty. */
const ENDS = new Set(['head', 'tail', 'wc'])

const SEARCHES_ERRORS = /^(?:[ef]?grep|rg)\b[^|]{0,200}?(?:err|fail|warn|✖|not ok)/i

/** The note that clients write at the end of an output if the user has stopped the command. */
const ABORTED =
  /(?:^|\n)\W{0,3}(?:command|operation|tool execution|request) (?:was )?(?:aborted|cancell?ed|interrupted)[^\n]{0,60}\s*$/i

/** Returns an output without what clients write around it. */
export const withoutNotes = (output: string): string =>
  output
    .split('\n')
    .filter((line) => !EXIT_NOTE.test(line) && !isEnvelopeLine(line.trim()))
    .join('\n')
    .trim()

/** A line with an exit status, as agents write it before or after a command's output: `[Command exited with code 1]`. */
const EXIT_NOTE =
  /^[^\w\n]{0,3}(?:(?:the|command|process|script|shell|error|failed|finished|completed|returned|non-zero|with|an?)[:.]? ){0,8}(?:exit(?:ed)?(?:[ _](?:with|code|status)){0,3}|return ?code)[:=>"]{0,2} ?(\d{1,3})\b/i

const ERROR_NOTE = /^[^\w\n]{0,3}(?:error|failed)\b/i

/** Notes are in the first line, or in the last ones. */
const NOTE_LINES = 3
const NOTE_CHARACTERS = 300

/** @param printsErrors whether the command may print the errors of others: a line with one is no note */
function readExitNote(output: string, printsErrors: boolean): number | undefined {
  const [first = ''] = output.slice(0, NOTE_CHARACTERS).split('\n', 1)
  const last = output.slice(-NOTE_CHARACTERS).split('\n').filter(isNotBlank).slice(-NOTE_LINES)
  const notes = [first, ...last].filter((line) => !printsErrors || !ERROR_NOTE.test(line))
  const codes = notes.flatMap((line) => EXIT_NOTE.exec(line)?.[1] ?? [])
  const code = codes.at(-1)
  return code === undefined ? undefined : Number(code)
}

const isNotBlank = (line: string): boolean => line.trim() !== ''
