import type { RECALL_ORDERS } from '../schemas/recall-kinds.ts'
import type { Group } from './near-copies.ts'
import { worthOf, type Hit } from './rank.ts'

export type RecallOrder = (typeof RECALL_ORDERS)[number]

/** Returns hits in an order. In that of time, a passage with one common word of many would be before those that were meant. */
export function orderHits(hits: readonly Hit[], by: RecallOrder): readonly Hit[] {
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
export function orderGroups(groups: readonly Group[], by: RecallOrder): readonly Group[] {
  const placeOf = ({ hit: { passage } }: Group): number => passage.places[0] ?? 0
  return by === 'oldest' ? groups.toSorted((a, b) => placeOf(a) - placeOf(b)) : groups
}
