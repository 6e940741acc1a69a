import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { SessionEntry } from '../session-entry.ts'
import { KEEP_RECENT_TOKENS, type Planner } from './planner.ts'

interface Compaction {
  DEFAULT_COMPACTION_SETTINGS: object
  findCutPoint: (entries: readonly SessionEntry[], start: number, end: number, keepRecentTokens: number) => unknown
  prepareCompaction: (entries: readonly SessionEntry[], settings: object) => unknown
}

/** The package's own entry also loads the terminal interface, which requires a newer Node; the planner does not. */
const FILE = 'node_modules/@earendil-works/pi-coding-agent/dist/core/compaction/compaction.js'

/** Creates pi's planner, which counts four characters as a token. */
export async function createPlanner(folder: string): Promise<Planner> {
  const compaction = (await import(pathToFileURL(join(folder, FILE)).href)) as Compaction
  const settings = { ...compaction.DEFAULT_COMPACTION_SETTINGS, keepRecentTokens: KEEP_RECENT_TOKENS }
  return (entries) => ({
    cut: () => compaction.findCutPoint(entries, 0, entries.length, KEEP_RECENT_TOKENS),
    plan: () => compaction.prepareCompaction(entries, settings),
  })
}
