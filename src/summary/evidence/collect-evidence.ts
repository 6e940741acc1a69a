import { findCommandFiles } from '../../extract/find-command-files.ts'
import { findCommits } from '../../extract/find-commits.ts'
import { findErrors } from '../../extract/find-errors.ts'
import { readCommand, readFailure } from '../../extract/read-command.ts'
import { oneLine } from '../../extract/shorten.ts'
import { PATH_ARGUMENTS } from '../../plan/read-file-operations.ts'
import { textOf, toolCallsOf, type Message, type ToolCallBlock, type ToolResultMessage } from '../../session/message.ts'
import type { Steps } from '../../steps.ts'
import { noEvidence, type Evidence, type FailureFact } from './evidence.ts'

/**
 * Collects what messages prove, oldest first: what failed and how, commits, and files deleted or renamed by commands. A message
 * a step.
 */
export function* collectEvidence(messages: readonly Message[]): Steps<Evidence> {
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
  if (command !== undefined) return { what: oneLine(command), command, output, status: readFailure(message, output) }
  const values = (typeof call.arguments === 'object' && call.arguments !== null ? call.arguments : {}) as Record<
    string,
    unknown
  >
  const path = PATH_ARGUMENTS.map((key) => values[key]).find((value) => typeof value === 'string')
  return { what: [call.name, path].filter(Boolean).join(' '), output, status: readFailure(message, '') }
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
