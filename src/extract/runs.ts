import { OpenFile } from '../files/open-file.ts'
import { inFolder, readFileOperations } from '../files/paths.ts'
import type { FileLists } from '../session/entry.ts'
import {
  textOf,
  toolCallsOf,
  type BashExecutionMessage,
  type Message,
  type ToolCallBlock,
  type ToolResultMessage,
} from '../session/message.ts'
import { defined } from '../text/defined.ts'
import { CheckOutputs, joinCommands, type RunCommand } from './check-outputs.ts'
import type { Check } from './checks.ts'
import { findCommandFiles, type CommandFiles } from './command-files.ts'
import { makesCommits, readCommand, readFolder } from './commands.ts'
import { findMadeCommits } from './commit-message.ts'
import { readOutcome, type Outcome } from './outcome.ts'
import { splitCommand, type SimpleCommand } from './shell.ts'

/**
 * A tool call with its result, a result without its call, or a command that the user ran. It is plain data, which crosses
 * process boundaries; what takes time is worked out when it is first asked for, and stays.
 */
export interface ToolRun extends RunCommand {
  call?: ToolCallBlock
  result?: ToolResultMessage | BashExecutionMessage
  outcome?: Outcome
  /** The folder in which a command runs, or from which paths begin: absolute. Left out where the session does not say it. */
  folder?: string
  /** The file that the call changes without naming it. */
  openFile?: string
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
  let cwd: string | undefined
  const outputs = new CheckOutputs<ToolRun>({ commandsOf: simpleCommandsOf, outcomeOf, outputOf })
  for (const message of messages) {
    cwd = message.cwd ?? cwd
    for (const call of toolCallsOf(message)) {
      const command = readCommand(call)
      const named = command === undefined ? undefined : readFolder(call)
      const run: ToolRun = defined({ call, command, folder: folderOf(cwd, named), openFile: openFile.call(call) })
      runs.set(call, run)
      calls.set(call.id, run)
    }
    if (message.role === 'bashExecution')
      runs.set(message, defined({ result: message, command: message.command, folder: folderOf(cwd) }))
    if (message.role !== 'toolResult') continue
    openFile.result(() => textOf(message.content))
    const called = calls.get(message.toolCallId) ?? {}
    const run =
      called.result === undefined ? Object.assign(called, { result: message }) : { ...called, result: message }
    runs.set(message, run)
    if (run.call !== undefined) runs.set(run.call, run)
    const ofCheck = outputs.read(run)
    if (ofCheck === undefined) continue
    splits.delete(run)
    Object.assign(run, ofCheck)
  }
  return runs
}

/** Returns the folder in which a call runs: that which it names, in that of the session. */
function folderOf(cwd = '', named = ''): string | undefined {
  const folder = inFolder(inFolder('', cwd), named)
  return /^[/~]/.test(folder) ? folder : undefined
}

export const pairMessages = (messages: readonly Message[]): PairedMessages => ({ messages, runs: pairCalls(messages) })

/**
 * Returns the runs of copies of messages in which texts were replaced. Calls keep their results; of runs that have changed, the
 * facts are worked out again. A call or a result of another message is left out.
 * @param copies as many as the messages, in their order
 * @param replace replaces the same texts in the path of an open file
 */
export function copyRuns(
  { messages, runs }: PairedMessages,
  copies: readonly Message[],
  replace: (text: string) => string,
): ToolRuns {
  const calls = new Map<ToolCallBlock | undefined, ToolCallBlock>()
  const results = new Map<Message | undefined, EndedRun['result']>()
  for (const [index, message] of messages.entries()) {
    const copy = copies[index]
    if (copy === undefined) continue
    if (copy.role === 'toolResult' || copy.role === 'bashExecution') results.set(message, copy)
    const copied = toolCallsOf(copy)
    for (const [at, call] of toolCallsOf(message).entries()) calls.set(call, copied[at] ?? call)
  }
  const copied = new Map<ToolRun, ToolRun>()
  const copiedRuns = new Map<ToolCallBlock | Message, ToolRun>()
  for (const [key, run] of runs) {
    const copy = 'role' in key ? results.get(key) : calls.get(key)
    if (copy === undefined) continue
    const copiedRun =
      copied.get(run) ?? copyRun(run, { call: calls.get(run.call), result: results.get(run.result) }, replace)
    copied.set(run, copiedRun)
    copiedRuns.set(copy, copiedRun)
  }
  return copiedRuns
}

