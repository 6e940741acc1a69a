import { runCases } from './run-cases.ts'

/**
 * `npm run fuzz [-- CASES [SEED]]`: broken sessions and prompts over all routes, 100,000 by default. No reply may be a 500
 * or no JSON, the event loop may not stall for a second, the heap may not grow.
 */
const [cases = 100_000, seed = 20_261_121] = process.argv.slice(2).map(Number)
const MAX_STALL_MS = 1000
const MAX_GROWTH = 1.3

const startedAt = performance.now()
const report = await runCases({
  cases,
  seed,
  onProgress: (done) => {
    if (done % 10_000 === 0) process.stdout.write(`${done} cases\n`)
  },
})
const { statuses, failures, longestStallMs, heapBytes } = report
const growth = heapBytes.late / heapBytes.early
const lines = [
  `${cases} cases of seed ${seed} in ${((performance.now() - startedAt) / 1000).toFixed(0)} s`,
  `statuses: ${JSON.stringify(statuses)}`,
  `longest stall: ${longestStallMs.toFixed(0)} ms (at most ${MAX_STALL_MS})`,
  `heap: ${(heapBytes.early / 2 ** 20).toFixed(1)} MiB -> ${(heapBytes.late / 2 ** 20).toFixed(1)} MiB, ${growth.toFixed(2)} (at most ${MAX_GROWTH})`,
  `failures: ${failures.length}`,
  ...failures.slice(0, 20),
]
process.stdout.write(`${lines.join('\n')}\n`)
if (failures.length > 0 || longestStallMs > MAX_STALL_MS || growth > MAX_GROWTH) process.exitCode = 1
