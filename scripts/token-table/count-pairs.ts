import { CLASS_OF, CLASSES, LAST_RUNNING, RUN } from '../../src/tokens/estimate-tokens.ts'
import { findBoundaries } from './find-boundaries.ts'

/** How often two classes were neighbours, and how many tokens ended between them; both are weighted. */
export interface PairCounts {
  pairs: Float64Array
  tokens: Float64Array
}

export const emptyCounts = (): PairCounts => ({
  pairs: new Float64Array(CLASSES * CLASSES),
  tokens: new Float64Array(CLASSES * CLASSES),
})

/**
 * Counts a text's pairs of neighbouring classes. A run counts once, whatever its length: its tokens are counted at its
 * end.
 */
export function countPairs({ pairs, tokens }: PairCounts, text: string, weight: number): void {
  const ends = findBoundaries(text)
  let before = -1
  let pending = 0
  for (let at = 0; at < text.length; at++) {
    const after = classAfter(before, text.charCodeAt(at))
    if (at > 0) {
      const pair = before * CLASSES + after
      pending += ends[at - 1] ?? 0
      pairs[pair] = (pairs[pair] ?? 0) + weight
      if (!isRun(after)) {
        tokens[pair] = (tokens[pair] ?? 0) + weight * pending
        pending = 0
      }
    }
    before = after
  }
}

/** Whether a class belongs to a unit that continues a run. */
export const isRun = (one: number): boolean => one >= RUN && one <= RUN + LAST_RUNNING

function classAfter(before: number, unit: number): number {
  const own = CLASS_OF[unit] ?? 0
  return own <= LAST_RUNNING && (before & ~RUN) === own ? own | RUN : own
}
