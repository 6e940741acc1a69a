import { CLASS_OF, CLASSES, LAST_RUNNING, RUN } from '../../src/tokens/estimate-text.ts'
import { findBoundaries } from './find-boundaries.ts'

/** How often two classes stood side by side, and how many tokens ended between them; both weighted. */
export interface PairCounts {
  pairs: Float64Array
  tokens: Float64Array
}

export const emptyCounts = (): PairCounts => ({
  pairs: new Float64Array(CLASSES * CLASSES),
  tokens: new Float64Array(CLASSES * CLASSES),
})

/** Counts a text's pairs of neighbouring classes. A run costs the same however long it is: its tokens count where it ends. */
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

/** Whether a class is that of a unit which goes on a run. */
export const isRun = (one: number): boolean => one >= RUN && one <= RUN + LAST_RUNNING

function classAfter(before: number, unit: number): number {
  const own = CLASS_OF[unit] ?? 0
  return own <= LAST_RUNNING && (before & ~RUN) === own ? own | RUN : own
}
