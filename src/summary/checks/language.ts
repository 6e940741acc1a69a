import { francAll } from 'franc-min'
import { WRITTEN_BY_CODE } from '../sections.ts'

/**
 * Detects the language of the user, and the language of a summary.
 * @param userTexts oldest first
 * @returns ISO 639-1 codes; null where the language is uncertain
 */
export function checkLanguage(
  userTexts: readonly string[],
  summary: string,
): { expected: string | null; found: string | null } {
  return { expected: languageOfNewest(userTexts) ?? null, found: detectLanguage(summary) ?? null }
}

/** Users change their language: only their newest texts count. */
const NEWEST_CHARACTERS = 4000

/**
 * Detection takes time, and there may be a hundred short messages: it is repeated when there is this much more prose.
 */
const GROWTH = 1.25

/** Returns the language of the newest texts, as few of them as are needed for a certain result. */
function languageOfNewest(texts: readonly string[]): string | undefined {
  let newest = ''
  let length = 0
  let askedLength = 0
  for (let index = texts.length - 1; index >= 0 && newest.length < NEWEST_CHARACTERS; index--) {
    // A message this long is a paste; the user's comment on it is at its beginning.
    const text = (texts[index] ?? '').slice(0, NEWEST_CHARACTERS)
    newest = `${text}\n${newest}`
    // Each message is searched once: a session may have thousands of short ones.
    length += extractProse(text).length
    const isAll = index === 0 || newest.length >= NEWEST_CHARACTERS
    if (length < askedLength * GROWTH && !isAll) continue
    askedLength = length
    const language = detectLanguage(newest)
    if (language !== undefined) return language
  }
  return undefined
}

/** The end of a text is enough to detect its language. */
const MAX_DETECTED_CHARACTERS = 20_000

/** The minimum amount of prose, in letters of an alphabet. */
const MIN_LETTERS = 40

/** Japanese has a small share of kana, and Chinese has no kana. */
const MIN_KANA_SHARE = 0.1

/**
 * Detects the language of a text by its script, and by trigrams where several languages use the script. The trigrams
 * are those of franc-min (MIT, 0.2 MB with its one dependency, 22 ms to load). tinyld takes 12 MB and eld 9 MB, and on
 * a dozen snippets of agents' prose they were no better. franc-min makes errors with one or two lines, so such texts
 * get no result.
 * @returns an ISO 639-1 code; undefined where there is too little prose, or where several languages are likely
 */
export function detectLanguage(text: string): string | undefined {
  const prose = extractProse(text.slice(-MAX_DETECTED_CHARACTERS))
  const counts = new Map(SCRIPTS.map(([code, script]) => [code, countSigns(prose, script) * weightOf(code)]))
  const [han = 0, kana = 0] = [counts.get('zh'), counts.get('ja')]
  const isJapanese = kana > (han + kana) * MIN_KANA_SHARE
  counts.set(isJapanese ? 'ja' : 'zh', han + kana)
  counts.set(isJapanese ? 'zh' : 'ja', 0)
  counts.set('latin', countSigns(prose, /\p{sc=Latin}/gu))
  counts.set('cyrillic', countSigns(prose, /\p{sc=Cyrillic}/gu))
  const [most, letters] = [...counts].reduce((best, one) => (one[1] > best[1] ? one : best))
  if (letters < MIN_LETTERS) return undefined
  if (most === 'latin') return guess(prose, LATIN)
  return most === 'cyrillic' ? readCyrillic(prose) : most
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

/** Returns the language of Cyrillic prose, by its letters where only one of these languages has them. */
function readCyrillic(prose: string): string | undefined {
  if (/[іїєґ]/i.test(prose)) return 'uk'
  return /[ыэё]/i.test(prose) ? 'ru' : guess(prose, CYRILLIC)
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

/**
 * The maximum ratio of franc's second score to its first: related languages such as Spanish and Portuguese have close
 * scores.
 */
const MAX_SECOND_SCORE = 0.92

function guess(prose: string, codes: Record<string, string>): string | undefined {
  const [first, second] = francAll(prose, { only: Object.keys(codes), minLength: MIN_LETTERS })
  if (first === undefined || (second?.[1] ?? 0) > MAX_SECOND_SCORE) return undefined
  return codes[first[0]]
}
/** Text that is not prose: fenced code, our tags and evidence, headings, inline code. */
const NOT_PROSE = [/^(```|~~~)[^]*?^\1/gm, new RegExp(WRITTEN_BY_CODE, 'gm'), /^#{1,6} .*$/gm, /`[^`\n]*`/g] as const

/** A run of ASCII: a word, or a path, an address, a name with marks or capitals in it. */
const ASCII_RUN = /[\x21-\x7e]+/g
const NOT_A_WORD = /[\\/_=<>{}()[\]|@#$]|\w[.:-]\w|[a-z][A-Z]|\d/

/** Returns the prose of a text, without code, paths and names: enough to detect its language. */
function extractProse(text: string): string {
  const left = NOT_PROSE.reduce((rest, pattern) => rest.replace(pattern, ' '), text)
  const prose = left.replace(ASCII_RUN, (run) => (NOT_A_WORD.test(run) ? ' ' : run))
  // A gap would count as the end of a word.
  return prose.replace(/\s+/g, ' ').trim()
}
