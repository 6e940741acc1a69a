import type { RecalledPassage } from './passage.ts'
import type { SearchQuery } from './query.ts'
import { countKinds, searchPassages, type RankedHits } from './rank.ts'

/**
 * Says what of a query is in the passages that filters leave out; undefined if it is nothing that is missing. Without this, a filter
 * that is too narrow would prove that something never happened.
 * @param found what passes the filters
 */
export function describeBeyond(
  found: RankedHits,
  { others, query }: { others: readonly RecalledPassage[]; query: SearchQuery },
): string | undefined {
  if (others.length === 0 || found.hits.some(({ hasAll }) => hasAll)) return undefined
  const { hits, unknownTerms } = searchPassages(others, query)
  const all = hits.filter(({ hasAll }) => hasAll)
  const kinds = Object.entries(countKinds(all)).map(([kind, count]) => `${kind} ${count}`)
  if (all.length > 0)
    return `Of the others, ${all.length} ${all.length === 1 ? 'has' : 'have'} all words (${kinds.join(', ')}).`
  const missing = found.unknownTerms.filter((term) => !unknownTerms.includes(term))
  return missing.length === 0 ? undefined : `The others have ${missing.map((term) => JSON.stringify(term)).join(', ')}.`
}
