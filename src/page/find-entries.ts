import type { PlannedEntry } from '../schemas/plan.ts'
import { readEntry } from './read-entry.ts'
import { findFact } from './find-fact.ts'
import { kindOf } from './strip-layout.ts'

interface Search {
  entries: readonly PlannedEntry[]
  blob: Blob
  /** How many entries are found for a text before its search ends. */
  limit: number
}

/**
 * Returns for each text the ids of the entries that have it word for word, read from the opened document. Summaries of earlier
 * compactions do not count: they are no originals.
 */
export async function findEntries(
  texts: readonly string[],
  { entries, blob, limit }: Search,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const found = new Map(texts.map((text): [string, string[]] => [text, []]))
  for (const entry of entries) {
    const open = [...found].filter(([, ids]) => ids.length < limit)
    if (open.length === 0) break
    if (entry.range === undefined || kindOf(entry) === 'compaction') continue
    const content = await readEntry(blob, entry.range)
    for (const [text, ids] of open) if (findFact(content, text) !== undefined) ids.push(entry.id)
  }
  return found
}

/** Returns the ids of the entries that a fact comes from: entries of the session first, summaries of earlier compactions last. */
export function originalsFirst(ids: readonly string[], entries: readonly PlannedEntry[]): string[] {
  const earlier = new Set(entries.filter((entry) => kindOf(entry) === 'compaction').map(({ id }) => id))
  return [...ids.filter((id) => !earlier.has(id)), ...ids.filter((id) => earlier.has(id))]
}
