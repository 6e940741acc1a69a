/** Returns the CPU time of some work in milliseconds: the least of several runs. */
export function cpuMsOf(work: () => unknown, runs = 3): number {
  const times = Array.from({ length: runs }, () => {
    const before = process.cpuUsage()
    work()
    const { user, system } = process.cpuUsage(before)
    return (user + system) / 1000
  })
  return Math.min(...times)
}

interface Measured<Input> {
  work: (input: Input) => unknown
  short: Input
  /** Four times as much as the short one. */
  long: Input
  /** Work that takes less for the long input is not quadratic in any way that matters. Default: 0. */
  measurableMs?: number
}

/** Linear growth is 4, quadratic growth is 16. */
export const MAX_GROWTH = 4 * 2.2

const ROUNDS = 10

/**
 * Returns how many times as much CPU time a long input takes as a short one, or 0 if neither takes much. Garbage collections,
 * code that is not compiled yet, and other processes on the same caches only add time, and do so in phases: each round
 * measures both inputs, one after the other, and the result is the least of up to ten rounds, if the first is too large.
 */
export function growthOf<Input>({ work, short, long, measurableMs = 0 }: Measured<Input>): number {
  let growth = Number.POSITIVE_INFINITY
  for (let round = 0; round < ROUNDS && growth > MAX_GROWTH; round++) {
    const longMs = cpuMsOf(() => work(long), 1)
    if (longMs < measurableMs) return 0
    growth = Math.min(growth, longMs / cpuMsOf(() => work(short), 2))
  }
  return growth
}
