import { OpenFile } from '../files/open-file.ts'
import { readFileOperations } from '../files/paths.ts'
import type { FileLists } from '../session/entry.ts'
import {
  textOf,
  toolCallsOf,
  type BashExecutionMessage,
  type Message,
  type ToolCallBlock,
  type ToolResultMessage,
} from '../session/message.ts'
import { readCheck, type Check } from './checks.ts'
import { findCommandFiles, type CommandFiles } from './command-files.ts'
import { readCommand } from './commands.ts'
import { readOutcome, type Outcome } from './outcome.ts'

/**
 * A tool call with its result, a result without its call, or a command that the user ran. It is plain data, which crosses
 * process boundaries; what takes time is worked out when it is first asked for, and stays.
 */
export interface ToolRun {
  call?: ToolCallBlock
  result?: ToolResultMessage | BashExecutionMessage
  /** Left out for other tools. */
  command?: string
  outcome?: Outcome
  files?: FileLists
  commandFiles?: CommandFiles
  check?: Check
}

export type EndedRun = ToolRun & Required<Pick<ToolRun, 'result'>>

/** The runs of messages, by their calls, their results, and the commands of the user. */
export type ToolRuns = ReadonlyMap<ToolCallBlock | Message, ToolRun>

/** Messages, and the runs of their calls. Other messages may have runs in the same map. */
export interface PairedMessages {
  messages: readonly Message[]
  runs: ToolRuns
}

/**
 * Pairs the calls of messages with their results. A request does it once. A result belongs to the nearest call before it
 * with its id, since ids may be used again; of several results of a call, the call has the last one.
 */
export function pairCalls(messages: Iterable<Message>): ToolRuns {
  const runs = new Map<ToolCallBlock | Message, ToolRun>()
  const calls = new Map<string, ToolRun>()
  const openFile = new OpenFile()
  for (const message of messages) {
    for (const call of toolCallsOf(message)) {
      const command = readCommand(call)
      const edited = openFile.call(call)
      const run: ToolRun = command === undefined ? { call } : { call, command }
      if (edited !== undefined) run.files = { readFiles: [], modifiedFiles: [edited] }
      runs.set(call, run)
      calls.set(call.id, run)
    }
    if (message.role === 'bashExecution') runs.set(message, { result: message, command: message.command })
    if (message.role !== 'toolResult') continue
    openFile.result(() => textOf(message.content))
    const called = calls.get(message.toolCallId) ?? {}
    const run =
      called.result === undefined ? Object.assign(called, { result: message }) : { ...called, result: message }
    runs.set(message, run)
    if (run.call !== undefined) runs.set(run.call, run)
  }
  return runs
}

export const pairMessages = (messages: readonly Message[]): PairedMessages => ({ messages, runs: pairCalls(messages) })

/** Returns the runs that end in messages, in the order in which they ended; results without their calls are among them. */
export const endedRuns = ({ messages, runs }: PairedMessages): EndedRun[] =>
  messages.flatMap((message) => {
    const run = message.role === 'assistant' ? undefined : runs.get(message)
    return run !== undefined && hasEnded(run) ? run : []
  })

/** Whether a run has its result. */
export const hasEnded = (run: ToolRun): run is EndedRun => run.result !== undefined

/** Returns the output of a run; empty where it has no result. */
export const outputOf = ({ result }: ToolRun): string =>
  result === undefined ? '' : result.role === 'bashExecution' ? result.output : textOf(result.content)

/** Returns how a run ended. */
export const outcomeOf = (run: ToolRun): Outcome =>
  (run.outcome ??= hasEnded(run) ? readOutcome(run.result, run.command) : { kind: 'unknown' })

/** Returns the paths that the call of a run reads or modifies, as the call writes them. */
export const filesOf = (run: ToolRun): FileLists =>
  (run.files ??= run.call === undefined ? { readFiles: [], modifiedFiles: [] } : readFileOperations(run.call))

/** Returns what the command of a run did to files, if it has succeeded. */
export const commandFilesOf = (run: ToolRun): CommandFiles => (run.commandFiles ??= findCommandFiles(run.command ?? ''))

/** Returns what the command of a run checks. */
export const checkedBy = (run: ToolRun): Check => (run.check ??= readCheck(run.command ?? ''))

/** Whether only its output shows that a command has failed: its client does not say so. */
export const showsFailure = (run: ToolRun): boolean =>
  outcomeOf(run).status === 'error' && !(run.result?.role === 'toolResult' && run.result.isError)
