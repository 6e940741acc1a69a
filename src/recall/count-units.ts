import type { RecallKind } from '../schemas/recall-kinds.ts'
import type { Matches } from './find-matches.ts'
import { matchesOfKinds } from './passage-matches.ts'
import type { RecalledPassage } from './passage.ts'

/** How many messages, summaries and calls there are, and how many of each kind: each counts for all that it is. */
interface UnitCounts {
  all: number
  byKind: Record<string, number>
}

/** What a hit says about its unit. */
interface CountedHit {
  passage: Pick<RecalledPassage, 'unit'>
  isInWhole: boolean
  foundKinds: readonly RecallKind[]
  wholeKinds: readonly RecallKind[]
}

/** Returns how many messages, summaries and calls have at least something of a query. */
export const countSome = (hits: readonly CountedHit[]): UnitCounts =>
  countUnits(hits.map(({ passage: { unit }, foundKinds: kinds }) => ({ unit, kinds })))

/** Returns how many have all of it; of each kind, how many have all of it in what is of this kind. */
export const countWhole = (hits: readonly CountedHit[]): UnitCounts =>
  countUnits(hits.flatMap(({ passage: { unit }, isInWhole, wholeKinds: kinds }) => (isInWhole ? { unit, kinds } : [])))

/** Returns how many messages, summaries and calls some passages are of: a long one has several passages, and counts once. */
export function countUnits(passages: readonly { unit: number; kinds: readonly RecallKind[] }[]): UnitCounts {
  const kindsOfUnits = new Map<number, Set<RecallKind>>()
  for (const { unit, kinds } of passages) {
    const known = kindsOfUnits.get(unit) ?? new Set()
    kindsOfUnits.set(unit, known)
    for (const kind of kinds) known.add(kind)
  }
  const byKind: Record<string, number> = {}
  for (const kinds of kindsOfUnits.values()) for (const kind of kinds) byKind[kind] = (byKind[kind] ?? 0) + 1
  return { all: kindsOfUnits.size, byKind }
}

/**
 * What each message or call has of a query, together and by kind: of each a bit for each term and phrase, since a large session has more
 * than a hundred thousand of them.
 */
export class UnitMatches {
  readonly #units = new Map<number, UnitBits>()
  readonly #bitsOf: (matches: Matches) => number

  constructor(bitsOf: (matches: Matches) => number) {
    this.#bitsOf = bitsOf
  }

  /** Adds the matches of a passage. Returns the kinds for which they count. */
  add(passage: RecalledPassage, matches: Matches): readonly RecallKind[] {
    const unit = this.#units.get(passage.unit) ?? { whole: 0, kinds: [], ofKinds: [] }
    this.#units.set(passage.unit, unit)
    unit.whole |= this.#bitsOf(matches)
    const found = passage.kinds.filter((kind) => {
      const own = matchesOfKinds(passage, matches, [kind])
      if (own === undefined) return false
      const known = unit.kinds.indexOf(kind)
      const at = known < 0 ? unit.kinds.push(kind) - 1 : known
      unit.ofKinds[at] = (unit.ofKinds[at] ?? 0) | this.#bitsOf(own)
      return true
    })
    // A large session has tens of thousands of hits: equal lists are one.
    return found.length === passage.kinds.length ? passage.kinds : found
  }

  /** Returns whether a unit has all of a query, and which of its kinds have it alone. */
  whole(unit: number, hasAll: (bits: number) => boolean): { isInWhole: boolean; wholeKinds: readonly RecallKind[] } {
    const bits = this.#units.get(unit)
    if (bits === undefined || !hasAll(bits.whole)) return NOT_WHOLE
    const kinds = bits.kinds.filter((_kind, at) => hasAll(bits.ofKinds[at] ?? 0))
    return { isInWhole: true, wholeKinds: kinds.length === bits.kinds.length ? bits.kinds : kinds }
  }
}

interface UnitBits {
  whole: number
  kinds: RecallKind[]
  /** In the order of `kinds`. */
  ofKinds: number[]
}

const NOT_WHOLE = { isInWhole: false, wholeKinds: [] }
