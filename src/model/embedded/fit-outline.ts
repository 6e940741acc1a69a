import { estimateTextTokens } from '../../plan/estimate-tokens.ts'
import { PARTS, type Line, type Outline } from './outline.ts'

/** Estimates of parts add up to a little more or less than the estimate of the whole. */
const SLACK_TOKENS = 8

/**
 * Leaves out what matters least until the rest fits.
 * @param budgetTokens what the lines may have, the headings not counted
 */
export function fitOutline(outline: Outline, budgetTokens: number): Outline {
  const all = PARTS.flatMap((part) => outline[part])
  const kept = new Set<Line>()
  let leftTokens = budgetTokens - SLACK_TOKENS
  for (const line of all.toSorted((a, b) => a.rank - b.rank)) {
    const tokens = estimateTextTokens(`${line.text}\n`)
    if (tokens > leftTokens) continue
    leftTokens -= tokens
    kept.add(line)
  }
  return Object.fromEntries(PARTS.map((part) => [part, outline[part].filter((line) => kept.has(line))])) as Outline
}
