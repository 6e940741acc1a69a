export interface Prospects {
  /** Milliseconds until the deadline. */
  leftMs: number
  /** True where no other candidate could be asked instead. */
  isLast: boolean
  /** True where no retry would follow on this candidate. */
  isLastTry: boolean
}

/**
 * How long a call may take before it counts as stalled. An answer that is not streamed shows no sign of life until it
 * is whole, so a stalled call looks like a slow one, and all that can be judged is whether waiting on is the better
 * bet: a summary takes some 10 to 60 s of the usual 170 s, so three quarters lose hardly any that would have come,
 * and leave time for a call that is not stuck. With another candidate to ask, half is left to it. The last call that
 * can be made may take all there is: only the deadline ends it.
 * @returns milliseconds, or undefined for all the time there is
 */
export function shareOfTimeMs({ leftMs, isLast, isLastTry }: Prospects): number | undefined {
  if (!isLast) return leftMs / 2
  return isLastTry ? undefined : (leftMs * 3) / 4
}
