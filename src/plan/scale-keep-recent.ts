import { estimateContextUpTo } from './estimate-context.ts'
import { findNewestUsage, promptTokensOf } from './find-newest-usage.ts'
import type { Region } from './find-region.ts'
import type { SpanTokens } from './sum-tokens.ts'

/**
 * Scales the budget of the kept region down where a provider counted more tokens than we do, so that what is kept fits
 * by its count too (planning rule 6).
 * @param keepRecentTokens the budget as it was set
 * @returns tokens, at least 1 where it was scaled
 */
export function scaleKeepRecent(region: Region, tokens: SpanTokens, keepRecentTokens: number): number {
  const newest = findNewestUsage(region)
  if (newest === undefined) return keepRecentTokens
  const measured = promptTokensOf(newest.usage)
  const estimated = estimateContextUpTo(newest.index, region, tokens)
  return measured > estimated ? Math.max(1, Math.floor((keepRecentTokens * estimated) / measured)) : keepRecentTokens
}
