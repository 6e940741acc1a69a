import type { SessionEntry } from './strip-layout.ts'
import { findFact, type SearchedFact } from './find-fact.ts'
import { readEntryText } from './read-record.ts'
import { kindOf } from './strip-layout.ts'

interface Search {
  entries: readonly SessionEntry[]
  blob: Blob
  /** How many entries are found for a text before its search ends. */
  limit: number
}

/**
 * Returns for the text of each fact the ids of the entries that have it word for word, read from the opened document. Summaries of earlier
 * compactions do not count: they are no originals.
 */
export async function findEntries(
  facts: readonly SearchedFact[],
  { entries, blob, limit }: Search,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const found = new Map(facts.map((fact): [string, string[]] => [fact.text, []]))
  for (const entry of entries) {
    const open = facts.filter(({ text }) => (found.get(text)?.length ?? 0) < limit)
    if (open.length === 0) break
    if (entry.range === undefined || kindOf(entry) === 'compaction') continue
    const content = await readEntryText(blob, entry.range)
    for (const fact of open) if (findFact(content, fact) !== undefined) found.get(fact.text)?.push(entry.id)
  }
  return found
}

/** Returns the ids of the entries that a fact comes from: entries of the session first, summaries of earlier compactions last. */
export function originalsFirst(ids: readonly string[], entries: readonly SessionEntry[]): string[] {
  const earlier = new Set(entries.filter((entry) => kindOf(entry) === 'compaction').map(({ id }) => id))
  return [...ids.filter((id) => !earlier.has(id)), ...ids.filter((id) => earlier.has(id))]
}
