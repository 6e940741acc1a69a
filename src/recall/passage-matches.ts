import type { RecallKind } from '../schemas/recall-kinds.ts'
import { findMatches, type Matches } from './find-matches.ts'
import type { RecalledPassage } from './passage.ts'
import type { SearchQuery } from './query.ts'
import { SEAM_CHARACTERS } from './split-whole.ts'

/** Of these kinds, only what was called counts: what it has returned is an `output`. */
const CALLED: ReadonlySet<RecallKind> = new Set(['call', 'edit'])

/**
 * Returns the matches of a passage that count for some of its kinds; undefined if none do. An output is found by its call too, which
 * says what it is the output of. A call is not found by its output: otherwise no search could show that a command was never run.
 */
export function matchesOfKinds(
  { outputAt, lead }: RecalledPassage,
  matches: Matches,
  kinds: readonly RecallKind[],
): Matches | undefined {
  if (outputAt === undefined || !kinds.every((kind) => CALLED.has(kind))) return matches
  const end = outputAt + (lead === '' ? 0 : lead.length + 1)
  const terms = new Map<number, { at: number[]; quality: number }>()
  for (const [index, { at, quality }] of matches.terms) {
    const ofCall = at.filter((place) => place < end)
    if (ofCall.length > 0) terms.set(index, { at: ofCall, quality })
  }
  const phrases = new Map([...matches.phrases].filter(([, place]) => place < end))
  return terms.size + phrases.size === 0 ? undefined : { terms, phrases }
}

/**
 * Returns what a passage has of a query, also where a word or a phrase goes on in the next part; undefined if it has nothing of it.
 * @param text what is searched of the passage
 */
export function matchPassage({ next }: RecalledPassage, text: string, query: SearchQuery): Matches | undefined {
  const matches = findMatches(text, query)
  if (next === undefined || !(query.phrases.length > 0 || isWithinWord(text, next))) return matches
  const tail = text.slice(-SEAM_CHARACTERS)
  const acrossSeam = findMatches(tail + next, query)
  if (acrossSeam === undefined) return matches
  const place = text.length - tail.length
  const terms = new Map(matches?.terms)
  const phrases = new Map(matches?.phrases)
  for (const [index, { at, quality }] of acrossSeam.terms) {
    const begun = at.filter((one) => one < tail.length).map((one) => one + place)
    if (begun.length > 0 && !terms.has(index)) terms.set(index, { at: begun, quality })
  }
  // What the next part has as a whole is found there.
  const inNext = findMatches(next, { terms: [], phrases: query.phrases })?.phrases
  for (const [index, at] of acrossSeam.phrases)
    if (!phrases.has(index) && inNext?.has(index) !== true) phrases.set(index, Math.min(at + place, text.length - 1))
  return terms.size + phrases.size === 0 ? undefined : { terms, phrases }
}

/** A text without spaces, as minified JSON, is cut within words. */
const isWithinWord = (text: string, next: string): boolean => /\S$/.test(text) && /^\S/.test(next)
