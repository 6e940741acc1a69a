import type { Entry } from '../session/entry.ts'
import { toolCallsOf, type ToolCallBlock, type ToolResultMessage } from '../session/message.ts'
import { normalizePath } from './normalize-path.ts'
import { readFileOperations } from './read-file-operations.ts'

/** Tools that read a file, as in planning rule 9. */
const READ_TOOLS = new Set(['read', 'Read'])

/** Arguments by which clients read a part of a file. */
const PART_ARGUMENTS = ['offset', 'limit', 'start_line', 'end_line', 'range', 'pages']

/**
 * Finds the results of reads that are stale: a later read has shown the same file whole. A read that failed, or whose
 * own result has been pruned, supersedes nothing.
 */
export function findSupersededReads(context: readonly Entry[]): Set<Entry> {
  const calls = findReadCalls(context)
  const shownWhole = new Set<string>()
  const superseded = new Set<Entry>()
  for (const entry of context.toReversed()) {
    const call = entry.message?.role === 'toolResult' ? calls.get(entry) : undefined
    const path = call && pathOf(call)
    if (call === undefined || path === undefined) continue
    if (shownWhole.has(path)) superseded.add(entry)
    else if (isWhole(call) && hasOutput(entry.message as ToolResultMessage)) shownWhole.add(path)
  }
  return superseded
}

/** The read call that each result answers: the newest one before it that has its id, since ids may come again. */
function findReadCalls(context: readonly Entry[]): Map<Entry, ToolCallBlock> {
  const byId = new Map<string, ToolCallBlock>()
  const calls = new Map<Entry, ToolCallBlock>()
  for (const entry of context) {
    if (entry.message === undefined) continue
    for (const call of toolCallsOf(entry.message)) byId.set(call.id, call)
    const call = entry.message.role === 'toolResult' ? byId.get(entry.message.toolCallId) : undefined
    if (call !== undefined && READ_TOOLS.has(call.name)) calls.set(entry, call)
  }
  return calls
}

const hasOutput = ({ isError, isPruned }: ToolResultMessage): boolean => !isError && !isPruned

const pathOf = (call: ToolCallBlock): string | undefined => {
  const path = readFileOperations(call).readFiles[0]
  return path === undefined ? undefined : normalizePath(path)
}

/** No line selector in the path, and no argument that asks for a part. */
function isWhole(call: ToolCallBlock): boolean {
  const path = readFileOperations(call).readFiles[0]
  const args = call.arguments as Record<string, unknown>
  return path === normalizePath(path ?? '') && PART_ARGUMENTS.every((name) => (args[name] ?? null) === null)
}
