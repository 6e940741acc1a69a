import { estimateTextTokens } from '../../src/plan/estimate-tokens.ts'

const WORDS = 'word '
const known = new Map<number, string>()

/** A text of exactly so many tokens by our estimate: words, cut where it fits. */
export function textOfTokens(count: number): string {
  const found = known.get(count)
  if (found !== undefined) return found
  // Each character adds less than a token, so that every count is met on the way.
  let length = Math.round(count * WORDS.length * 0.9)
  const text = (): string => WORDS.repeat(Math.ceil(length / WORDS.length) + 1).slice(0, length)
  while (length > 0 && estimateTextTokens(text()) > count) length--
  while (estimateTextTokens(text()) < count) length++
  known.set(count, text())
  return text()
}
