import type { FuzzKind, FuzzOptions, FuzzReport } from './fuzz-loop.ts'
import { runCases } from './run-cases.ts'
import { runRedis } from './run-redis.ts'
import { runReplies } from './run-replies.ts'
import { runSockets } from './run-sockets.ts'

/**
 * `npm run fuzz [-- CASES [SEED [KIND [FIRST]]]]`: broken sessions and prompts over all routes, 100,000 by default, and a
 * tenth as many broken replies of a model server, broken values in Redis, and slow, broken and pipelined connections. No reply
 * may be a 500 or no JSON, the event loop may not stall for a second, the heap may not grow. KIND (requests, replies, redis or
 * sockets) runs only those, FIRST begins with that case: so a failure is repeated.
 */
const MAX_STALL_MS = 1000
const MAX_GROWTH = 1.3

const RUNS: [kind: FuzzKind, share: number, run: (options: FuzzOptions) => Promise<FuzzReport>][] = [
  ['requests', 1, runCases],
  ['replies', 0.1, runReplies],
  ['redis', 0.1, runRedis],
  ['sockets', 0.1, runSockets],
]

const [cases = 100_000, seed = 20_261_121] = process.argv.slice(2, 4).map(Number)
const only = process.argv[4]
const first = Number(process.argv[5] ?? 0)
for (const [kind, share, run] of RUNS) {
  if (only !== undefined && only !== kind) continue
  const startedAt = performance.now()
  const count = only === undefined ? Math.ceil(cases * share) : cases
  const report = await run({
    cases: count,
    seed,
    first,
    onProgress: (done) => process.stdout.write(`${kind}: ${done}\n`),
  })
  print(kind, report, `${count} cases of seed ${seed} in ${((performance.now() - startedAt) / 1000).toFixed(0)} s`)
}

function print(kind: FuzzKind, { statuses, failures, longestStallMs, heapBytes }: FuzzReport, title: string): void {
  const growth = heapBytes.late / heapBytes.early
  const mib = (bytes: number): string => (bytes / 2 ** 20).toFixed(1)
  const lines = [
    `${kind}: ${title}`,
    `statuses: ${JSON.stringify(statuses)}`,
    `longest stall: ${longestStallMs.toFixed(0)} ms (at most ${MAX_STALL_MS})`,
    `heap: ${mib(heapBytes.early)} MiB -> ${mib(heapBytes.late)} MiB, ${growth.toFixed(2)} (at most ${MAX_GROWTH})`,
    `failures: ${failures.length}`,
    ...failures.slice(0, 20),
  ]
  process.stdout.write(`${lines.join('\n')}\n`)
  if (failures.length > 0 || longestStallMs > MAX_STALL_MS || growth > MAX_GROWTH) process.exitCode = 1
}
