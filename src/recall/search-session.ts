import { Problem } from '../errors.ts'
import type { RECALL_ORDERS } from '../schemas/recall-kinds.ts'
import type { RecallReply } from '../schemas/recall.ts'
import { defined } from '../text/defined.ts'
import { counted } from '../text/numbers.ts'
import { countSome, countUnits, countWhole } from './count-units.ts'
import { describeBeyond, filtersOf, noteOfFilters } from './filters.ts'
import type { Lookup } from './lookup.ts'
import { groupCopies, type Group } from './near-copies.ts'
import type { RecalledPassage } from './passage.ts'
import { fitRoom, presentPassages } from './present.ts'
import { MAX_PHRASES, MAX_TERMS, parseQuery, type SearchQuery } from './query.ts'
import { searchPassages, worthOf, type Hit } from './rank.ts'
import type { Timeline } from './timeline.ts'

/** A session as it is searched, without secrets. */
export interface SearchedSession {
  /** The names of its entries (`nameEntries`). */
  ids: readonly string[]
  passages: readonly RecalledPassage[]
  timeline: Timeline
  /** Whether an entry is a look-up in a session, or its result: these have no passages. */
  isLookup: (place: number) => boolean
}

const DEFAULT_TOKENS = 2000

/** The result of a look-up. */
export interface Found extends Pick<RecallReply, 'matches' | 'unknownTerms' | 'scope' | 'searched'> {
  groups: readonly Group[]
  /** What of the query filters have left out. */
  beyond?: string
}

/** Returns the passages of a session that a look-up asks for. @throws Problem `invalid-request` for an unknown entry or moment */
export function searchSessionFor(session: SearchedSession, lookup: Lookup): Omit<RecallReply, 'report'> {
  const { ids, timeline } = session
  const { groups, beyond, ...found } = findGroups(session, lookup)
  const shown = fitRoom(groups, { ids, offset: lookup.offset ?? 0, maxTokens: lookup.maxTokens ?? DEFAULT_TOKENS })
  return {
    passages: presentPassages(shown.groups, { ids, timeline }),
    ...found,
    searched: { ...found.searched, ...noteOf([found.searched.note, beyond, noteOfOffset(groups.length, lookup)]) },
    truncated: shown.nextOffset !== undefined,
    ...defined({ nextOffset: shown.nextOffset }),
  }
}

/** Returns all that a look-up finds, in the order that it asks for. @throws Problem `invalid-request` for an unknown entry or moment */
export function findGroups(session: SearchedSession, lookup: Lookup): Found {
  const { ids, passages, timeline } = session
  const { scope, note } = chooseScope(timeline, lookup)
  const filters = filtersOf(timeline, lookup)
  const isSearched = (place: number): boolean => scope === 'all' || timeline.isReplaced(place)
  // The agent has never seen the work of its sub-agents.
  const inScope = passages.filter(({ places: [place = 0], isSideChain = false }) => isSideChain || isSearched(place))
  const searched = inScope.filter((passage) => filters.every((is) => is(passage)))
  const query = readQuery(lookup.query ?? '')
  const hasQuery = query.terms.length + query.phrases.length > 0
  const wanted = lookup.kinds && new Set(lookup.kinds)
  const found = hasQuery ? searchPassages(searched, query, wanted) : { hits: searched.map(asHit), unknownTerms: [] }
  const { hits, unknownTerms } = found
  const isNarrow = hasQuery && (searched.length < inScope.length || wanted !== undefined)
  const notes = [
    ...[note, noteOfFilters(lookup, hasQuery, countUnits(searched).all)],
    query.isCut ? CUT_QUERY : undefined,
    hasQuery ? noteOfSubAgents(session) : noteOfLookups(session, lookup),
  ]
  const beyond = isNarrow ? describeBeyond(found, { passages: inScope, query }) : undefined
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
    ...defined({ beyond }),
  }
}

const CUT_QUERY = `Only the first ${MAX_TERMS} words and ${MAX_PHRASES} phrases of the query were looked up.`

/** Says that entries which were asked for are look-ups themselves. */
function noteOfLookups({ timeline, isLookup }: SearchedSession, { entryIds = [] }: Lookup): string | undefined {
  const count = [...timeline.placesOf(entryIds, 0)].filter(isLookup).length
  if (count === 0) return undefined
  const some =
    count === 1 ? 'One of these entries is a look-up itself' : `${count} of these entries are look-ups themselves`
  return `${some}, or the result of one: these are left out.`
}

