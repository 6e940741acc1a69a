import { estimateTextTokens } from '../../src/tokens/estimate-tokens.ts'

const known = new Map<number, string>()

/** A text of exactly so many tokens by our estimate: words, cut where it fits. */
export function textOfTokens(count: number): string {
  const found = known.get(count) ?? find(count)
  known.set(count, found)
  return found
}

/** Repeated until the text is long enough. A cut of one of them may miss a number of tokens that a cut of another has. */
const WORDS = ['word ', 'of ', 'a, ', 'text; ']

/** How far from the expected length a cut is tried. */
const REACH = 200

/** A character adds less than a token, but a long text is sampled: the length is searched from where it should be outwards. */
function find(count: number): string {
  for (const words of WORDS) {
    const expected = Math.round((count * words.length * 2000) / estimateTextTokens(words.repeat(2000)))
    const all = words.repeat(count + REACH)
    for (let off = 0; off < REACH; off++)
      for (const length of [expected + off, expected - off]) {
        const text = all.slice(0, Math.max(0, length))
        if (estimateTextTokens(text) === count) return text
      }
  }
  throw new Error(`No text has ${count} tokens.`)
}
