import type { Hit } from './rank.ts'

/** How many messages, summaries and calls there are, and how many of each kind: each counts for all that it is. */
interface UnitCounts {
  all: number
  byKind: Record<string, number>
}

/** Returns how many messages, summaries and calls some hits are of: a long one has several passages, and counts once. */
export function countUnits(hits: readonly Pick<Hit, 'passage'>[]): UnitCounts {
  const kindsOfUnits = new Map<number, Set<string>>()
  for (const { passage } of hits) {
    const kinds = kindsOfUnits.get(passage.unit) ?? new Set()
    kindsOfUnits.set(passage.unit, kinds)
    for (const kind of passage.kinds) kinds.add(kind)
  }
  const byKind: Record<string, number> = {}
  for (const kinds of kindsOfUnits.values()) for (const kind of kinds) byKind[kind] = (byKind[kind] ?? 0) + 1
  return { all: kindsOfUnits.size, byKind }
}
