import { monitorEventLoopDelay } from 'node:perf_hooks'
import { createRandom, type Random } from '../../bench/support/create-random.ts'

/** What a run sends: requests to the service, replies of its model server, values in Redis, or bytes on its sockets. */
export type FuzzKind = 'requests' | 'replies' | 'redis' | 'sockets'

export interface FuzzOptions {
  cases: number
  seed: number
  /** The number of the first case; default: 0. A case depends only on the seed and its number. */
  first?: number
  /** Called every thousand cases. */
  onProgress?: (done: number) => void
}

export interface FuzzReport {
  /** How many replies had which status. */
  statuses: Record<string, number>
  /** What is wrong, each with the command that repeats its case. */
  failures: string[]
  longestStallMs: number
  /** The heap after the first tenth and at the end, collected where `--expose-gc` is set. */
  heapBytes: { early: number; late: number }
}

/** The result of one case. */
export interface CaseResult {
  statuses: readonly (number | string)[]
  faults: readonly string[]
}

type RunCase = (random: Random, number: number) => Promise<CaseResult>

/**
 * Runs cases one after the other. Warnings of Node, which reports leaked listeners with them, and unhandled rejections are
 * failures of the case that is running.
 */
export async function fuzz(kind: FuzzKind, options: FuzzOptions, runCase: RunCase): Promise<FuzzReport> {
  const { cases, seed, first = 0, onProgress } = options
  const report: FuzzReport = { statuses: {}, failures: [], longestStallMs: 0, heapBytes: { early: 0, late: 0 } }
  const delay = monitorEventLoopDelay({ resolution: 10 })
  const unexpected: string[] = []
  const stopWatching = watchProcess(unexpected)
  delay.enable()
  for (let done = 0; done < cases; done++) {
    const number = first + done
    const { statuses, faults } = await runCase(randomOf(seed, number), number)
    // Without a turn, neither a stall nor a rejection would be seen.
    if (done % 10 === 0 || done === cases - 1) await new Promise((resolve) => setImmediate(resolve))
    for (const status of statuses) report.statuses[status] = (report.statuses[status] ?? 0) + 1
    for (const fault of [...faults, ...unexpected.splice(0)])
      report.failures.push(`npm run fuzz -- 1 ${seed} ${kind} ${number}: ${fault}`)
    if (done === Math.floor(cases / 10)) report.heapBytes.early = heapBytes()
    if (done % 1000 === 999) onProgress?.(done + 1)
  }
  delay.disable()
  stopWatching()
  report.longestStallMs = delay.max / 1e6
  report.heapBytes.late = heapBytes()
  return report
}

/** Seeds that follow each other would begin with nearly equal numbers: the factor spreads them. */
const SPREAD = 1_000_003
const LARGEST_SEED = 2_147_483_645

/** Returns the random numbers of one case. */
const randomOf = (seed: number, number: number): Random =>
  createRandom(1 + ((((seed + number * 7919) % LARGEST_SEED) * SPREAD) % LARGEST_SEED))

function watchProcess(unexpected: string[]): () => void {
  const onRejection = (reason: unknown): void => {
    unexpected.push(`an unhandled rejection: ${String(reason)}`)
  }
  const onWarning = ({ name, message }: Error): void => {
    unexpected.push(`a warning: ${name} ${message}`)
  }
  process.on('unhandledRejection', onRejection)
  process.on('warning', onWarning)
  return () => {
    process.off('unhandledRejection', onRejection)
    process.off('warning', onWarning)
  }
}

function heapBytes(): number {
  global.gc?.()
  return process.memoryUsage().heapUsed
}
