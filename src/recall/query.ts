/** A word of a query. */
export interface Term {
  /** As the user wrote it. */
  text: string
  /** Its spellings in texts, in lower case. */
  needles: readonly string[]
  /** Whether a longer word that begins with a needle counts too. */
  isPrefix: boolean
  /** Less than 1 for a part of a word: it ranks passages, and no passage needs it. */
  weight: number
}

export interface SearchQuery {
  terms: readonly Term[]
  /** In lower case, with single spaces. */
  phrases: readonly { text: string; needle: string }[]
  /** Whether the query has more words or phrases than these. */
  isCut: boolean
}

/** More words than a person remembers; each one costs a pass over the session. Together with phrases at most 32 (rank.ts). */
export const MAX_TERMS = 24
export const MAX_PHRASES = 8

const PART_WEIGHT = 0.3

/** Reads a query: words, and phrases in double quotes. */
export function parseQuery(query: string): SearchQuery {
  const phrases: SearchQuery['phrases'][number][] = []
  const rest = query.replace(QUOTED, (whole) => {
    const needle = foldCase(normalizeText(whole.slice(1, -1)).text.replace(/\s+/g, ' ').trim())
    if (needle !== '') phrases.push({ text: needle, needle })
    return ' '
  })
  const written = normalizeText(rest).text.split(/[\s"«»]+/)
  const words = [...new Set(written.map(withoutPunctuation))].filter((word) => word !== '')
  const all = words.flatMap(termsOf)
  const [whole, parts] = [all.filter(({ weight }) => weight === 1), all.filter(({ weight }) => weight < 1)]
  // The parts of a word must not take the place of another word.
  return {
    terms: withoutRepeated([...whole, ...parts]).slice(0, MAX_TERMS),
    phrases: phrases.slice(0, MAX_PHRASES),
    isCut: withoutRepeated(whole).length > MAX_TERMS || phrases.length > MAX_PHRASES,
  }
}

/** Text in double quotes: also those of a program that writes typographic ones, and of German and French. */
const QUOTED = /“[^“”]*”|„[^„“”]*[“”]|«[^«»]*»|["“＂][^"“”＂]*["”＂]/g

/** Marks around a word belong to the sentence of the query. */
const withoutPunctuation = (word: string): string => word.replace(/^[,;:!?()]{1,9}|(?<![,;:!?().])[,;:!?().]+$/g, '')

function termsOf(word: string): Term[] {
  const folded = foldCase(word)
  const parts = partsOf(word).map(foldCase)
  if (isUnspaced(word) && word.length > 2) return [plain(word, [folded]), ...pairsOf(folded)]
  if (parts.length < 2) return [plain(word, [stemOf(folded)])]
  const spellings = SEPARATORS.map((separator) => parts.join(separator))
  return [
    plain(word, [...new Set([folded, ...spellings])]),
    ...parts
      .filter((part) => part.length > 2)
      .map((part): Term => ({ text: part, needles: [part], isPrefix: true, weight: PART_WEIGHT })),
  ]
}

const plain = (text: string, needles: readonly string[]): Term => ({
  text,
  needles: [...new Set(needles.flatMap(withSharpS))],
  // One letter begins too many words; a syllable is a word, and has its particle behind it.
  isPrefix: text.length > 1 || /\p{sc=Hangul}/u.test(text),
  weight: 1,
})

/** Returns a word in its spellings with `ß` and with `ss`: both are `SS` in capitals. */
const withSharpS = (word: string): string[] => [word, word.replaceAll('ß', 'ss'), word.replaceAll('ss', 'ß')]

/** Between the parts of a name, in another language or another place: `parseConfig`, `parse_config`, `parse config`. */
const SEPARATORS = ['', '_', '-', ' ', '.', '/']

/** Returns the parts of an identifier or a path. */
function partsOf(word: string): string[] {
  return word
    .replace(/(\p{Ll}|\p{N})(\p{Lu})/gu, '$1 $2')
    .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1 $2')
    .split(/[^\p{L}\p{N}\p{M}]+/u)
    .filter((part) => part !== '')
}

/** Returns whether a text is in scripts without spaces between words. */
export const isUnspaced = (text: string): boolean =>
  /^[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}ー]+$/u.test(text)

const pairsOf = (word: string): Term[] =>
  Array.from({ length: word.length - 1 }, (_, at) => word.slice(at, at + 2)).map((pair) => ({
    text: pair,
    needles: [pair],
    isPrefix: true,
    weight: PART_WEIGHT,
  }))

/**
 * Returns what an English word has in common with its other forms: `migrations`, `migrated` and `migrating`. Texts are searched for
 * it, so it is a beginning of all of them; `extract/same-words.ts` compares stems with stems, and changes them further.
 */
function stemOf(word: string): string {
  if (!/^[a-z]{5,}$/.test(word)) return word
  const stem = word.replace(/(?:ing|ed|es|s)$/, '')
  return stem.length >= 4 ? stem : word
}

const withoutRepeated = (terms: readonly Term[]): Term[] => {
  const seen = new Set<string>()
  return terms.filter(({ needles: [first = ''] }) => !seen.has(first) && seen.add(first))
}

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
