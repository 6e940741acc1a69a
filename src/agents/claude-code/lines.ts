import { fieldsOf, isObject, type SourceElement } from '../../session/entry.ts'
import type { ReadEntry } from '../reader.ts'
import { asText } from '../shared/values.ts'

export type Line = Readonly<Record<string, unknown>>

/** A line of the tree. */
export interface FileLine {
  id: string
  /** The ids of the lines that it is read after, whether they are in the file or not. */
  after: readonly string[]
  line: Line
  place: SourceElement
}

/** A line of the tree, and what its entries follow. */
export interface Node extends FileLine {
  parentId: string | null
}

/** Lines without a place in the tree, with which a file may begin. */
const FIRST_LINES = new Set(['queue-operation', 'last-prompt', 'mode', 'permission-mode', 'custom-title', 'ai-title'])

/** Types of lines of the tree. Qwen Code has the same fields, but its messages have `parts`. */
const TREE_LINES = new Set(['user', 'assistant', 'system', 'attachment', 'progress'])

/** Returns whether a value is a line of Claude Code. */
export function isClaudeLine(line: Line): boolean {
  const type = asText(line['type'])
  if (type === 'summary') return typeof line['leafUuid'] === 'string'
  if (type === 'file-history-snapshot') return isObject(line['snapshot'])
  if (typeof line['sessionId'] !== 'string') return false
  if (FIRST_LINES.has(type)) return true
  return TREE_LINES.has(type) && line['parentUuid'] !== undefined && line['isSidechain'] !== undefined
}

/** Lines with messages, or that may have one. */
const READ_LINES = new Set(['user', 'assistant', 'attachment', 'system'])

/** Bookkeeping: none of it was shown to the model as a message. */
const BOOKKEEPING = new Set([
  ...FIRST_LINES,
  ...['summary', 'file-history-snapshot', 'agent-name', 'agent-setting', 'pr-link', 'bridge-session', 'progress'],
  ...['tools-used', 'cost-state', 'atis-latch', 'api-request', 'api-request-shape', 'api-request-blob'],
  ...['content-replacement', 'worktree-state'],
])

/** Returns whether the reader knows lines of a type, whatever it does with them. */
export const isKnownType = (type: string): boolean => READ_LINES.has(type) || BOOKKEEPING.has(type)

/** Returns whether a compaction begins with a line. */
export const isBoundary = (line: Line): boolean => line['subtype'] === 'compact_boundary'

/** Returns whether a line belongs to a compaction. */
export const isCompaction = (line: Line): boolean => isBoundary(line) || line['isCompactSummary'] === true

/** The lines that a compaction has kept. */
export interface Preserved {
  /** The lines that stay, oldest first. */
  ids: ReadonlySet<string>
  /** The line that they follow: the summary, or the boundary if the end of the session was summarized. */
  anchorId: string
  /** The newest of them if they are before the summary: the end of the session was summarized, not its beginning. */
  lastBefore?: string
}

/** Returns what the compaction of a boundary has kept: `preservedMessages`, and in older versions `preservedSegment`. */
export function preservedBy(line: Line): Preserved {
  const { preservedMessages: messages, preservedSegment: segment } = fieldsOf(line['compactMetadata'])
  const { headUuid, tailUuid } = fieldsOf(segment)
  const { uuids = [headUuid, tailUuid] } = fieldsOf(messages)
  const ids = new Set((Array.isArray(uuids) ? (uuids as unknown[]) : []).filter((id) => typeof id === 'string'))
  const anchor = fieldsOf(messages)['anchorUuid'] ?? fieldsOf(segment)['anchorUuid']
  const lastBefore = anchor !== undefined && anchor === line['uuid'] ? [...ids].at(-1) : undefined
  return { ids, anchorId: asText(anchor), ...(lastBefore === undefined ? {} : { lastBefore }) }
}

/**
 * Returns the entry of a summary. One of the end of the session is that of a branch that was left: what is before it stays.
 * @param kept what its compaction has kept, and whether the session has a line
 */
export function summaryEntry(
  summary: string,
  { id, parentId }: Node,
  { ids, lastBefore, has }: Preserved & { has: (id: string) => boolean },
): ReadEntry {
  const [firstKeptEntryId] = ids
  return lastBefore !== undefined && has(lastBefore)
    ? { type: 'branch_summary', id, parentId: lastBefore, summary }
    : { type: 'compaction', id, parentId, summary, ...(firstKeptEntryId && { firstKeptEntryId }) }
}
