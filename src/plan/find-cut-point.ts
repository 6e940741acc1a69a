import { findValidCutPoints } from './find-valid-cut-points.ts'
import type { Region } from './find-region.ts'
import type { SpanTokens } from './sum-tokens.ts'

/**
 * Finds where the kept region begins: the longest run of whole groups, from the newest back, whose tokens fit the
 * budget; an exact fit fits. The newest group is kept even where it alone does not fit, since a cut that fell back to
 * the first message would compact nothing, for ever (planning rule 5).
 * @param keepRecentTokens the budget, after rule 6
 * @returns an index into the branch; undefined where there is no valid cut point at all
 */
export function findCutPoint(region: Region, tokens: SpanTokens, keepRecentTokens: number): number | undefined {
  const points = findValidCutPoints(region)
  const end = region.branch.length
  return points.find((point) => tokens(point, end) <= keepRecentTokens) ?? points.at(-1)
}
