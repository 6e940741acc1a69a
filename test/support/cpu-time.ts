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
  /** Four times as much as the short one, unless the limit is another one. */
  long: Input
  /** Work that takes less for the long input is not quadratic in any way that matters. Default: 0. */
  measurableMs?: number
  /** Below this result, no further rounds are needed. Default: `MAX_GROWTH`. */
  limit?: number
  /** Returns four times as much as the long one, which decides where the long one takes too much time. */
  longest?: () => Input
}

/** How many times as much time quadratic work takes for four times as much. Linear growth is 4. */
const QUADRATIC = 16
export const MAX_GROWTH = 4 * 2.2

const ROUNDS = 10

/**
 * Returns how many times as much CPU time a long input takes as a short one, or 0 if neither takes much. Garbage collections,
 * code that is not compiled yet, and other processes on the same caches only add time, and do so in phases: each round
 * measures both inputs, one after the other, and the result is the least of up to ten rounds, if the first is too large.
 * Where an input no longer fits the memory of young objects, time takes a step once; what grows too much does so again.
 */
export function growthOf<Input>({ longest, ...measured }: Measured<Input>): number {
  const { work, long, limit = MAX_GROWTH } = measured
  const growth = leastGrowthOf({ ...measured, limit })
  if (growth <= limit || !longest) return growth
  return Math.min(growth, leastGrowthOf({ work, short: long, long: longest(), limit }))
}

function leastGrowthOf<Input>(measured: Omit<Measured<Input>, 'longest'> & { limit: number }): number {
  const { work, short, long, measurableMs = 0, limit } = measured
  let growth = Number.POSITIVE_INFINITY
  for (let round = 0; round < ROUNDS && growth > limit; round++) {
    const firstMs = cpuMsOf(() => work(short), 1)
    // The short input is a quarter of the work, and for most inputs enough: not even quadratic time would be measurable.
    if (firstMs * QUADRATIC < measurableMs) return 0
    const longMs = cpuMsOf(() => work(long), 1)
    if (longMs < measurableMs) return 0
    const lastMs = cpuMsOf(() => work(short), 1)
    growth = Math.min(growth, longMs / Math.min(firstMs, lastMs))
  }
  return growth
}

/** How many times as much CPU time a request of twice the size may take. */
export const MAX_DOUBLING = 2.5

interface MeasuredRequest {
  send: (body: string) => Promise<unknown>
  short: string
  /** Four times as much as the short one: two doublings. */
  long: string
  /** Returns four times as much as the long one, which decides where the long one takes too much time (`growthOf`). */
  longest: () => string
  /** Requests that take less for the long body are not measured again. */
  measurableMs: number
}

/** After this much CPU time in milliseconds, what disturbs a measurement is small beside it. */
const MAX_SPENT_MS = 6000

export interface Doubling {
  /** How many times as much CPU time each of the two doublings takes. */
  growth: number
  shortMs: number
  longMs: number
}

/** Returns how much CPU time two requests take: those of up to ten rounds with the least growth, like `growthOf`. */
export async function doublingOf({ longest, ...measured }: MeasuredRequest): Promise<Doubling> {
  const least = await leastDoublingOf(measured)
  if (least.growth <= MAX_DOUBLING || least.longMs < measured.measurableMs) return least
  const { growth } = await leastDoublingOf({ ...measured, short: measured.long, long: longest() })
  return { ...least, growth: Math.min(least.growth, growth) }
}

async function leastDoublingOf(measured: Omit<MeasuredRequest, 'longest'>): Promise<Doubling> {
  const { send, short, long, measurableMs } = measured
  let least: Doubling = { growth: Number.POSITIVE_INFINITY, shortMs: 0, longMs: 0 }
  let spentMs = 0
  for (let round = 0; round < ROUNDS && least.growth > MAX_DOUBLING && spentMs < MAX_SPENT_MS; round++) {
    const longMs = await cpuMsOfRequest(() => send(long))
    const shortMs = Math.min(await cpuMsOfRequest(() => send(short)), await cpuMsOfRequest(() => send(short)))
    spentMs += longMs + shortMs
    const growth = Math.sqrt(longMs / shortMs)
    if (growth < least.growth) least = { growth, shortMs, longMs }
    if (longMs < measurableMs) break
  }
  return least
}

async function cpuMsOfRequest(send: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage()
  await send()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}
