import { findCommandFiles } from '../extract/command-files.ts'
import { findCommits, findErrors, readCommand, readExitStatus } from '../extract/commands.ts'
import { oneLine } from '../text/shorten.ts'
import { PATH_ARGUMENTS } from '../files/collect-files.ts'
import { textOf, toolCallsOf, type Message, type ToolCallBlock, type ToolResultMessage } from '../session/message.ts'
import type { Cooperative } from '../runtime/cooperative.ts'

/** A command, or another tool's work, that failed. */
export interface FailureFact {
  /** The command on one line, or the tool's name and its path. */
  what: string
  /** `exit code 1`, or `error` where no exit status is known. */
  status: string
  /** The last line of what said why; empty where nothing did. */
  error: string
  /** True where the same succeeded afterwards. */
  hasPassed: boolean
}

/** What happened in a session as far as code can tell, oldest first: a summary may be wrong about it, this is not. */
export interface Evidence {
  failures: FailureFact[]
  /** `3f2a1bc message`. */
  commits: string[]
  deleted: string[]
  renamed: { from: string; to: string }[]
}

/**
 * Collects what messages prove, oldest first: what failed and how, commits, and files deleted or renamed by commands. A message
 * a step.
 */
export function* collectEvidence(messages: readonly Message[]): Cooperative<Evidence> {
  const calls = new Map<string, ToolCallBlock>()
  const evidence = noEvidence()
  const failures = new Map<string, FailureFact>()
  for (const message of messages) {
    for (const call of toolCallsOf(message)) calls.set(call.id, call)
    const run = runOf(message, calls)
    yield
    if (run === undefined) continue
    noteOutcome(run, failures)
    if (run.status === undefined && run.command !== undefined) noteChanges(run.command, run.output, evidence)
  }
  return { ...evidence, failures: [...failures.values()] }
}

interface Run {
  what: string
  /** The command, where it was one: it may have moved files. */
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

/** Each failure once, in the order in which it was last met; one that passed later says so. */
function noteOutcome({ what, output, status }: Run, failures: Map<string, FailureFact>): void {
  const earlier = failures.get(what)
  failures.delete(what)
  if (status !== undefined)
    failures.set(what, { what, status, error: findErrors(output, 1)[0] ?? '', hasPassed: false })
  else if (earlier !== undefined) failures.set(what, { ...earlier, hasPassed: true })
}

function noteChanges(command: string, output: string, evidence: Evidence): void {
  const { deleted, renamed } = findCommandFiles(command)
  evidence.commits.push(...findCommits(output))
  evidence.deleted.push(...deleted)
  evidence.renamed.push(...renamed)
}

/** Joins what earlier compactions had found with what is new: each fact once, at the place of its newest mention. */
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