/** Says that the work of sub-agents may be in sessions of their own: without this, its words would be said to be nowhere. */
const noteOfSubAgents = ({ passages }: SearchedSession): string | undefined =>
  passages.some(({ tool }) => tool !== undefined && SUB_AGENT_TOOLS.has(tool)) ? SUB_AGENTS : undefined

/** Tools that start sub-agents: those of Claude Code (the first one up to 2.0), and that of opencode. */
const SUB_AGENT_TOOLS = new Set(['Task', 'Agent', 'task'])
const SUB_AGENTS =
  'Of the work of sub-agents, only what this session has was searched: sessions of their own were not read.'

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
  foundKinds: passage.kinds,
  wholeKinds: passage.kinds,
  rarity: 0,
  score: 0,
})

function chooseScope(
  timeline: Timeline,
  { scope = 'replaced', entryIds }: Lookup,
): { scope: 'replaced' | 'all'; note?: string } {
  if (scope === 'all' || entryIds !== undefined) return { scope: 'all' }
  if (timeline.hasReplacedMessages) return { scope }
  if (timeline.hasCompactions) return { scope: 'all', note: NOT_SENT }
  return { scope: 'all', note: timeline.hasLeft ? NOTHING_ON_BRANCH : NOTHING }
}

const NOTHING = 'Nothing of this session was replaced yet: all of it was searched.'
const NOTHING_ON_BRANCH = 'Nothing of the active branch was replaced: it and the branches that were left were searched.'
const NOT_SENT =
  'What the summary has replaced is not in this session: only the rest was searched. Look it up in the messages as they were before the compaction.'

function count(hits: readonly Hit[]): RecallReply['matches'] {
  const [all, some] = [countWhole(hits), countSome(hits)]
  return { all: all.all, some: some.all, allByKind: all.byKind, someByKind: some.byKind }
}

/** Reads the query of a look-up; an empty one asks for no words. @throws Problem `invalid-request` for one that has only punctuation */
function readQuery(query: string): SearchQuery {
  const parsed = parseQuery(query)
  if (query.trim() === '' || parsed.terms.length + parsed.phrases.length > 0) return parsed
  throw new Problem('invalid-request', 'The query has no words.', {
    faults: [{ pointer: '/query', detail: 'must have a word; signs can be looked up in double quotes' }],
  })
}

type RecallOrder = (typeof RECALL_ORDERS)[number]

/** Returns hits in an order. In that of time, a passage with one common word of many would be before those that were meant. */
function orderHits(hits: readonly Hit[], by: RecallOrder): readonly Hit[] {
  if (by === 'relevance') return bestFirst(hits)
  const meant = findMeant(hits)
  return by === 'oldest' ? meant : meant.toReversed()
}

/** Tens of thousands of hits are sorted twice as fast by numbers in a row as by those in the hits. */
function bestFirst(hits: readonly Hit[]): Hit[] {
  const worths = Float64Array.from(hits, worthOf)
  const order = Uint32Array.from(hits.keys()).sort((a, b) => (worths[b] ?? 0) - (worths[a] ?? 0))
  return Array.from(order, (at) => hits[at]).filter((hit) => hit !== undefined)
}

/** Passages with so much of the rarity of the rarest are meant, if none has all words. */
const LEAST_SHARE = 0.6

/**
 * Returns the hits with all words. If only summaries have them, the words are about several things, and what was done with each is
 * meant.
 */
function findMeant(hits: readonly Hit[]): readonly Hit[] {
  const all = hits.filter(({ hasAll }) => hasAll)
  const others = hits.filter((hit) => !isSummary(hit))
  if (others.length === 0 || others.some(({ hasAll }) => hasAll)) return all.length > 0 ? all : hits
  const least = LEAST_SHARE * others.reduce((most, { rarity }) => Math.max(most, rarity), 0)
  return hits.filter((hit) => hit.hasAll || hit.rarity >= least)
}

const isSummary = ({ passage: { kinds } }: Hit): boolean => kinds[0] === 'summary'

/** A group is where its newest passage is: with the oldest first, it was found at its oldest one. */
function orderGroups(groups: readonly Group[], by: RecallOrder): readonly Group[] {
  const placeOf = ({ hit: { passage } }: Group): number => passage.places[0] ?? 0
  return by === 'oldest' ? groups.toSorted((a, b) => placeOf(a) - placeOf(b)) : groups
}
