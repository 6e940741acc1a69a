import { countedUnits } from '../text/numbers.ts'
import { countWhole } from './count-units.ts'
import type { Lookup } from './lookup.ts'
import type { RecalledPassage } from './passage.ts'
import type { SearchQuery } from './query.ts'
import { searchPassages, type RankedHits } from './rank.ts'
import type { Timeline } from './timeline.ts'

type Filter = (passage: RecalledPassage) => boolean

/** Returns what passages must be for a look-up. @throws Problem `invalid-request` for an unknown entry or moment */
export function filtersOf(
  timeline: Timeline,
  { entryIds, around = 0, kinds, tool, path, before, after }: Lookup,
): Filter[] {
  const filters: Filter[] = []
  if (entryIds !== undefined) {
    const places = timeline.placesOf(entryIds, around)
    filters.push((passage) => passage.places.some((place) => places.has(place)))
  }
  // Both may be as long as a request.
  const [wanted, name, part] = [new Set(kinds), tool?.toLowerCase(), path && asComparedPath(path)]
  if (kinds !== undefined) filters.push((passage) => passage.kinds.some((kind) => wanted.has(kind)))
  if (name !== undefined) filters.push((passage) => passage.tool?.toLowerCase() === name)
  if (part !== undefined) filters.push(({ paths = [] }) => paths.some((one) => asComparedPath(one).includes(part)))
  for (const [moment, field] of [
    [before, 'before'],
    [after, 'after'],
  ] as const)
    if (moment !== undefined) {
      const isThere = timeline.readMoment(moment, field)
      filters.push(({ places: [place = 0] }) => isThere(place))
    }
  return filters
}

/** Returns a path as it is compared: neither case nor the direction of slashes counts, since they do not on Windows and macOS. */
const asComparedPath = (path: string): string => path.normalize().toLowerCase().replaceAll('\\', '/')

const FILTERS = ['entryIds', 'kinds', 'tool', 'path', 'before', 'after'] as const

/** Says that a word may well occur where a filter did not let it be searched: without this, "occurs nowhere" would be taken for the session. */
export function noteOfFilters(lookup: Lookup, hasQuery: boolean, units: number): string | undefined {
  // Without words, entries are not searched but shown.
  const filters = FILTERS.filter((name) => lookup[name] !== undefined && (hasQuery || name !== 'entryIds'))
  const set = filters.map((name) => `\`${name}\``)
  if (set.length === 0) return undefined
  const names = set.join(' and ')
  if (units === 0) return `No passage passes ${names}.`
  return `Only what passes ${names} was searched: ${countedUnits(units)}.`
}

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
