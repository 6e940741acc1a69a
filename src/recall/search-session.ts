import type { RecallKind } from '../schemas/recall-kinds.ts'
import type { RecallReply } from '../schemas/recall.ts'
import { defined } from '../text/defined.ts'
import { counted, countedUnits } from '../text/numbers.ts'
import { describeBeyond } from './beyond-filters.ts'
import { countUnits } from './count-units.ts'
import { groupCopies, type Group } from './near-copies.ts'
import { orderGroups, orderHits, type RecallOrder } from './order-hits.ts'
import type { RecalledPassage } from './passage.ts'
import { presentPassages, fitRoom } from './present.ts'
import { MAX_PHRASES, MAX_TERMS } from './query.ts'
import { searchPassages, type Hit } from './rank.ts'
import { readQuery } from './read-query.ts'
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
  /** The names of its entries (`nameEntries`). */
  ids: readonly string[]
  passages: readonly RecalledPassage[]
  timeline: Timeline
}

const DEFAULT_TOKENS = 2000

/** The result of a look-up. */
export interface Found extends Pick<RecallReply, 'matches' | 'unknownTerms' | 'scope' | 'searched'> {
  groups: readonly Group[]
}

/** Returns the passages of a session that a look-up asks for. @throws Problem `invalid-request` for an unknown entry or moment */
export function searchSessionFor(session: SearchedSession, lookup: Lookup): Omit<RecallReply, 'report'> {
  const { ids, timeline } = session
  const { groups, ...found } = findGroups(session, lookup)
  const shown = fitRoom(groups, { ids, offset: lookup.offset ?? 0, maxTokens: lookup.maxTokens ?? DEFAULT_TOKENS })
  return {
    passages: presentPassages(shown.groups, { ids, timeline }),
    ...found,
    searched: { ...found.searched, ...noteOf([found.searched.note, noteOfOffset(groups.length, lookup)]) },
    truncated: shown.nextOffset !== undefined,
    ...defined({ nextOffset: shown.nextOffset }),
  }
}

/** Returns all that a look-up finds, in the order that it asks for. @throws Problem `invalid-request` for an unknown entry or moment */
export function findGroups({ ids, passages, timeline }: SearchedSession, lookup: Lookup): Found {
  const { scope, note } = chooseScope(timeline, lookup)
  const filters = filtersOf(timeline, lookup)
  const isSearched = (place: number): boolean => scope === 'all' || timeline.isReplaced(place)
  const inScope = passages.filter(({ places: [place = 0] }) => isSearched(place))
  const passes = (passage: RecalledPassage): boolean => filters.every((is) => is(passage))
  const searched = inScope.filter(passes)
  const query = readQuery(lookup.query ?? '')
  const hasQuery = query.terms.length + query.phrases.length > 0
  const found = hasQuery ? searchPassages(searched, query) : { hits: searched.map(asHit), unknownTerms: [] }
  const { hits, unknownTerms } = found
  const isNarrow = hasQuery && searched.length < inScope.length
  const notes = [
    ...[note, noteOfFilters(lookup, hasQuery, countUnits(searched.map((passage) => ({ passage }))).all)],
    isNarrow ? describeBeyond(found, { others: inScope.filter((one) => !passes(one)), query }) : undefined,
    query.isCut ? CUT_QUERY : undefined,
  ]
  const areShown = !hasQuery && lookup.entryIds !== undefined
  const by: RecallOrder = lookup.order ?? (hasQuery ? 'relevance' : areShown ? 'oldest' : 'newest')
  const ordered = orderHits(hits, by)
  return {
    groups: areShown ? ordered.map((hit) => ({ hit, copies: [] })) : orderGroups(groupCopies(ordered), by),
    matches: count(hits),
    // Of an empty set, it would say nothing that a word is nowhere in it.
    unknownTerms: searched.length === 0 ? [] : unknownTerms,
    scope,
    searched: { entries: ids.filter((_id, place) => isSearched(place)).length, ...noteOf(notes) },
  }
}

const CUT_QUERY = `Only the first ${MAX_TERMS} words and ${MAX_PHRASES} phrases of the query were looked up.`

const FILTERS = ['entryIds', 'kinds', 'tool', 'path', 'before', 'after'] as const

/** Says that a word may well occur where a filter did not let it be searched: without this, "occurs nowhere" would be taken for the session. */
function noteOfFilters(lookup: Lookup, hasQuery: boolean, units: number): string | undefined {
  // Without words, entries are not searched but shown.
  const filters = FILTERS.filter((name) => lookup[name] !== undefined && (hasQuery || name !== 'entryIds'))
  const set = filters.map((name) => `\`${name}\``)
  if (set.length === 0) return undefined
  const names = set.join(' and ')
  if (units === 0) return `No passage passes ${names}.`
  return `Only what passes ${names} was searched: ${countedUnits(units)}.`
}

/** Says that a page is empty because there are fewer passages. */
function noteOfOffset(passages: number, { offset = 0 }: Lookup): string | undefined {
  return offset === 0 || offset < passages
    ? undefined
    : `This look-up finds only ${counted(passages, 'passage')}: lower \`offset\`.`
}

function noteOf(notes: readonly (string | undefined)[]): { note?: string } {
  const note = notes.filter((one) => one !== undefined).join(' ')
  return note === '' ? {} : { note }
}

const asHit = (passage: RecalledPassage): Hit => ({
  passage,
  matches: { terms: new Map(), phrases: new Map() },
  hasAll: true,
  isInWhole: true,
  rarity: 0,
  score: 0,
})

function chooseScope(
  timeline: Timeline,
  { scope = 'replaced', entryIds }: Lookup,
): { scope: 'replaced' | 'all'; note?: string } {
  if (scope === 'all' || entryIds !== undefined) return { scope: 'all' }
  return timeline.hasReplaced ? { scope } : { scope: 'all', note: timeline.hasLeft ? NOTHING_ON_BRANCH : NOTHING }
}

const NOTHING = 'Nothing of this session was replaced yet: all of it was searched.'
const NOTHING_ON_BRANCH = 'Nothing of the active branch was replaced: it and the branches that were left were searched.'

type Filter = (passage: RecalledPassage) => boolean

function filtersOf(timeline: Timeline, { entryIds, around = 0, kinds, tool, path, before, after }: Lookup): Filter[] {
  const filters: Filter[] = []
  if (entryIds !== undefined) {
    const places = timeline.placesOf(entryIds, around)
    filters.push((passage) => passage.places.some((place) => places.has(place)))
  }
  // Both may be as long as a request.
  const [wanted, name, part] = [new Set(kinds), tool?.toLowerCase(), path?.normalize()]
  if (kinds !== undefined) filters.push((passage) => passage.kinds.some((kind) => wanted.has(kind)))
  if (name !== undefined) filters.push((passage) => passage.tool?.toLowerCase() === name)
  if (part !== undefined) filters.push(({ paths = [] }) => paths.some((one) => one.normalize().includes(part)))
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

function count(hits: readonly Hit[]): RecallReply['matches'] {
  const [all, some] = [countUnits(hits.filter(({ isInWhole }) => isInWhole)), countUnits(hits)]
  return { all: all.all, some: some.all, allByKind: all.byKind, someByKind: some.byKind }
}
