/** Sizes of prompts, in characters. */
export const PROMPT_SIZES: readonly [name: string, characters: number][] = [
  ['2 KB', 2000],
  ['400 KB', 400_000],
]

/** A typical limit that clients set for a summary, in tokens. */
export const MAX_TOKENS = 1000

const FILLER = 'The importer reads a row, checks its price, and writes it to the ledger of the day.\n'

/** Creates a function that writes distinct prompts of one size, so that no answer comes from the cache. */
export function createPromptWriter(characters: number): () => string {
  let number = 0
  return () => {
    const text = `Request ${number++}. ${FILLER.repeat(Math.ceil(characters / FILLER.length))}`.slice(0, characters)
    return `<conversation>\n[User]: ${text}\n</conversation>\n\nSummarize.`
  }
}
