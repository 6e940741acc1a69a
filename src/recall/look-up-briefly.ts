import { estimateTextTokens } from '../tokens/estimate-tokens.ts'
import { briefly, excerptsOf, whole, type Excerpt } from './excerpts.ts'
import type { RecalledPassage } from './passage.ts'
import type { Hit } from './rank.ts'
import { findGroups, type Found, type Lookup, type SearchedSession } from './search-session.ts'

/** A passage as a model reads it: what it asked for, and little around it. */
export interface BriefPassage {
  passage: RecalledPassage
  /** The shown part of it, in its order. */
  pieces: readonly Excerpt[]
  /** The places of older entries that say nearly the same. */
  copies: readonly number[]
}

export interface BriefReply extends Omit<Found, 'groups'> {
  passages: readonly BriefPassage[]
  /** How many there are on all pages. */
  total: number
  nextOffset?: number
}

/** The room that the line above a passage takes. */
const HEAD_TOKENS = 25

/**
 * Returns what a look-up finds, as briefly as a reader needs it: of a long passage what is around the matches, and of the neighbours
 * of entries their beginnings and ends. @throws Problem `invalid-request`
 */
export function lookUpBriefly(session: SearchedSession, lookup: Lookup & { maxTokens: number }): BriefReply {
  const { groups, ...found } = findGroups(session, lookup)
  const { offset = 0, maxTokens } = lookup
  const piecesOf = choosePieces(session, lookup)
  const wanted = groups.filter(({ hit }) => piecesOf(hit).length > 0)
  const passages: BriefPassage[] = []
  let left = maxTokens
  for (const { hit, copies } of wanted.slice(offset)) {
    const pieces = piecesOf(hit)
    left -= pieces.reduce((sum, { text }) => sum + estimateTextTokens(text), HEAD_TOKENS)
    if (left < 0 && passages.length > 0) break
    passages.push({ passage: hit.passage, pieces, copies: olderPlaces(hit, copies) })
  }
  const next = offset + passages.length
  return { ...found, passages, total: wanted.length, ...(next < wanted.length && { nextOffset: next }) }
}

/** Returns what chooses the pieces of a passage: entries that were asked for are whole. */
function choosePieces(
  { timeline }: SearchedSession,
  { entryIds, around = 0 }: Lookup,
): (hit: Hit) => readonly Excerpt[] {
  if (entryIds === undefined) return excerptsOf
  if (around === 0) return ({ passage }) => whole(passage)
  const asked = timeline.placesOf(entryIds, 0)
  return ({ passage }) => (passage.places.some((place) => asked.has(place)) ? whole(passage) : briefly(passage))
}

const olderPlaces = ({ passage }: Hit, copies: readonly RecalledPassage[]): number[] => {
  const places = new Set(copies.flatMap(({ places: [place] }) => place ?? []))
  return [...places].filter((place) => !passage.places.includes(place))
}
