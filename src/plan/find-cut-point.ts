import { toolCallsOf } from '../session/message.ts'
import { findValidCutPoints, mayBeginKept } from './find-valid-cut-points.ts'
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
  const fits = (point: number): boolean => tokens(point, region.branch.length) <= keepRecentTokens
  const found = walkFromTail(region, fits)
  if (found !== 'unsure') return found
  const points = findValidCutPoints(region)
  return points.find(fits) ?? points.at(-1)
}

/**
 * Walks from the newest message to the oldest, no further than the budget reaches: a cut is valid where every result
 * that was passed has met its call, the nearest one before it of its id (planning rule 4).
 * @returns `unsure` where results are left whose calls stand before the region, or nowhere: the whole branch must be seen
 */
function walkFromTail({ branch, start }: Region, fits: (point: number) => boolean): number | undefined | 'unsure' {
  const waiting = new Set<string>()
  let best: number | undefined
  for (let index = branch.length - 1; index >= start; index--) {
    const message = branch[index]?.message
    if (message === undefined) continue
    if (message.role === 'toolResult') waiting.add(message.toolCallId)
    else for (const { id } of toolCallsOf(message)) waiting.delete(id)
    if (waiting.size > 0 || !mayBeginKept(message)) continue
    const isWithin = fits(index)
    if (isWithin || best === undefined) best = index
    if (!isWithin) return best
  }
  return waiting.size > 0 ? 'unsure' : best
}
