import { francAll } from 'franc-min'
import { WRITTEN_BY_CODE } from '../summary.ts'
import { languageByFunctionWords } from './function-words.ts'

/** Longer texts are judged by their beginning and their end, of this length each. */
const MAX_PART_CHARACTERS = 20_000

/** The minimum amount of prose, in letters of an alphabet. */
const MIN_LETTERS = 40

/** The share of its letters that a text must have in one script: below it, two languages are likely. */
const MIN_SCRIPT_SHARE = 0.7

/** Japanese has a small share of kana, and Chinese has no kana. */
const MIN_KANA_SHARE = 0.1

/**
 * Detects the language of a text by its script; where several languages use the script, by trigrams and by function
 * words. A wrong result costs a model call, so that the result is uncertain unless all of them agree.
 * @returns an ISO 639-1 code; undefined where there is too little prose, or where several languages are likely
 */
export const detectLanguage = (text: string): string | undefined => languageOfProse(extractProse(text))

/** Detects the language of a text without code and names, like `detectLanguage`. */
export function languageOfProse(prose: string): string | undefined {
  const counts = new Map(SCRIPTS.map(([code, script]) => [code, countSigns(prose, script) * weightOf(code)]))
  const [han = 0, kana = 0] = [counts.get('zh'), counts.get('ja')]
  const isJapanese = kana > (han + kana) * MIN_KANA_SHARE
  counts.set(isJapanese ? 'ja' : 'zh', han + kana)
  counts.set(isJapanese ? 'zh' : 'ja', 0)
  counts.set('latin', countSigns(prose, /\p{sc=Latin}/gu))
  counts.set('cyrillic', countSigns(prose, /\p{sc=Cyrillic}/gu))
  const [most, letters] = [...counts].reduce((best, one) => (one[1] > best[1] ? one : best))
  const all = [...counts.values()].reduce((sum, count) => sum + count, 0)
  if (letters < MIN_LETTERS || letters < all * MIN_SCRIPT_SHARE) return undefined
  if (most === 'latin') return readLatin(prose)
  return most === 'cyrillic' ? readCyrillic(prose, letters) : most
}

/** Scripts that only one language uses. */
const SCRIPTS: readonly [code: string, script: RegExp][] = [
  ['zh', /\p{sc=Han}/gu],
  ['ja', /[\p{sc=Hiragana}\p{sc=Katakana}]/gu],
  ['ko', /\p{sc=Hangul}/gu],
  ['ar', /\p{sc=Arabic}/gu],
  ['he', /\p{sc=Hebrew}/gu],
  ['th', /\p{sc=Thai}/gu],
  ['el', /\p{sc=Greek}/gu],
  ['hi', /\p{sc=Devanagari}/gu],
]

/** One character of these scripts counts as three letters. */
const DENSE = new Set(['zh', 'ja', 'ko'])
const DENSITY = 3

const weightOf = (code: string): number => (DENSE.has(code) ? DENSITY : 1)

const countSigns = (text: string, script: RegExp): number => text.match(script)?.length ?? 0

function readLatin(prose: string): string | undefined {
  const language = voteByTrigrams(prose, LATIN)
  return language !== undefined && languageByFunctionWords(prose) === language ? language : undefined
}

/** The share of letters that only Ukrainian, or only Russian, has in a text of that language: about half of the usual. */
const MIN_OWN_LETTERS = { uk: 0.02, ru: 0.01 }

/** Returns the language of Cyrillic prose, by its letters where only one of these languages has them. */
function readCyrillic(prose: string, letters: number): string | undefined {
  const [ukrainian, russian] = [countSigns(prose, /[іїєґ]/gi), countSigns(prose, /[ыэё]/gi)]
  // Belarusian and Kazakh have letters of both; a quote in a text has few.
  const [fewer, more] = [Math.min(ukrainian, russian), Math.max(ukrainian, russian)]
  if (fewer > more * (1 - MIN_AGREEMENT)) return undefined
  if (ukrainian > russian) return ukrainian >= letters * MIN_OWN_LETTERS.uk ? 'uk' : undefined
  if (russian > 0) return russian >= letters * MIN_OWN_LETTERS.ru ? 'ru' : undefined
  return voteByTrigrams(prose, CYRILLIC)
}

