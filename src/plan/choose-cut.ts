import { findCutPoint } from './find-cut-point.ts'
import { findFirstKept } from './find-first-kept.ts'
import { findTurnStart } from './find-turn-start.ts'
import type { Region } from './find-region.ts'
import type { SpanTokens } from './sum-tokens.ts'

/** Where a branch is cut. All positions are indexes into it. */
export interface Cut {
  /** The first message that is kept; what is summarized stands before it. */
  at: number
  /** The first entry that is kept: `at`, or the first of the metadata just before it. */
  firstKept: number
  /** The beginning of the turn that the cut splits; left out where it splits none. */
  turnStart?: number
}

/**
 * Chooses where to cut (planning rules 5, 7 and 8).
 * @param keepRecentTokens the budget, after rule 6
 * @returns undefined where no message stands between the region's start and the cut: there is nothing to compact
 */
export function chooseCut(region: Region, tokens: SpanTokens, keepRecentTokens: number): Cut | undefined {
  const at = findCutPoint(region, tokens, keepRecentTokens)
  if (at === undefined) return undefined
  const firstKept = findFirstKept(region, at)
  if (!region.branch.slice(region.start, firstKept).some(({ message }) => message !== undefined)) return undefined
  const turnStart = findTurnStart(region, at)
  return { at, firstKept, ...(turnStart === undefined ? {} : { turnStart }) }
}
