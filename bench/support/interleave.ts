/** The work to measure. It may return its own measurement in milliseconds. */
export type Subject = () => unknown

export interface Times {
  medianMs: number
  /** Half of the distance between the 10th and the 90th percentile, as a share of the median. */
  spread: number
  p99Ms: number
}

/**
 * Measures subjects in turn, round after round, so that a slow phase of the machine affects all of them; each round
 * begins with another subject. The first rounds are for warming up and do not count.
 */
export async function interleave<N extends string>(
  subjects: Record<N, Subject>,
  rounds: number,
  warmingRounds = 2,
): Promise<Record<N, Times>> {
  const names = Object.keys(subjects) as N[]
  const times = new Map<N, number[]>(names.map((name) => [name, []]))
  for (let round = -warmingRounds; round < rounds; round++) {
    for (let place = 0; place < names.length; place++) {
      const name = names[(place + round + warmingRounds) % names.length] as N
      const ms = await measure(subjects[name])
      if (round >= 0) times.get(name)?.push(ms)
    }
  }
  return Object.fromEntries(names.map((name) => [name, summarize(times.get(name) ?? [])])) as Record<N, Times>
}

async function measure(subject: Subject): Promise<number> {
  const start = performance.now()
  const measuredMs = await subject()
  return typeof measuredMs === 'number' ? measuredMs : performance.now() - start
}

export function summarize(times: readonly number[]): Times {
  const sorted = [...times].sort((one, other) => one - other)
  const at = (share: number): number => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
  return { medianMs: at(0.5), spread: (at(0.9) - at(0.1)) / 2 / at(0.5), p99Ms: at(0.99) }
}

/** Returns the ratio of two medians with the spread of both: `1.23 ±4 %`. */
export function ratio(one: Times, other: Times): string {
  const spread = Math.hypot(one.spread, other.spread)
  return `${(one.medianMs / other.medianMs).toFixed(2)} ±${Math.round(100 * spread)} %`
}
