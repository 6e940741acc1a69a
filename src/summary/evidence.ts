import { findCommandFiles } from '../extract/command-files.ts'
import { findCommits, findErrors, makesCommits, readCommand, readExitStatus } from '../extract/commands.ts'
import { oneLine } from '../text/shorten.ts'
import { PATH_ARGUMENTS } from '../files/collect-files.ts'
import { textOf, toolCallsOf, type Message, type ToolCallBlock, type ToolResultMessage } from '../session/message.ts'

/** A failed command, or a failed call of another tool. */
export interface FailureFact {
  /** The command on one line, or the tool's name and its path. */
  what: string
  /** `exit code 1`, or `error` where no exit status is known. */
  status: string
  /** The last line of the output that gives the reason; empty where no line does. */
  error: string
  /** True where the same command or call succeeded later. */
  hasPassed: boolean
}

/** The events of a session that code can prove, oldest first: a summary may be wrong about them, this is not. */
export interface Evidence {
  failures: FailureFact[]
  /** Commits as `3f2a1bc message`. */
  commits: string[]
  deleted: string[]
  renamed: { from: string; to: string }[]
}

/**
 * Collects the events that messages prove, oldest first: failures and their reasons, commits, and files that commands
 * deleted or renamed.
 */
export function collectEvidence(messages: readonly Message[]): Evidence {
  const calls = new Map<string, ToolCallBlock>()
  const evidence = noEvidence()
  const failures = new Map<string, FailureFact>()
  for (const message of messages) {
    for (const call of toolCallsOf(message)) calls.set(call.id, call)
    const run = runOf(message, calls)
    if (run === undefined) continue
    noteOutcome(run, failures)
    if (run.status === undefined && run.command !== undefined) noteChanges(run.command, run.output, evidence)
  }
  return { ...evidence, failures: [...failures.values()] }
}

interface Run {
  what: string
  /** The command, if it was one: it may have moved files. */
  command?: string
  output: string
  /** Undefined for a success. */
  status: string | undefined
}

function runOf(message: Message, calls: ReadonlyMap<string, ToolCallBlock>): Run | undefined {
  if (message.role === 'bashExecution') {
    const { command, output, exitCode = 0 } = message
    return { what: oneLine(command), command, output, status: exitCode === 0 ? undefined : `exit code ${exitCode}` }
  }
  if (message.role !== 'toolResult') return undefined
  const call = calls.get(message.toolCallId)
  return call === undefined ? undefined : resultOf(message, call)
}

function resultOf(message: ToolResultMessage, call: ToolCallBlock): Run {
  const output = textOf(message.content)
  const command = readCommand(call)
  if (command !== undefined) return { what: oneLine(command), command, output, status: readExitStatus(message, output) }
  const values = (typeof call.arguments === 'object' && call.arguments !== null ? call.arguments : {}) as Record<
    string,
    unknown
  >
  const path = PATH_ARGUMENTS.map((key) => values[key]).find((value) => typeof value === 'string')
  return { what: [call.name, path].filter(Boolean).join(' '), output, status: readExitStatus(message, '') }
}

/** Records each failure once, in the order of its last occurrence, and marks failures that passed later. */
function noteOutcome({ what, output, status }: Run, failures: Map<string, FailureFact>): void {
  const earlier = failures.get(what)
  failures.delete(what)
  if (status !== undefined)
    failures.set(what, { what, status, error: findErrors(output, 1)[0] ?? '', hasPassed: false })
  else if (earlier !== undefined) failures.set(what, { ...earlier, hasPassed: true })
}

function noteChanges(command: string, output: string, evidence: Evidence): void {
  const { deleted, renamed } = findCommandFiles(command)
  // There may be hundreds of thousands, which are too many for the arguments of one call.
  if (makesCommits(command)) for (const commit of findCommits(output)) evidence.commits.push(commit)
  evidence.deleted.push(...deleted)
  evidence.renamed.push(...renamed)
}

/** Merges the evidence of earlier compactions with new evidence: each fact once, at the place of its newest mention. */
export function mergeEvidence(older: Evidence, newer: Evidence): Evidence {
  return {
    failures: newestOf([...older.failures, ...newer.failures], ({ what }) => what),
    commits: newestOf([...older.commits, ...newer.commits], (commit) => commit.split(' ', 1)[0] ?? ''),
    deleted: newestOf([...older.deleted, ...newer.deleted], (path) => path),
    renamed: newestOf([...older.renamed, ...newer.renamed], ({ from, to }) => JSON.stringify([from, to])),
  }
}

function newestOf<T>(facts: readonly T[], nameOf: (fact: T) => string): T[] {
  const named = new Map<string, T>()
  for (const fact of facts) {
    const name = nameOf(fact)
    named.delete(name)
    named.set(name, fact)
  }
  return [...named.values()]
}

export const noEvidence = (): Evidence => ({ failures: [], commits: [], deleted: [], renamed: [] })
