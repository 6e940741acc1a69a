import type { RecallKind } from '../schemas/recall-kinds.ts'
import { UnitMatches } from './count-units.ts'
import type { Matches } from './find-matches.ts'
import { matchesOfKinds, matchPassage } from './passage-matches.ts'
import type { RecalledPassage } from './passage.ts'
import type { SearchQuery } from './query.ts'

/** A passage that matches a query. */
export interface Hit {
  passage: RecalledPassage
  matches: Matches
  hasAll: boolean
  /** Whether its message or call has all words and phrases, in any of its passages. */
  isInWhole: boolean
  /** For which of its kinds the matches count. */
  foundKinds: readonly RecallKind[]
  /** Which kinds of its message or call have all words and phrases by themselves. */
  wholeKinds: readonly RecallKind[]
  /** How rare its words are, together. */
  rarity: number
  score: number
}

/** The result of a search. */
export interface RankedHits {
  /** In the order of the session. */
  hits: Hit[]
  /** Words and phrases that are in none of the passages, as the user wrote them. */
  unknownTerms: string[]
}

/**
 * Searches passages for the words of a query, in one pass and without an index: that is faster for one question. Passages are
 * scored by BM25 (Robertson and Zaragoza, "The Probabilistic Relevance Framework", 2009): rare words count more. Words that are
 * near each other count more, too. Phrases narrow the search to passages with one of them; of those that are nowhere, it is only said so.
 * @param wanted the kinds that are looked for; all if it is left out
 */
export function searchPassages(
  passages: readonly RecalledPassage[],
  query: SearchQuery,
  wanted?: ReadonlySet<RecallKind>,
): RankedHits {
  const found: { passage: RecalledPassage; matches: Matches; foundKinds: readonly RecallKind[] }[] = []
  const { bitsOf, hasAll } = bitsIn(query)
  const units = new UnitMatches(bitsOf)
  const inPassages = query.terms.map(() => 0)
  const seenPhrases = new Set<number>()
  let characters = 0
  for (const passage of passages) {
    const text = searchedText(passage)
    characters += text.length
    const matches = matchWanted(passage, matchPassage(passage, text, query), wanted)
    if (matches === undefined) continue
    for (const index of matches.terms.keys()) inPassages[index] = (inPassages[index] ?? 0) + 1
    for (const index of matches.phrases.keys()) seenPhrases.add(index)
    found.push({ passage, matches, foundKinds: units.add(passage, matches) })
  }
  const idf = inPassages.map((count) => Math.log(1 + (passages.length - count + 0.5) / (count + 0.5)))
  const averageCharacters = Math.max(1, characters / Math.max(1, passages.length))
  const meant = seenPhrases.size === 0 ? found : found.filter(({ matches }) => matches.phrases.size > 0)
  const statistics = { query, idf, averageCharacters }
  const hits = meant.map(({ passage, matches, foundKinds }): Hit => {
    const { isInWhole, wholeKinds } = units.whole(passage.unit, hasAll)
    const [rarity, score] = [rarityOf(matches, statistics), scoreOf(passage, matches, statistics)]
    return { passage, matches, hasAll: hasAll(bitsOf(matches)), isInWhole, foundKinds, wholeKinds, rarity, score }
  })
  const unknown = query.terms.filter(({ weight }, index) => weight === 1 && inPassages[index] === 0)
  const unknownPhrases = query.phrases.filter((_phrase, index) => !seenPhrases.has(index))
  return { hits, unknownTerms: [...unknown, ...unknownPhrases].map(({ text }) => text) }
}

/** A bit for each term and phrase of a query, of which there are at most 32. */
interface QueryBits {
  bitsOf: (matches: Matches) => number
  hasAll: (bits: number) => boolean
}

function bitsIn({ terms, phrases }: SearchQuery): QueryBits {
  const join = (ofTerms: Iterable<number>, ofPhrases: Iterable<number>): number => {
    let bits = 0
    for (const index of ofTerms) bits |= 1 << index
    for (const index of ofPhrases) bits |= 1 << (terms.length + index)
    return bits
  }
  const needed = join(
    terms.flatMap(({ weight }, index) => (weight === 1 ? [index] : [])),
    phrases.keys(),
  )
  return {
    bitsOf: (matches) => join(matches.terms.keys(), matches.phrases.keys()),
    hasAll: (bits) => (bits & needed) === needed,
  }
}

const matchWanted = (
  passage: RecalledPassage,
  matches: Matches | undefined,
  wanted: ReadonlySet<RecallKind> | undefined,
): Matches | undefined =>
  matches === undefined || wanted === undefined
    ? matches
    : matchesOfKinds(
        passage,
        matches,
        passage.kinds.filter((kind) => wanted.has(kind)),
      )

/** How much more a passage with all words is worth. */
const ALL_WORDS = 1.25

/** Returns what a hit is worth beside other hits. */
export const worthOf = ({ score, hasAll }: Hit): number => score * (hasAll ? ALL_WORDS : 1)

/** The lead says which call an output belongs to: its words count for each part of the output. */
const searchedText = ({ lead, text }: RecalledPassage): string => (lead === '' ? text : `${lead}\n${text}`)

interface Statistics {
  query: SearchQuery
  idf: readonly number[]
  averageCharacters: number
}

/** The usual parameters of BM25. */
const SATURATION = 1.2
const LENGTH_SHARE = 0.75

/** How much the nearness of all words counts, as a share of their own score. */
const NEARNESS = 0.6
const NEAR_CHARACTERS = 120

/** Some kinds answer a question more often than others: the output of a check repeats the words of the code. */
const KIND_WEIGHTS: Partial<Record<RecallKind, number>> = {
  request: 1.2,
  commit: 1.15,
  edit: 1.1,
  output: 0.85,
  summary: 0.8,
}

function rarityOf({ terms }: Matches, { query, idf }: Statistics): number {
  let sum = 0
  for (const index of terms.keys()) sum += (idf[index] ?? 0) * (query.terms[index]?.weight ?? 0)
  return sum
}

function scoreOf(
  passage: RecalledPassage,
  { terms, phrases }: Matches,
  { query, idf, averageCharacters }: Statistics,
): number {
  const length = (passage.lead.length + passage.text.length) / averageCharacters
  let score = phrases.size
  for (const [index, { at, quality }] of terms) {
    const weight = (idf[index] ?? 0) * (query.terms[index]?.weight ?? 0) * quality
    const norm = SATURATION * (1 - LENGTH_SHARE + LENGTH_SHARE * length)
    score += (weight * at.length * (SATURATION + 1)) / (at.length + norm)
  }
  const span = shortestSpan([...terms.values()].map(({ at }) => at))
  const nearness = terms.size < 2 ? 0 : NEARNESS / (1 + span / NEAR_CHARACTERS)
  return score * (1 + nearness) * (KIND_WEIGHTS[passage.kinds[0]] ?? 1)
}

/** Returns the length of the shortest part of a text that has a place of each list. */
function shortestSpan(lists: readonly (readonly number[])[]): number {
  const places = lists.flatMap((at, list) => at.map((place) => ({ place, list }))).sort((a, b) => a.place - b.place)
  const counts = new Map<number, number>()
  let shortest = Infinity
  let first = 0
  for (const { place, list } of places) {
    counts.set(list, (counts.get(list) ?? 0) + 1)
    while (counts.size === lists.length) {
      const start = places[first]
      if (start === undefined) break
      shortest = Math.min(shortest, place - start.place)
      const left = (counts.get(start.list) ?? 0) - 1
      if (left === 0) counts.delete(start.list)
      else counts.set(start.list, left)
      first += 1
    }
  }
  return shortest
}
