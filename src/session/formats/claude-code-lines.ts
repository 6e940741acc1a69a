import { fieldsOf, isObject } from '../entry.ts'
import { textOf } from './anthropic-blocks.ts'

export type Line = Readonly<Record<string, unknown>>

/** Lines without a place in the tree, with which a file may begin. */
const FIRST_LINES = new Set(['queue-operation', 'last-prompt', 'mode', 'permission-mode', 'custom-title', 'ai-title'])

/** Types of lines of the tree. Qwen Code has the same fields, but its messages have `parts`. */
const TREE_LINES = new Set(['user', 'assistant', 'system', 'attachment', 'progress'])

/** Returns whether a value is a line of Claude Code. */
export function isClaudeLine(line: Line): boolean {
  const type = textOf(line['type'])
  if (type === 'summary') return typeof line['leafUuid'] === 'string'
  if (type === 'file-history-snapshot') return isObject(line['snapshot'])
  if (typeof line['sessionId'] !== 'string') return false
  if (FIRST_LINES.has(type)) return true
  return TREE_LINES.has(type) && line['parentUuid'] !== undefined && line['isSidechain'] !== undefined
}

/** Lines with messages, or that may have one. */
export const READ_LINES = new Set(['user', 'assistant', 'attachment', 'system'])

/** Bookkeeping: none of it was shown to the model as a message. */
export const BOOKKEEPING = new Set([
  ...FIRST_LINES,
  ...['summary', 'file-history-snapshot', 'agent-name', 'agent-setting', 'pr-link', 'bridge-session', 'progress'],
  ...['tools-used', 'cost-state', 'atis-latch', 'api-request', 'api-request-shape', 'api-request-blob'],
  ...['content-replacement', 'worktree-state'],
])

/** Returns whether a line belongs to a compaction. */
export const isCompaction = (line: Line): boolean =>
  line['subtype'] === 'compact_boundary' || line['isCompactSummary'] === true

/** Returns the lines that stay after a compaction, oldest first. */
export function keptIdsOf(line: Line): Set<string> {
  const { preservedMessages, preservedSegment } = fieldsOf(line['compactMetadata'])
  const { uuids } = fieldsOf(preservedMessages)
  const ids = Array.isArray(uuids) ? uuids : [fieldsOf(preservedSegment)['headUuid']]
  return new Set(ids.filter((id) => typeof id === 'string'))
}
