import { countUnits } from './count-units.ts'
import type { RecalledPassage } from './passage.ts'
import type { SearchQuery } from './query.ts'
import { searchPassages, type RankedHits } from './rank.ts'

/**
 * Says what of a query is in the passages that filters leave out; undefined if it is nothing that is missing. Without this, a filter
 * that is too narrow would prove that something never happened.
 * @param found what passes the filters
 */
export function describeBeyond(
  found: RankedHits,
  { others, query }: { others: readonly RecalledPassage[]; query: SearchQuery },
): string | undefined {
  if (others.length === 0 || found.hits.some(({ isInWhole }) => isInWhole)) return undefined
  const { hits, unknownTerms } = searchPassages(others, query)
  const { all, byKind } = countUnits(hits.filter(({ isInWhole }) => isInWhole))
  const kinds = Object.entries(byKind).map(([kind, count]) => `${kind} ${count}`)
  if (all > 0) return `Of the others, ${all} ${all === 1 ? 'has' : 'have'} all words (${kinds.join(', ')}).`
  const missing = found.unknownTerms.filter((term) => !unknownTerms.includes(term))
  return missing.length === 0 ? undefined : `The others have ${missing.map((term) => JSON.stringify(term)).join(', ')}.`
}
