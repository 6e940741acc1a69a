import { chooseCut } from '../../../src/plan/choose-cut.ts'
import { findRegion } from '../../../src/plan/region.ts'
import { planCompaction } from '../../../src/plan/plan-compaction.ts'
import { sumTokens } from '../../../src/plan/context-size.ts'
import { selectBranch } from '../../../src/session/link-session.ts'
import { readSession } from '../read-session.ts'
import { KEEP_RECENT_TOKENS, type Planner } from './planner.ts'

/** Creates the service's planner, on a branch that is already read: the peers, too, get entries in their own form. */
export async function createPlanner(): Promise<Planner> {
  return (entries) => {
    const branch = selectBranch(readSession({ entries }))
    return {
      cut: () => {
        const region = findRegion(branch)
        return chooseCut(region, sumTokens(region), KEEP_RECENT_TOKENS)
      },
      plan: () => planCompaction(branch, { keepRecentTokens: KEEP_RECENT_TOKENS }).cut,
    }
  }
}
