import type { RecallKind } from '../schemas/recall-kinds.ts'
import type { Matches } from './find-matches.ts'
import { matchesOfKinds } from './matches-of-kinds.ts'
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

/** Which terms and phrases of a query are there, by their positions in it. */
export interface FoundTerms {
  terms: { has: (index: number) => boolean }
  phrases: { size: number }
}

/** What each message or call has of a query, together and by kind. */
export class UnitMatches {
  readonly #units = new Map<number, UnitParts>()

  /** Adds the matches of a passage. Returns the kinds for which they count. */
  add(passage: RecalledPassage, matches: Matches): RecallKind[] {
    const unit = this.#units.get(passage.unit) ?? { whole: new UnitTerms(), kinds: new Map<RecallKind, UnitTerms>() }
    this.#units.set(passage.unit, unit)
    unit.whole.add(matches)
    return passage.kinds.filter((kind) => {
      const own = matchesOfKinds(passage, matches, [kind])
      if (own === undefined) return false
      const terms = unit.kinds.get(kind) ?? new UnitTerms()
      unit.kinds.set(kind, terms)
      terms.add(own)
      return true
    })
  }

  /** Returns whether a unit has all of a query, and which of its kinds have it alone. */
  whole(unit: number, hasAll: (found: FoundTerms) => boolean): { isInWhole: boolean; wholeKinds: RecallKind[] } {
    const { whole, kinds } = this.#units.get(unit) ?? {}
    if (whole === undefined || !hasAll(whole)) return { isInWhole: false, wholeKinds: [] }
    return { isInWhole: true, wholeKinds: [...(kinds ?? [])].flatMap(([kind, terms]) => (hasAll(terms) ? kind : [])) }
  }
}

interface UnitParts {
  whole: UnitTerms
  kinds: Map<RecallKind, UnitTerms>
}

class UnitTerms implements FoundTerms {
  readonly terms = new Set<number>()
  readonly phrases = new Set<number>()

  add({ terms, phrases }: Matches): void {
    for (const index of terms.keys()) this.terms.add(index)
    for (const index of phrases.keys()) this.phrases.add(index)
  }
}
