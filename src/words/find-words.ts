import { buildAutomaton } from './build-automaton.ts'

/** Told of a word that stands in a text from `start`, case aside; words that end together come longest first. */
export type OnWord = (word: string, start: number) => void

/**
 * Finds words in texts, whatever stands around them and in whatever case of ASCII letters.
 * @param onWord told of all places, by where they end; it may not find in another text by the same finder
 */
export type WordFinder = (text: string, onWord: OnWord) => void

/** Characters that are looked at at once. */
const CHUNK_CHARACTERS = 4096

/**
 * Creates a finder of words: one pass over a text for all of them (Aho and Corasick, "Efficient string matching", 1975),
 * at twice the speed of a regular expression of as many alternatives. The one place to look where many words are few times
 * there.
 * @param words in lower or upper case; at most some thousand letters in all
 */
export function createWordFinder(words: readonly string[]): WordFinder {
  const { classOf, next, rowBits, firstEnding, endings } = buildAutomaton(words)
  // An array of numbers is read faster than a string.
  const units = new Uint16Array(CHUNK_CHARACTERS)
  const bytes = Buffer.from(units.buffer)
  return (text, onWord) => {
    let state = 0
    for (let from = 0; from < text.length; from += CHUNK_CHARACTERS) {
      const count = Math.min(CHUNK_CHARACTERS, text.length - from)
      bytes.write(text.slice(from, from + count), 'utf16le')
      for (let at = 0; at < count; at++) {
        state = next[state | (classOf[units[at] as number] as number)] as number
        if (state < firstEnding) continue
        for (const word of endings[(state - firstEnding) >> rowBits] ?? []) onWord(word, from + at + 1 - word.length)
      }
    }
  }
}
