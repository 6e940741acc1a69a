import { countedUnits } from '../text/numbers.ts'
import { countWhole } from './count-units.ts'
import type { RecalledPassage } from './passage.ts'
import type { SearchQuery } from './query.ts'
import { searchPassages, type RankedHits } from './rank.ts'

/**
 * Says what of a query the filters have left out; undefined if it is nothing that is missing. Without this, a filter that is too narrow
 * would prove that something never happened.
 * @param found what passes the filters
 */
export function describeBeyond(
  found: RankedHits,
  { passages, query }: { passages: readonly RecalledPassage[]; query: SearchQuery },
): string | undefined {
  if (found.hits.some(({ isInWhole }) => isInWhole)) return undefined
  const { hits, unknownTerms } = searchPassages(passages, query)
  const { all, byKind } = countWhole(hits)
  const kinds = Object.entries(byKind).map(([kind, count]) => `${kind} ${count}`)
  const detail = kinds.length === 0 ? '' : ` (${kinds.join(', ')})`
  if (all > 0) return `Without filters, ${countedUnits(all)} ${all === 1 ? 'has' : 'have'} all words${detail}.`
  const missing = found.unknownTerms.filter((term) => !unknownTerms.includes(term))
  return missing.length === 0
    ? undefined
    : `Without filters, there is ${missing.map((term) => JSON.stringify(term)).join(', ')}.`
}