function copyRun(
  run: ToolRun,
  { call, result }: { call: ToolRun['call'] | undefined; result: ToolRun['result'] | undefined },
  replace: (text: string) => string,
): ToolRun {
  if (call === run.call && result === run.result && run.openFile === undefined) return run
  const own = result?.role === 'bashExecution' ? result.command : call && readCommand(call)
  const joined =
    run.writer !== undefined && own !== undefined ? joinCommands(replace(run.writer), own) : { command: own }
  const openFile = call && run.openFile && replace(run.openFile)
  const folder = run.folder && replace(run.folder)
  const copy: ToolRun = defined({ call, result, ...joined, folder, openFile })
  if (copy.command === run.command) originals.set(copy, run)
  return copy
}

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

/** The simple commands of runs. They are as long as the commands, so that they are not sent to other processes. */
const splits = new WeakMap<ToolRun, readonly SimpleCommand[]>()

/** The runs of which others are copies with the same command: it is split once, whichever of them asks for it first. */
const originals = new WeakMap<ToolRun, ToolRun>()

/** Returns the simple commands of a run's command; none without one. */
export function simpleCommandsOf(run: ToolRun): readonly SimpleCommand[] {
  const original = originals.get(run)
  if (original !== undefined) return simpleCommandsOf(original)
  const known = splits.get(run)
  if (known !== undefined) return known
  const commands = run.command === undefined ? [] : splitCommand(run.command)
  splits.set(run, commands)
  return commands
}

/** Whether the command of a run makes commits. */
export const isCommitting = (run: ToolRun): boolean => makesCommits(simpleCommandsOf(run))

/** Whether the command of a run has made a commit. What follows the commit may have hidden the status. */
export const hasCommitted = (run: ToolRun): boolean =>
  isCommitting(run) && (outcomeOf(run).kind === 'succeeded' || commitsOf(run).length > 0)

/** Whether the output of a run only says that its command goes on in the background (Claude Code). */
export const isInBackground = (run: ToolRun): boolean => /^Command running in background/.test(outputOf(run))

/** Returns the commits that a run has made, as `hash message`. */
export const commitsOf = (run: ToolRun): string[] =>
  run.command === undefined ? [] : findMadeCommits(run.command, simpleCommandsOf(run), outputOf(run))

/** Returns how a run ended. */
export const outcomeOf = (run: ToolRun): Outcome =>
  (run.outcome ??= hasEnded(run) ? readOutcome(run.result, run.command, simpleCommandsOf(run)) : { kind: 'unknown' })

/** Returns the paths that the call of a run reads or modifies, as the call writes them. */
export const filesOf = (run: ToolRun): FileLists => (run.files ??= readFiles(run))

function readFiles({ call, openFile }: ToolRun): FileLists {
  if (openFile !== undefined) return { readFiles: [], modifiedFiles: [openFile] }
  return call === undefined ? { readFiles: [], modifiedFiles: [] } : readFileOperations(call)
}

/** Returns what the command of a run did to files, if it has succeeded. */
export const commandFilesOf = (run: ToolRun): CommandFiles =>
  (run.commandFiles ??= findCommandFiles(simpleCommandsOf(run)))

/** Whether only its output shows that a command has failed: its client does not say so. */
export const showsFailure = (run: ToolRun): boolean =>
  outcomeOf(run).status === 'error' && !(run.result?.role === 'toolResult' && run.result.isError)

/** Whether a tool has read a file, and changed none. */
export const onlyReads = (run: ToolRun): boolean =>
  filesOf(run).readFiles.length > 0 && filesOf(run).modifiedFiles.length === 0
