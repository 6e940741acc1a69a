import { foldCase, isUnspaced, normalizeText, type SearchQuery, type Term } from './query.ts'

/** The matches of one term of a query in a text. */
interface TermMatches {
  /** The first places, in UTF-16 units, in ascending order. */
  at: number[]
  /** 1 for whole words, less for words that only begin with the term. */
  quality: number
}

export interface Matches {
  /** By the positions of the terms in the query. */
  terms: ReadonlyMap<number, TermMatches>
  /** Where the text has a phrase, by the positions of the phrases in the query. */
  phrases: ReadonlyMap<number, number>
}

/** More places of one term say nothing new about a passage. */
const MAX_PLACES = 16

const PREFIX_QUALITY = 0.7

/** Returns what a text has of a query; undefined if it has nothing of it. */
export function findMatches(
  original: string,
  { terms, phrases }: Pick<SearchQuery, 'terms' | 'phrases'>,
): Matches | undefined {
  const { text, placeOf } = normalizeText(original)
  const folded = foldCase(text)
  const spaced = phrases.some(({ needle }) => needle.includes(' ')) ? folded.replace(SPACES, ' ') : folded
  const found = new Map<number, number>()
  for (const [index, { needle }] of phrases.entries()) {
    const [at, spacedAt] = [folded.indexOf(needle), spaced.indexOf(needle)]
    if (at >= 0) found.set(index, placeOf(at))
    else if (spacedAt >= 0) found.set(index, placeOf(placeWithSpaces(folded, spacedAt)))
  }
  const matches = new Map<number, TermMatches>()
  for (const [index, term] of terms.entries()) {
    const one = findTerm(term, text, folded)
    if (one !== undefined) matches.set(index, { ...one, at: one.at.map(placeOf) })
  }
  return matches.size === 0 && found.size === 0 ? undefined : { terms: matches, phrases: found }
}

/** Line ends and indentation do not count in a phrase. */
const SPACES = /\s+/g

/** Returns the place in a text of a place in the same text with single spaces. */
function placeWithSpaces(text: string, at: number): number {
  let removed = 0
  for (const { 0: spaces, index } of text.matchAll(SPACES)) {
    if (index - removed >= at) break
    removed += spaces.length - 1
  }
  return at + removed
}

function findTerm({ needles, isPrefix, text: word }: Term, text: string, folded: string): TermMatches | undefined {
  const at: number[] = []
  let quality = 0
  for (const needle of needles) {
    let places = 0
    for (let start = folded.indexOf(needle); start >= 0 && places < MAX_PLACES;) {
      const end = start + needle.length
      if (isBoundary(text, start)) {
        const isWhole = isBoundary(text, end) || (end < start + word.length && isBoundary(text, start + word.length))
        if (isWhole || isPrefix) {
          at.push(start)
          places += 1
          quality = Math.max(quality, isWhole ? 1 : PREFIX_QUALITY)
        }
      }
      start = folded.indexOf(needle, end)
    }
  }
  return at.length === 0 ? undefined : { at: at.sort((a, b) => a - b).slice(0, MAX_PLACES), quality }
}

const LETTER_OR_DIGIT = /[\p{L}\p{N}]/u

/** Whether a word begins or ends at a place: also inside an identifier, as in `parseConfig2` and `IOError`. */
function isBoundary(text: string, at: number): boolean {
  const before = text[at - 1] ?? ''
  const next = text[at] ?? ''
  const [left, right] = [kindOf(before), kindOf(next)]
  if (left === 'other' || right === 'other') return true
  if (left === 'upper' && right === 'upper') return kindOf(text[at + 1] ?? '') === 'lower'
  if (isAscii(before) && isAscii(next)) return left === 'upper' ? right === 'digit' : left !== right
  if (isUnspaced(before) || isUnspaced(next)) return true
  // A name beside a script without cases: Korean particles follow it without a space.
  return (left === 'letter') !== (right === 'letter') || (left !== 'upper' && right === 'upper')
}

const isAscii = (character: string): boolean => character < '\u0080'

type CharacterKind = 'lower' | 'upper' | 'digit' | 'letter' | 'other'

/** A letter of a script without cases is `letter`. */
const kindOf = (character: string): CharacterKind => {
  if (character >= 'a' && character <= 'z') return 'lower'
  if (character >= 'A' && character <= 'Z') return 'upper'
  if (character >= '0' && character <= '9') return 'digit'
  if (isAscii(character) || !LETTER_OR_DIGIT.test(character)) return 'other'
  if (character !== character.toLowerCase()) return 'upper'
  return character === character.toUpperCase() ? 'letter' : 'lower'
}
