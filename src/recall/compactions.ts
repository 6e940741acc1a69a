import { findRegion } from '../plan/region.ts'
import type { Entry } from '../session/entry.ts'

/** Returns the positions of the compactions of a branch, in ascending order: one that is no entry is half a position after the entry before it. */
export const compactionsOf = (branch: readonly Entry[]): number[] =>
  branch.flatMap(({ compaction, message, precedesEncrypted }, index) => [
    ...(compaction !== undefined || message?.role === 'compactionSummary' ? [index] : []),
    ...(precedesEncrypted === true ? [index + 0.5] : []),
  ])

/** Returns the position of the first entry that the agent sees, besides the newest summary. Plans treat encrypted compactions as absent. */
export function firstSeenIn(branch: readonly Entry[]): number {
  const index = branch.findLastIndex(
    ({ compaction, precedesEncrypted }) => precedesEncrypted === true || compaction?.isOpaque === true,
  )
  const keptId = branch[index]?.compaction?.firstKeptEntryId
  const kept = keptId === undefined ? -1 : branch.findIndex(({ id }) => id === keptId)
  return Math.max(findRegion(branch).start, kept >= 0 && kept < index ? kept : index + 1)
}
