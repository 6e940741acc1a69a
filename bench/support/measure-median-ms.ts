import { summarize } from './interleave.ts'

const WARM_UPS = 2
const ROUNDS = 9

/** Returns the median time of nine runs of synchronous work, in milliseconds, after two runs for warming up. */
export function measureMedianMs(work: () => unknown): number {
  for (let round = 0; round < WARM_UPS; round++) work()
  const times = Array.from({ length: ROUNDS }, () => {
    const start = performance.now()
    work()
    return performance.now() - start
  })
  return summarize(times).medianMs
}
