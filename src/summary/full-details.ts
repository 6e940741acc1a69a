import type { CompactionPlan } from '../plan/plan-compaction.ts'
import type { FullDetails } from '../schemas/compaction-reply.ts'
import type { FileLists } from '../session/entry.ts'
import { findCommandFiles } from '../extract/command-files.ts'
import { findDecisions } from '../extract/statements.ts'
import { findErrors, readCommand } from '../extract/commands.ts'
import { readOutcome } from '../extract/outcome.ts'
import { oneLine, shorten } from '../text/shorten.ts'
import { PATH_ARGUMENTS } from '../files/collect-files.ts'
import {
  textOf,
  toolCallsOf,
  type BashExecutionMessage,
  type Message,
  type ToolCallBlock,
  type ToolResultMessage,
} from '../session/message.ts'

/**
 * Returns the details that a request can ask for (`"details": "full"`): the file lists, the work in the summarized
 * messages, and the tokens that the compaction saved. What is outside the messages stays in the context.
 * @param sizes as in the reply
 */
export const fullDetails = (
  details: FileLists & WorkDetails,
  sizes: { tokensBefore: number; tokensAfter: number; tokensOutside: number },
): FileLists & FullDetails => {
  const { tokensBefore } = sizes
  const after = sizes.tokensAfter + sizes.tokensOutside
  return {
    ...details,
    tokensSaved: tokensBefore - after,
    compressionRatio: tokensBefore === 0 ? 1 : after / tokensBefore,
  }
}

/** The part of the details that does not depend on the summary. */
export type WorkDetails = Omit<FullDetails, 'tokensSaved' | 'compressionRatio'>

const MAX_COMMANDS = 20

const LINE_CHARACTERS = 300

/** Describes the work in the summarized messages of a plan, without a model (docs/contract.md, "Reply 200"). */
export function describeWork({ history, turnPrefix }: Pick<CompactionPlan, 'history' | 'turnPrefix'>): WorkDetails {
  const entries: readonly Source[] = [...history, ...turnPrefix]
  const ran = findRuns(entries)
  const files = ran.filter(({ failed }) => !failed).map(({ code }) => findCommandFiles(code))
  return {
    keyDecisions: entries.flatMap(({ id, message }) => decisionsOf(message).map((text) => ({ text, entryId: id }))),
    toolsUsed: countTools(entries),
    commands: ran.slice(-MAX_COMMANDS).map(({ code, exitCode, failed }) => ({
      command: shorten(oneLine(code), LINE_CHARACTERS),
      ...(exitCode === undefined ? {} : { exitCode }),
      failed,
    })),
    errors: findLastErrors(entries),
    filesFromCommands: {
      read: distinct(files.flatMap(({ read }) => read)),
      modified: distinct(files.flatMap(({ modified }) => modified)),
      deleted: distinct(files.flatMap(({ deleted }) => deleted)),
      renamed: files.flatMap(({ renamed }) => renamed),
    },
    coveredEntryIds: [entries[0], entries.at(-1)].flatMap((entry) => entry?.id ?? []),
  }
}

/** An entry that contributes a message. */
interface Source {
  id: string
  message: Message
}

const distinct = (paths: readonly string[]): string[] => [...new Set(paths)].sort()

const decisionsOf = (message: Message): string[] =>
  message.role === 'assistant'
    ? findDecisions(textOf(message.content)).map((text) => shorten(text, LINE_CHARACTERS))
    : []

const NOTABLE_USES = 3

function countTools(entries: readonly Source[]): WorkDetails['toolsUsed'] {
  const uses = new Map<string, { count: number; notable: Set<string> }>()
  for (const call of entries.flatMap(({ message }) => toolCallsOf(message))) {
    const use = uses.get(call.name) ?? { count: 0, notable: new Set() }
    const what = describeCall(call)
    use.count += 1
    if (what !== undefined && use.notable.size < NOTABLE_USES) use.notable.add(what)
    uses.set(call.name, use)
  }
  return [...uses].map(([tool, { count, notable }]) => ({ tool, count, notableUses: [...notable] }))
}

const USE_CHARACTERS = 120

/** Describes a call in a few words: its command, its path, or its first text. */
function describeCall(call: ToolCallBlock): string | undefined {
  const command = readCommand(call)
  const values = (typeof call.arguments === 'object' && call.arguments !== null ? call.arguments : {}) as Record<
    string,
    unknown
  >
  const named = PATH_ARGUMENTS.map((key) => values[key])
  const text = [command, ...named, ...Object.values(values)].find((value) => typeof value === 'string' && value !== '')
  return text === undefined ? undefined : shorten(oneLine(text as string), USE_CHARACTERS)
}

interface Run {
  code: string
  exitCode?: number
  failed: boolean
}

/** Returns the commands that were run, in the order in which they ended; a command without an end is left out. */
function findRuns(entries: readonly Source[]): Run[] {
  const calls = new Map<string, string>()
  const runs: Run[] = []
  for (const { message } of entries) {
    for (const call of toolCallsOf(message)) {
      const command = readCommand(call)
      if (command !== undefined) calls.set(call.id, command)
    }
    const run = runOf(message, calls)
    if (run !== undefined) runs.push(run)
  }
  return runs
}

function runOf(message: Message, calls: ReadonlyMap<string, string>): Run | undefined {
  if (message.role !== 'bashExecution' && message.role !== 'toolResult') return undefined
  const code = message.role === 'bashExecution' ? message.command : calls.get(message.toolCallId)
  if (code === undefined) return undefined
  const { kind, exitCode = message.exitCode } = readOutcome(message, code)
  return { code, failed: kind === 'failed', ...(exitCode === undefined ? {} : { exitCode }) }
}

const MAX_ERRORS = 10

/** Returns the last error line of each failure. */
function findLastErrors(entries: readonly Source[]): string[] {
  const calls = new Map(entries.flatMap(({ message }) => toolCallsOf(message).map((call) => [call.id, call] as const)))
  const lines = entries.flatMap(({ message }) => {
    if (message.role === 'bashExecution')
      return hasFailed(message, message.command) ? findErrors(message.output, 1) : []
    if (message.role !== 'toolResult') return []
    const call = calls.get(message.toolCallId)
    return hasFailed(message, call && readCommand(call)) ? findErrors(textOf(message.content), 1) : []
  })
  return lines.slice(-MAX_ERRORS)
}

const hasFailed = (message: ToolResultMessage | BashExecutionMessage, command: string | undefined): boolean =>
  readOutcome(message, command).kind === 'failed'
