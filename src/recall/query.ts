import { foldCase, normalizeText } from './normalize.ts'

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