/** Scripts of several languages, with franc's codes (ISO 639-3) of those that it can distinguish. */
const CYRILLIC: Record<string, string> = { rus: 'ru', ukr: 'uk', bul: 'bg', srp: 'sr' }
const LATIN: Record<string, string> = {
  eng: 'en',
  deu: 'de',
  fra: 'fr',
  spa: 'es',
  por: 'pt',
  ita: 'it',
  nld: 'nl',
  pol: 'pl',
  swe: 'sv',
  tur: 'tr',
  ces: 'cs',
  hun: 'hu',
  ron: 'ro',
  vie: 'vi',
  ind: 'id',
}

/** The share of the votes that the language of a text needs. */
const MIN_AGREEMENT = 0.75

/** franc's scores of two languages become more alike as a text grows: with 500 characters, no language is certain. */
const WINDOW_CHARACTERS = 200

/** The maximum number of samples; those of a longer text are spread over it. */
const MAX_WINDOWS = 32

/**
 * Returns the language that most samples of a text vote for. The trigrams are those of franc-min (MIT, 0.2 MB with its
 * one dependency, 22 ms to load). tinyld takes 12 MB and eld 9 MB, and on a dozen snippets of agents' prose they were no
 * better.
 */
function voteByTrigrams(prose: string, codes: Record<string, string>): string | undefined {
  const samples = takeSamples(prose)
  const votes = new Map<string, number>()
  for (const sample of samples) {
    const language = guess(sample, codes)
    if (language !== undefined) votes.set(language, (votes.get(language) ?? 0) + 1)
  }
  const decided = [...votes.values()].reduce((sum, count) => sum + count, 0)
  const [winner] = [...votes].find(([, count]) => count >= decided * MIN_AGREEMENT) ?? []
  return decided >= samples.length / 2 ? winner : undefined
}

function takeSamples(prose: string): string[] {
  const count = Math.max(1, Math.round(prose.length / WINDOW_CHARACTERS))
  const length = Math.ceil(prose.length / count)
  const step = count <= MAX_WINDOWS ? length : prose.length / MAX_WINDOWS
  return Array.from({ length: Math.min(count, MAX_WINDOWS) }, (_, index) => {
    const start = Math.floor(index * step)
    return prose.slice(start, start + length)
  })
}

/**
 * The maximum ratio of franc's second score to its first: related languages such as Spanish and Portuguese have close
 * scores. In 200 characters of a language, the ratio is 0.6 to 0.95, and in those of a language that franc does not know
 * 0.95 to 1.
 */
const MAX_SECOND_SCORE = 0.95

function guess(prose: string, codes: Record<string, string>): string | undefined {
  const [first, second] = francAll(prose, { only: Object.keys(codes), minLength: MIN_LETTERS })
  if (first === undefined || (second?.[1] ?? 0) > MAX_SECOND_SCORE) return undefined
  return codes[first[0]]
}

/** Text that is not the writer's prose: fenced code, our tags and evidence, headings, inline code, quotes. */
const NOT_PROSE = [
  /^(```|~~~)[^]*?(?:^\1|(?![^]))/gm,
  new RegExp(WRITTEN_BY_CODE, 'gm'),
  /^(?:#{1,6} |[ \t]*>).*$/gm,
  /`[^`\n]*`/g,
  /"[^"\n]*"|“[^“”\n]*”|„[^„“”\n]*[“”]|«[^«»\n]*»|「[^「」\n]*」|『[^『』\n]*』/g,
] as const

/** A run of ASCII: a word, or a path, an address, a name with marks or capitals in it. */
const ASCII_RUN = /[\x21-\x7e]+/g
const NOT_A_WORD = /[\\/_=<>{}()[\]|@#$]|\w[.:-]\w|[a-z][A-Z]|\d/

/** Returns the prose of a text, without code, quotes, paths and names: enough to detect its language. */
export function extractProse(text: string): string {
  const isLong = text.length > 2 * MAX_PART_CHARACTERS
  const part = isLong ? `${text.slice(0, MAX_PART_CHARACTERS)}\n${text.slice(-MAX_PART_CHARACTERS)}` : text
  const left = NOT_PROSE.reduce((rest, pattern) => rest.replace(pattern, ' '), part)
  const prose = left.replace(ASCII_RUN, (run) => (NOT_A_WORD.test(run) ? ' ' : run))
  // A gap would count as the end of a word.
  return prose.replace(/\s+/g, ' ').trim().normalize('NFC')
}
