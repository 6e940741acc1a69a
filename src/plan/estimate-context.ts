import { wrapCompactionSummary } from '../session/wrap-summary.ts'
import { estimateTextTokens } from './estimate-tokens.ts'
import { contextTokensOf, findNewestUsage } from './find-newest-usage.ts'
import type { Region } from './find-region.ts'
import type { SpanTokens } from './sum-tokens.ts'

/**
 * Estimates what a model saw before the message at an index: the previous summary as `/context` writes it, and the
 * considered messages before it (planning rules 6 and 10).
 */
export function estimateContextUpTo(index: number, { previous, start }: Region, tokens: SpanTokens): number {
  const summary = previous === undefined ? 0 : estimateTextTokens(wrapCompactionSummary(previous.fullSummary))
  return summary + tokens(start, index)
}

/**
 * Measures the context as it is now: the larger of our estimate of what `/context` returns, and the newest usage that a
 * provider reported plus our estimate of what follows it (planning rule 10).
 * @returns tokens, an integer
 */
export function measureContext(region: Region, tokens: SpanTokens): number {
  const end = region.branch.length
  const estimated = estimateContextUpTo(end, region, tokens)
  const newest = findNewestUsage(region)
  if (newest === undefined) return estimated
  return Math.max(estimated, Math.ceil(contextTokensOf(newest.usage)) + tokens(newest.index + 1, end))
}
