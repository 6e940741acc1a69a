import { findRegion, lastEncrypted } from '../plan/region.ts'
import type { Entry } from '../session/entry.ts'

/** Returns the positions of the compactions of a branch, in ascending order: one that is no entry is half a position after the entry before it. */
export const compactionsOf = (branch: readonly Entry[]): number[] =>
  branch.flatMap(({ compaction, message, precedesEncrypted }, index) => [
    ...(compaction !== undefined || message?.role === 'compactionSummary' ? [index] : []),
    ...(precedesEncrypted === true ? [index + 0.5] : []),
  ])

/** What the agent still sees of a branch: the entries from a position on, and a summary before them. */
export interface SeenPart {
  first: number
  /** The position of the newest summary; undefined without one. */
  summary: number | undefined
  /** Whether there is anything else before it. */
  hasReplaced: boolean
}

/** Returns what the agent still sees. Plans treat encrypted compactions as absent; the agent does not. */
export function findSeenPart(branch: readonly Entry[]): SeenPart {
  const encrypted = lastEncrypted(branch)
  const keptId = branch[encrypted]?.compaction?.firstKeptEntryId
  const kept = keptId === undefined ? -1 : branch.findIndex(({ id }) => id === keptId)
  const { start, previous } = findRegion(branch)
  const first = Math.max(start, kept >= 0 && kept < encrypted ? kept : encrypted + 1)
  const summary = previous !== undefined && previous.index > encrypted ? previous.index : undefined
  return { first, summary, hasReplaced: first > (summary !== undefined && summary < first ? 1 : 0) }
}
