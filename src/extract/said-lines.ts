import { stemOf } from './same-words.ts'

/** The share of a statement's words that one line, or two neighbouring lines, must have for it to count as stated. */
const MIN_SHARED_WORDS = 0.6

/** That of a demand's: another demand differs in one word of three. */
const MIN_SHARED_OF_DEMAND = 0.7

/** The maximum length of the text in which statements are looked up: several times that of any honest summary. */
const MAX_SAID_CHARACTERS = 128 * 1024

/** Lines in which statements are looked up by their words. */
export class SaidLines {
  /** The indexes of the lines that have a word, by word, in ascending order. */
  readonly #byWord = new Map<string, number[]>()
  #count = 0
  #left = MAX_SAID_CHARACTERS

  constructor(lines: readonly string[]) {
    for (const line of lines) this.#add(line)
  }

  #add(line: string): void {
    this.#left -= line.length
    if (this.#left < 0) return
    for (const word of wordsOf(line)) {
      const found = this.#byWord.get(word)
      if (found === undefined) this.#byWord.set(word, [this.#count])
      else found.push(this.#count)
    }
    this.#count += 1
  }

  /** Whether a line, or two neighbouring ones, state the same in the same words or in others that share most of them. */
  state(statement: string): boolean {
    const wanted = wordsOf(statement)
    return wanted.size === 0 || this.#linesWith(wanted, MIN_SHARED_WORDS).length > 0
  }

  /** Whether a line, or two neighbouring ones, state a demand: with all of its names, and most of its words. */
  stateDemand(demand: string): boolean {
    const wanted = wordsOf(demand)
    const names = nameWordsOf(demand)
    const named = names.size === 0 ? undefined : new Set(this.#linesWith(names, 1))
    return wanted.size === 0 || this.#linesWith(wanted, MIN_SHARED_OF_DEMAND).some((line) => named?.has(line) ?? true)
  }

  /** Returns the lines that have, together with the line after each, a share of some words: indexes. */
  #linesWith(wanted: ReadonlySet<string>, share: number): number[] {
    const counts = new Map<number, number>()
    for (const word of wanted) {
      let last = -1
      for (const line of this.#byWord.get(word) ?? [])
        for (const at of [line - 1, line]) {
          if (at <= last) continue
          counts.set(at, (counts.get(at) ?? 0) + 1)
          last = at
        }
    }
    return [...counts].flatMap(([line, count]) => (count >= wanted.size * share ? [line] : []))
  }
}

/** Words without a meaning of their own in the languages of words.ts, and those that only say that something is demanded. */
const EMPTY_WORDS = new Set(
  [
    'a an the to of in on at and or nor but for with from by as is are be was were been it its this that these those into so now then than too also all any each every such our my your his her their we i you he she they me us them here there just even if when before after until while',
    'never always not no without don dont doesn didn isn aren won shouldn mustn shan t s ll ve re must should shall will would can could may might have has had do does did only please let use used using uses keep leave make makes sure ensure prefer avoid want ever again anything everything something exception exceptions circumstances again instead file files folder folders directory directories',
    'der die das den dem des ein eine einen einem einer und oder zu zum zur im mit für von auf am bei nach vor ist sind wird werden sein es sie er ich du wir ihr man als auch nur noch jetzt nie niemals immer nicht kein keine keinen nichts bitte muss müssen soll sollen sollst darf dürfen verwende verwenden benutze benutzen datei dateien ordner alle alles jede jeden jedes wieder',
    'le la les l un une du de d et ou à au aux en dans sur pour par avec sans ne pas jamais toujours il elle tu vous nous je que qui ce cette ces est sont faut doit dois devez utilise utilisez fichier fichiers tout tous toute toutes',
    'el los las lo al del y o con sin para por no nunca siempre se debe deben debes hay usa usar archivo archivos todo todos cada il gli di che per per não nao sem sempre mai non os as um uma em na',
    'в на и или не ни по с к у о для из это как все всё никогда всегда только нельзя нужно надо',
  ].flatMap((words) => words.split(' ')),
)

/** Words that say the same of a file, in demands. */
const CHANGE = /^(?:un)?(?:touch|edit|chang|modif|alter)(?:e|ed|er|es|s|y|ie|ier|ies|ied|ing)?$/

/** What says in Chinese, Japanese and Korean that something is demanded. */
const DEMANDED =
  /必须|不要|不能|不得|不可|请勿|禁止|总是|始终|一律|永远|一直|绝对|绝不|只能|使用|必ず|絶対|常に|하지\s*마\S*|절대|반드시|항상/g

const CJK = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]/u

/** A name has a digit, a mark of code or of a quotation, or a capital within. */
const NAME = /[\p{N}/_`"“„«\\]|[\p{L}\p{N}]\.[\p{L}\p{N}]|\p{Ll}\p{Lu}|^@|^--/u

/** Returns the words of the names in a text: paths, numbers, identifiers, words in quotes or in code. */
export const nameWordsOf = (text: string): Set<string> =>
  wordsOf(
    text
      .split(/\s+/)
      .filter((word) => NAME.test(word))
      .join(' '),
  )

/**
 * Returns the stems of the words that say what a text is about. In scripts without spaces, these are the pairs of neighbouring
 * characters, without those of Hiragana, which has the endings.
 */
export function wordsOf(text: string): Set<string> {
  const words = new Set<string>()
  for (const token of text.replace(DEMANDED, ' ').split(/\s+/)) {
    const isName = NAME.test(token)
    for (const [word] of token.toLowerCase().matchAll(/[\p{L}\p{N}_]+/gu))
      if (CJK.test(word)) for (const pair of pairsIn(word)) words.add(pair)
      else if (isName || !EMPTY_WORDS.has(word)) words.add(shortForm(word))
  }
  return words
}

const pairsIn = (text: string): string[] =>
  text
    .split(/\p{sc=Hiragana}+/u)
    .flatMap((part) => Array.from(part, (_, at) => part.slice(at, at + 2)).slice(0, Math.max(1, part.length - 1)))

/** Returns a word without the endings that it has in other sentences. */
function shortForm(word: string): string {
  if (CHANGE.test(word)) return 'change'
  if (/\p{sc=Hangul}/u.test(word)) return word.slice(0, 2)
  if (/\p{sc=Cyrillic}/u.test(word)) return word.slice(0, 4).replace(/(?<=..)[аеёиоуыэюяйьъ]{1,2}$/, '')
  return stemOf(stemOf(word).replace(/(?<=\p{L}{4})(?:en?|ez|ar|as)$/u, ''))
}
