import type { SessionEntry } from '../session-entry.ts'

/** `cut`: only the cut point. `plan`: everything that a compaction needs from the session before it calls a model. */
export type Work = 'cut' | 'plan'

/** Returns the work to measure on a session, which is one line of entries from the root to the leaf. */
export type Planner = (entries: readonly SessionEntry[]) => Record<Work, () => unknown>

/** The exports of a module in this folder. */
export interface PlannerModule {
  /**
   * @param folder where the peer is installed
   * @param argument an option of the module
   * @throws where the peer cannot be loaded
   */
  createPlanner: (folder: string, argument?: string) => Promise<Planner>
}

/** The budget of the kept region, the same for all. */
export const KEEP_RECENT_TOKENS = 20_000
