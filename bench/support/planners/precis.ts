import { chooseCut } from '../../../src/plan/choose-cut.ts'
import { findRegion } from '../../../src/plan/region.ts'
import { planCompaction } from '../../../src/plan/plan-compaction.ts'
import { sumTokens } from '../../../src/plan/context-size.ts'
import type { RawEntry } from '../../../src/schemas/entry.ts'
import { readSession } from '../../../src/session/read-session.ts'
import { selectBranch } from '../../../src/session/tree.ts'
import { KEEP_RECENT_TOKENS, type Planner } from './planner.ts'

/** The service's own planner, on a branch that is read already: the peers, too, are given entries as they hold them. */
export async function createPlanner(): Promise<Planner> {
  return (entries) => {
    const branch = selectBranch(readSession(entries as readonly RawEntry[]))
    return {
      cut: () => {
        const region = findRegion(branch)
        return chooseCut(region, sumTokens(region), KEEP_RECENT_TOKENS)
      },
      plan: () => planCompaction(branch, { keepRecentTokens: KEEP_RECENT_TOKENS }).cut,
    }
  }
}
