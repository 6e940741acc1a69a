import { estimateTextTokens } from '../../src/tokens/estimate-tokens.ts'

const WORDS = 'word '
const known = new Map<number, string>()

/** A text of exactly so many tokens by our estimate: words, cut where it fits. */
export function textOfTokens(count: number): string {
  const found = known.get(count) ?? find(count)
  known.set(count, found)
  return found
}

/** A character adds less than a token, but a long text is sampled: the length is searched from where it should be outwards. */
function find(count: number): string {
  const all = WORDS.repeat(count + 10)
  const expected = Math.round((count * 10_000) / estimateTextTokens(WORDS.repeat(2000)))
  for (let off = 0; off < all.length; off++)
    for (const length of [expected + off, expected - off]) {
      const text = all.slice(0, Math.max(0, length))
      if (estimateTextTokens(text) === count) return text
    }
  throw new Error(`No text has ${count} tokens.`)
}
