import type { RecallKind } from '../schemas/recall-kinds.ts'
import type { RecallReply } from '../schemas/recall.ts'
import { defined } from '../text/defined.ts'
import { groupCopies } from './near-copies.ts'
import type { RecalledPassage } from './passage.ts'
import { describePassage, fitRoom } from './present.ts'
import { MAX_PHRASES, MAX_TERMS, parseQuery } from './query.ts'
import { searchPassages, type Hit } from './rank.ts'
import type { Timeline } from './timeline.ts'

/** A request to look passages up. */
export interface Lookup {
  query?: string | undefined
  entryIds?: readonly string[] | undefined
  around?: number | undefined
  kinds?: readonly RecallKind[] | undefined
  tool?: string | undefined
  path?: string | undefined
  before?: string | undefined
  after?: string | undefined
  order?: 'relevance' | 'oldest' | 'newest' | undefined
  scope?: 'replaced' | 'all' | undefined
  maxTokens?: number | undefined
  offset?: number | undefined
}

/** A session as it is searched, without secrets. */
export interface SearchedSession {
  /** The ids of its entries. */
  ids: readonly string[]
  passages: readonly RecalledPassage[]
  timeline: Timeline
}

const DEFAULT_TOKENS = 2000

/** Returns the passages of a session that a look-up asks for. @throws Problem `invalid-request` for an unknown entry or moment */
export function searchSessionFor(
  { ids, passages, timeline }: SearchedSession,
  lookup: Lookup,
): Omit<RecallReply, 'report'> {
  const { scope, note } = chooseScope(timeline, lookup)
  const filters = filtersOf(timeline, lookup)
  const isSearched = (place: number): boolean => scope === 'all' || timeline.isReplaced(place)
  const searched = passages.filter(
    (passage) => isSearched(passage.places[0] ?? 0) && filters.every((is) => is(passage)),
  )
  const query = parseQuery(lookup.query ?? '')
  const notes = [note, query.isCut ? CUT_QUERY : undefined].filter((one) => one !== undefined)
  const hasQuery = query.terms.length + query.phrases.length > 0
  const { hits, unknownTerms } = hasQuery
    ? searchPassages(searched, query)
    : { hits: searched.map(asHit), unknownTerms: [] }
  const ordered = order(
    hits,
    lookup.order ?? (hasQuery ? 'relevance' : lookup.entryIds === undefined ? 'newest' : 'oldest'),
  )
  const groups = lookup.entryIds === undefined ? groupCopies(ordered) : ordered.map((hit) => ({ hit, copies: [] }))
  const shown = fitRoom(groups, { ids, offset: lookup.offset ?? 0, maxTokens: lookup.maxTokens ?? DEFAULT_TOKENS })
  return {
    passages: shown.groups.map((group) => describePassage(group, ids, timeline)),
    matches: count(hits),
    unknownTerms,
    scope,
    searched: { entries: ids.filter((_id, place) => isSearched(place)).length, ...noteOf(notes) },
    truncated: shown.nextOffset !== undefined,
    ...defined({ nextOffset: shown.nextOffset }),
  }
}

const CUT_QUERY = `Only the first ${MAX_TERMS} words and ${MAX_PHRASES} phrases of the query were looked up.`

const noteOf = (notes: readonly string[]): { note?: string } => (notes.length === 0 ? {} : { note: notes.join(' ') })

const asHit = (passage: RecalledPassage): Hit => ({
  passage,
  matches: { terms: new Map(), phrases: [] },
  hasAll: true,
  score: 0,
})

function chooseScope(
  timeline: Timeline,
  { scope = 'replaced', entryIds }: Lookup,
): { scope: 'replaced' | 'all'; note?: string } {
  if (scope === 'all' || entryIds !== undefined) return { scope: 'all' }
  return timeline.hasReplaced
    ? { scope }
    : { scope: 'all', note: 'Nothing of this session was replaced yet: all of it was searched.' }
}

type Filter = (passage: RecalledPassage) => boolean

function filtersOf(timeline: Timeline, { entryIds, around = 0, kinds, tool, path, before, after }: Lookup): Filter[] {
  const filters: Filter[] = []
  if (entryIds !== undefined) {
    const places = timeline.placesOf(entryIds, around)
    filters.push((passage) => passage.places.some((place) => places.has(place)))
  }
  // Both may be as long as a request.
  const [wanted, name] = [new Set(kinds), tool?.toLowerCase()]
  if (kinds !== undefined) filters.push((passage) => passage.kinds.some((kind) => wanted.has(kind)))
  if (name !== undefined) filters.push((passage) => passage.tool?.toLowerCase() === name)
  if (path !== undefined) filters.push(({ paths = [] }) => paths.some((one) => one.includes(path)))
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

/** How much more a passage with all words is worth. */
const ALL_WORDS = 1.25

function order(hits: readonly Hit[], by: NonNullable<Lookup['order']>): readonly Hit[] {
  const worth = ({ score, hasAll }: Hit): number => score * (hasAll ? ALL_WORDS : 1)
  if (by === 'relevance') return hits.toSorted((a, b) => worth(b) - worth(a))
  // In the order of time, a passage with one common word of many would be before those that were meant.
  const most = hits.reduce((max, { matches }) => Math.max(max, matches.terms.size), 0)
  const meant = hits.some(({ hasAll }) => hasAll)
    ? hits.filter(({ hasAll }) => hasAll)
    : hits.filter(({ matches }) => matches.terms.size === most)
  return by === 'oldest' ? meant : meant.toReversed()
}

function count(hits: readonly Hit[]): RecallReply['matches'] {
  const all = hits.filter(({ hasAll }) => hasAll)
  return { all: all.length, some: hits.length, allByKind: byKind(all), someByKind: byKind(hits) }
}

function byKind(hits: readonly Hit[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const { passage } of hits) for (const kind of passage.kinds) counts[kind] = (counts[kind] ?? 0) + 1
  return counts
}
