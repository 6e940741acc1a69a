import { summarize } from './interleave.ts'

const WARM_UPS = 2
const ROUNDS = 9

/** The median of nine runs of work that does not wait, in milliseconds, after two to warm up. */
export function measureMedianMs(work: () => unknown): number {
  for (let round = 0; round < WARM_UPS; round++) work()
  const times = Array.from({ length: ROUNDS }, () => {
    const start = performance.now()
    work()
    return performance.now() - start
  })
  return summarize(times).medianMs
}
