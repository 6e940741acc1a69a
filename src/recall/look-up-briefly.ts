import { estimateTextTokens } from '../tokens/estimate-tokens.ts'
import { briefly, excerptsOf, shortExcerptsOf, whole } from './excerpts.ts'
import type { Lookup } from './lookup.ts'
import { olderPlaces, type Group } from './near-copies.ts'
import { endsWithOutcome, outcomeExcerpts } from './outcome-excerpts.ts'
import type { RecalledPassage } from './passage.ts'
import { worthOf, type Hit } from './rank.ts'
import { findGroups, type Found, type SearchedSession } from './search-session.ts'
import type { Excerpt } from './text-spans.ts'

/** A passage as a model reads it: what it asked for, and little around it. */
export interface BriefPassage {
  passage: RecalledPassage
  /** The shown part of it, in its order. */
  pieces: readonly Excerpt[]
  /** What came of a call whose output is not shown beside it: parts of `passage.outcome`. */
  outcome: readonly Excerpt[]
  /** The places of older entries that say nearly the same. */
  copies: readonly number[]
}

export interface BriefReply extends Omit<Found, 'groups'> {
  passages: readonly BriefPassage[]
  /** How many there are on all pages. */
  total: number
  nextOffset?: number
  /** Whether the passages of the next pages match much less than the best. */
  areOthersWorse: boolean
}

/** The most that a reply has. */
interface BriefRoom {
  maxTokens: number
  maxPassages: number
}

/** The room that the line above a passage takes. */
const HEAD_TOKENS = 25

/** The first passages have more room: they answer most questions. */
const FIRST_PASSAGES = 3

/**
 * Returns what a look-up finds, as briefly as a reader needs it: of a long passage what is around the matches, and of the neighbours
 * of entries their beginnings and ends. @throws Problem `invalid-request`
 */
export function lookUpBriefly(session: SearchedSession, lookup: Lookup & BriefRoom): BriefReply {
  const { groups, ...found } = findGroups(session, lookup)
  const { offset = 0, maxTokens, maxPassages } = lookup
  const piecesOf = choosePieces(session, lookup)
  const isList = lookup.entryIds === undefined && (lookup.query ?? '').trim() === ''
  const wanted = (isList ? withoutOutputs(groups) : groups).filter(({ hit }) => piecesOf(hit, 0).length > 0)
  const isWorse = findWorse(wanted, lookup)
  const passages: BriefPassage[] = []
  let [left, areOthersWorse] = [maxTokens, false]
  for (const [at, group] of wanted.slice(offset).entries()) {
    if (at === maxPassages) break
    const { hit } = group
    const [pieces, outcome] = [piecesOf(hit, offset + at), outcomeExcerpts(hit.passage)]
    left -= [...pieces, ...outcome].reduce((sum, { text }) => sum + estimateTextTokens(text), HEAD_TOKENS)
    areOthersWorse = isWorse(hit, at)
    if ((left < 0 && passages.length > 0) || areOthersWorse) break
    passages.push({ passage: hit.passage, pieces, outcome, copies: olderPlaces(group) })
  }
  const next = offset + passages.length
  return {
    ...found,
    passages: withoutShown(passages),
    areOthersWorse,
    total: wanted.length,
    ...(next < wanted.length && { nextOffset: next }),
  }
}

/** Returns passages without outputs whose calls are among them: who lists calls wants to know what came of each, and not all of it. */
function withoutOutputs(groups: readonly Group[]): readonly Group[] {
  const called = new Set(groups.flatMap(({ hit: { passage } }) => (passage.outcome === undefined ? [] : passage.unit)))
  return groups.filter(({ hit: { passage } }) => {
    const isOutput = passage.outcome === undefined && passage.kinds.includes('output')
    return !isOutput || !called.has(passage.unit)
  })
}

/** Returns passages without what came of a call where its output stands beside it. */
function withoutShown(passages: readonly BriefPassage[]): BriefPassage[] {
  const shown = passages.map(({ passage }) => passage)
  return passages.map((one, at) => (endsWithOutcome(shown, at) ? one : { ...one, outcome: [] }))
}

/** So many passages are shown, however much worse than the best they are. */
const LEAST_PASSAGES = 4

/** The share of the worth of the best passage from which on others are on the first page; more if only the best has all words. */
const LEAST_SHARE = 0.4
const LEAST_SHARE_BESIDE_ALL = 0.5

/** Returns whether a passage matches so much less than the best that it waits for the next page: who asks for that gets all. */
function findWorse(
  [best]: readonly Group[],
  { query = '', order = 'relevance', offset = 0 }: Lookup,
): (hit: Hit, at: number) => boolean {
  if (best === undefined || query.trim() === '' || order !== 'relevance' || offset > 0) return () => false
  const { hit: first } = best
  return (hit, at) =>
    at >= LEAST_PASSAGES &&
    worthOf(hit) < worthOf(first) * (first.hasAll && !hit.hasAll ? LEAST_SHARE_BESIDE_ALL : LEAST_SHARE)
}

/** Returns what chooses the pieces of a passage, by its number: entries that were asked for are whole. */
function choosePieces(
  { timeline }: SearchedSession,
  { entryIds, around = 0 }: Lookup,
): (hit: Hit, at: number) => readonly Excerpt[] {
  if (entryIds === undefined) return (hit, at) => (at < FIRST_PASSAGES ? excerptsOf(hit) : shortExcerptsOf(hit))
  if (around === 0) return ({ passage }) => whole(passage)
  const asked = timeline.placesOf(entryIds, 0)
  return ({ passage }) => (passage.places.some((place) => asked.has(place)) ? whole(passage) : briefly(passage))
}
