import type { TimedModel } from './open-timed-model.ts'

/** The time and the tokens of work that calls a simulated model. */
export interface Measured {
  /** Simulated seconds: the measured time divided by the scale. */
  seconds: number
  calls: number
  inTokens: number
  outTokens: number
}

/** Measures work that calls a simulated model, which must have no other callers meanwhile. */
export async function measureCalls<T>(
  { calls, speed }: TimedModel,
  work: () => Promise<T>,
): Promise<{ result: T; measured: Measured }> {
  const from = calls.length
  const startedAt = performance.now()
  const result = await work()
  const seconds = (performance.now() - startedAt) / 1000 / speed.scale
  const made = calls.slice(from)
  const inTokens = made.reduce((sum, call) => sum + call.inTokens, 0)
  const outTokens = made.reduce((sum, call) => sum + call.outTokens, 0)
  return { result, measured: { seconds, calls: made.length, inTokens, outTokens } }
}

/** Returns the run with the median time. */
export function medianOf(runs: readonly Measured[]): Measured {
  const run = [...runs].sort((one, other) => one.seconds - other.seconds)[Math.floor(runs.length / 2)]
  if (run === undefined) throw new Error('There was no run.')
  return run
}
