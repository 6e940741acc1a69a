import type { Cut } from './choose-cut.ts'
import type { Region } from './find-region.ts'

/** What becomes of an entry: the words of `POST /compaction/plan`. */
export type EntryRegion = 'summarized' | 'turn-prefix' | 'kept' | 'covered' | 'ignored'

/**
 * Labels each entry of the branch with what becomes of it, in order (docs/contract.md, "POST /compaction/plan"). What has no
 * message is ignored, but for the entry that the kept region begins with.
 */
export function labelEntries({ branch, playStart, start }: Region, cut: Cut | undefined): EntryRegion[] {
  const keptFrom = cut?.at ?? start
  return branch.map(({ message }, index) => {
    if (index === cut?.firstKept) return 'kept'
    if (message === undefined || index < playStart) return 'ignored'
    if (index < start) return 'covered'
    if (index >= keptFrom) return 'kept'
    return index < (cut?.turnStart ?? keptFrom) ? 'summarized' : 'turn-prefix'
  })
}
