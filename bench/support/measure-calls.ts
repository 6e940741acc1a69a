import type { TimedModel } from './open-timed-model.ts'

/** What a piece of work took of a simulated model. */
export interface Measured {
  /** Simulated seconds: what the clock said, divided by the scale. */
  seconds: number
  calls: number
  inTokens: number
  outTokens: number
}

/** Measures work that asks a simulated model, and nobody else does meanwhile. */
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

/** The one in the middle by time. */
export function medianOf(runs: readonly Measured[]): Measured {
  const run = [...runs].sort((one, other) => one.seconds - other.seconds)[Math.floor(runs.length / 2)]
  if (run === undefined) throw new Error('There was no run.')
  return run
}
