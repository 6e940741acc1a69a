/** A text as it is searched. */
interface NormalText {
  text: string
  /** Returns the place in the original text of a place in this one. */
  placeOf: (at: number) => number
}

/**
 * Returns a text in which characters with several spellings have one (NFKC of Unicode Standard Annex 15): `é` may be one character
 * or two, `４２` is 42. Quotation marks, apostrophes and hyphens are those of a keyboard, `İ` is I, and characters that nobody sees
 * within a word are left out.
 */
export function normalizeText(text: string): NormalText {
  if (MARKS.test(text) || (!UNSEEN.test(text) && text.normalize('NFKC') === text))
    return { text: withPlainLetters(text), placeOf: (at) => at }
  const places: number[] = []
  let normal = ''
  for (const { 0: cluster, index } of text.matchAll(CLUSTER)) {
    const one = UNSEEN.test(cluster) ? '' : withPlainLetters(cluster.normalize('NFKC'))
    normal += one
    for (let at = 0; at < one.length; at++) places.push(index)
  }
  return { text: normal, placeOf: (at) => places[at] ?? text.length }
}

/** Soft hyphens, and spaces and joiners without width. */
const UNSEEN = /[\u00AD\u200B-\u200D\u2060\uFEFF]/

/** Turkish writes a capital i with its dot: in lower case, it would be two characters. */
const withPlainLetters = (text: string): string => withPlainMarks(text).replaceAll('\u0130', 'I')

/** Returns a text of the same length in which typographic marks are those of a keyboard: programs write them in what a user types. */
export const withPlainMarks = (text: string): string =>
  text.replace(TYPOGRAPHIC, (mark) => (DOUBLE_MARKS.has(mark) ? '"' : HYPHENS.has(mark) ? '-' : "'"))

const DOUBLE_MARKS = new Set('“”„‟')
const HYPHENS = new Set('\u2010\u2011')

/** Quotation marks and apostrophes (`‘’‚‛“”„‟`, U+02BC), and hyphens at which a line may or may not be broken. */
const TYPOGRAPHIC = /[\u02BC\u2010\u2011\u2018-\u201F]/g

/** No writing has so many marks in a row (Annex 15, stream-safe text), and sorting them takes time that grows with their square. */
const MARKS = /[\p{M}\uFF9E\uFF9F]{31}/u

/** Sequences that may be one character after it: a syllable of Hangul in parts, or a character with its marks (also of half-width Katakana). */
const CLUSTER = /[\u1100-\u115F][\u1160-\u11A7]*[\u11A8-\u11FF]*|[^][\p{M}\uFF9E\uFF9F]*/gu

/** Returns a text in lower case with the same length, so that a place in it is the same place in the text. */
export function foldCase(text: string): string {
  const lower = text.toLowerCase()
  if (lower.length === text.length) return lower
  return Array.from(text, (character) => {
    const one = character.toLowerCase()
    return one.length === character.length ? one : character
  }).join('')
}
