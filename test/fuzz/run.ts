import type { FuzzKind, FuzzOptions, FuzzReport } from './fuzz-loop.ts'
import { runCases } from './run-cases.ts'
import { runRedis } from './run-redis.ts'
import { runReplies } from './run-replies.ts'

const RUNS: Record<string, (options: FuzzOptions) => Promise<FuzzReport>> = {
  requests: runCases,
  replies: runReplies,
  redis: runRedis,
}
const [cases = 100, seed = 1] = process.argv.slice(2).map(Number)
const kind = process.argv[4] ?? 'replies'
const first = Number(process.argv[5] ?? 0)
const startedAt = performance.now()
const report = await RUNS[kind]!({ cases, seed, first })
console.log(
  kind as FuzzKind,
  report.statuses,
  report.longestStallMs,
  report.heapBytes,
  report.failures.slice(0, 10),
  report.failures.length,
  performance.now() - startedAt,
)
