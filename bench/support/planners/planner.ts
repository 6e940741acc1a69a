import type { SessionEntry } from '../session-entry.ts'

/** `cut`: the cut point alone. `plan`: all that a compaction needs to know of the session before it asks a model. */
export type Work = 'cut' | 'plan'

/** Takes a session, one line of entries from the root to the leaf, and gives what is measured on it. */
export type Planner = (entries: readonly SessionEntry[]) => Record<Work, () => unknown>

/** What a module of this folder exports. */
export interface PlannerModule {
  /**
   * @param folder where the peer is installed
   * @param argument what the module makes of it
   * @throws where the peer cannot be loaded
   */
  createPlanner: (folder: string, argument?: string) => Promise<Planner>
}

/** The budget of the kept region, the same for all. */
export const KEEP_RECENT_TOKENS = 20_000
