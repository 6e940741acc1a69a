import { readableCompaction, type Region } from './find-region.ts'

/**
 * Moves entries without a message that stand just before the cut into the kept region: model changes and labels belong
 * to what follows them (planning rule 7).
 * @param cut index of the first message to be kept
 * @returns the index of the first entry to be kept: back to the first entry with a message, a compaction or the region's
 * start; a reset boundary never stands in the region
 */
export function findFirstKept({ branch, start }: Region, cut: number): number {
  let firstKept = cut
  for (let index = cut - 1; index >= start; index--) {
    const entry = branch[index]
    if (entry === undefined || entry.message !== undefined || readableCompaction(entry) !== undefined) break
    // An unreadable compaction is passed over as if it were not there, and nothing may begin with it.
    if (entry.compaction === undefined) firstKept = index
  }
  return firstKept
}
