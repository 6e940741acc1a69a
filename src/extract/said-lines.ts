/** The share of a statement's words that one line, or two neighbouring lines, must have for it to count as stated. */
const MIN_SHARED_WORDS = 0.6

/** The maximum length of the text in which statements are looked up: several times that of any honest summary. */
const MAX_SAID_CHARACTERS = 128 * 1024

/** Lines in which statements are looked up by their words. */
export class SaidLines {
  /** The indexes of the lines that have a word, by word, in ascending order. */
  readonly #byWord = new Map<string, number[]>()
  #count = 0
  #left = MAX_SAID_CHARACTERS

  constructor(lines: readonly string[] = []) {
    for (const line of lines) this.add(line)
  }

  add(line: string): void {
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
    const wanted = [...wordsOf(statement)]
    if (wanted.length === 0) return true
    // The number of wanted words in each line or the line after it.
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
    for (const count of counts.values()) if (count >= wanted.length * MIN_SHARED_WORDS) return true
    return false
  }
}

/** The maximum number of statements that are compared, the newest ones: each is compared with all later ones. */
const MAX_STATEMENTS = 500

/** Returns statements, oldest first, each once: of several that say the same, the newest wording. */
export function newestWordings(statements: readonly string[]): string[] {
  const chosen: string[] = []
  const said = new SaidLines()
  for (const statement of statements.slice(-MAX_STATEMENTS).toReversed()) {
    if (said.state(statement)) continue
    chosen.unshift(statement)
    said.add(statement)
    // Two statements together state nothing.
    said.add('')
  }
  return chosen
}

/** Words without a meaning of their own, in English, German, French and Spanish, and those that only say that something is demanded. */
const EMPTY_WORDS = new Set(
  'the and for that this with from into your you are was were will not but have has had all any its let use als der die das und den dem ein eine les des une est que los las por para con never always must only don please should niemals immer jamais toujours nunca siempre'.split(
    ' ',
  ),
)

/** Returns the words of three letters and more; in scripts without spaces, each pair of neighbouring characters. */
function wordsOf(text: string): Set<string> {
  const words = new Set<string>()
  for (const [word] of text.toLowerCase().matchAll(/[\p{L}\p{N}_]+/gu)) {
    if (!/[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]/u.test(word)) {
      if (word.length >= 3 && !EMPTY_WORDS.has(word)) words.add(word)
    } else for (let index = 0; index + 1 < word.length; index++) words.add(word.slice(index, index + 2))
  }
  return words
}
