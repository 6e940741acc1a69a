import type { RecalledPassage } from './passage.ts'
import type { Hit } from './rank.ts'

/** As many neighbouring words make a shingle (Broder, "On the resemblance and containment of documents", 1997). */
const SHINGLE_WORDS = 4

/** The share of shingles that near copies have in common. */
const MIN_SHARED = 0.7

/** Passages of fewer words are compared as a whole. */
const MIN_WORDS = 8

/** A passage, and older ones that say nearly the same. */
export interface Group {
  hit: Hit
  copies: RecalledPassage[]
}

/** Near copies are looked for among so many passages: later pages show the others as they are. */
const MAX_COMPARED = 400

/** Returns hits with near copies as one: at the place of the best, it is the newest, since that is how things stand. */
export function groupCopies(hits: readonly Hit[]): Group[] {
  const groups: (Group & { shingles: ReadonlySet<string> })[] = []
  for (const hit of hits.slice(0, MAX_COMPARED)) {
    const shingles = shinglesOf(hit.passage.text)
    const group = groups.find((one) => isNear(one.shingles, shingles))
    if (group === undefined) groups.push({ hit, copies: [], shingles })
    else if (placeOf(hit.passage) > placeOf(group.hit.passage)) {
      group.copies.push(group.hit.passage)
      group.hit = hit
    } else group.copies.push(hit.passage)
  }
  return [...groups, ...hits.slice(MAX_COMPARED).map((hit) => ({ hit, copies: [] }))]
}

const placeOf = ({ places }: RecalledPassage): number => places[0] ?? 0

function shinglesOf(text: string): Set<string> {
  const words = text.toLowerCase().match(/[\p{L}\p{N}_]+|[^\s\p{L}\p{N}_]/gu) ?? []
  if (words.length < MIN_WORDS) return new Set([words.join(' ')])
  const shingles = new Set<string>()
  for (let at = 0; at + SHINGLE_WORDS <= words.length; at++) shingles.add(words.slice(at, at + SHINGLE_WORDS).join(' '))
  return shingles
}

function isNear(one: ReadonlySet<string>, other: ReadonlySet<string>): boolean {
  const [small, large] = one.size < other.size ? [one, other] : [other, one]
  if (small.size < large.size * MIN_SHARED) return false
  let shared = 0
  for (const shingle of small) if (large.has(shingle)) shared += 1
  return shared >= large.size * MIN_SHARED
}
