import { describeMachine } from './support/describe-machine.ts'
import { interleave, ratio, summarize } from './support/interleave.ts'
import { printTable } from './support/print-table.ts'
import { probeHealth } from './support/probe-health.ts'
import { readMemory } from './support/read-memory.ts'
import { sendBytes } from './support/send-bytes.ts'
import { largeBody } from './support/sessions.ts'
import type { ScriptProcess } from './support/spawn-script.ts'
import { spawnService } from './support/spawn-service.ts'

/**
 * Measures a large session that is posted for a plan, a compaction or a context, while another client checks every 5 ms
 * whether the service responds: the delay of other requests, the time compared with `JSON.parse` of the same bytes, and
 * the added memory compared with the size of the bodies.
 */
/** Each round has its own service. */
const ROUNDS = 5
const WARMING_ROUNDS = 20
const SMALL = Buffer.from(largeBody(1))
const LIMIT = { PRECIS_BODY_LIMIT: String(128 * 2 ** 20), LOG_LEVEL: 'info' }
interface Case {
  megabytes: number
  atOnce: number
  route: string
}

const CASES: Record<string, Case> = {
  '20 MB': { megabytes: 20, atOnce: 1, route: '/compaction/plan' },
  '60 MB': { megabytes: 60, atOnce: 1, route: '/compaction/plan' },
  'four of 60 MB': { megabytes: 60, atOnce: 4, route: '/compaction/plan' },
  '60 MB, compacted without a model': { megabytes: 60, atOnce: 1, route: '/compaction' },
  '60 MB, handed back by /prune': { megabytes: 60, atOnce: 1, route: '/prune' },
  '60 MB, handed back by /context': { megabytes: 60, atOnce: 1, route: '/context' },
}

console.log(`${describeMachine()}; ${ROUNDS} rounds, the service in a process of its own\n`)
const rows: string[][] = []
for (const [name, one] of Object.entries(CASES)) rows.push([name, ...(await measure(one))])
printTable(['bodies', 'health p99', 'health max', 'wall / decode and parse', 'added memory / bodies', 'wall'], rows)

async function measure({ megabytes, atOnce, route }: Case): Promise<string[]> {
  const body = Buffer.from(largeBody(megabytes))
  const { naive } = await interleave(
    {
      naive: () => {
        JSON.parse(body.toString())
      },
    },
    ROUNDS,
  )
  const measured: Measured[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const service = await spawnService(LIMIT)
    measured.push(await measureService(service, { body, atOnce, route }).finally(() => service.terminate()))
  }
  const wall = summarize(measured.map(({ wallMs }) => wallMs / atOnce))
  const added = summarize(measured.map(({ addedBytes }) => addedBytes / (body.length * atOnce)))
  const probes = measured.flatMap(({ probesMs }) => probesMs)
  return [
    `${summarize(probes).p99Ms.toFixed(0)} ms`,
    `${Math.max(...probes).toFixed(0)} ms`,
    ratio(wall, naive),
    `${added.medianMs.toFixed(1)} ±${(100 * added.spread).toFixed(0)} %`,
    `${(wall.medianMs * atOnce).toFixed(0)} ms`,
  ]
}

interface Measured {
  probesMs: number[]
  wallMs: number
  addedBytes: number
}

async function measureService(
  { url, pid }: ScriptProcess,
  { body, atOnce, route }: Omit<Case, 'megabytes'> & { body: Buffer },
): Promise<Measured> {
  const post = (sent: Buffer): Promise<number> => sendBytes(url + route, { body: sent })
  // The service is warm, like the parser that it is compared with.
  for (let round = 0; round < WARMING_ROUNDS; round++) await post(SMALL)
  const before = readMemory(pid).nowMib
  let wallMs = 0
  const probesMs = await probeHealth(url, async () => {
    const beganAt = performance.now()
    await Promise.all(Array.from({ length: atOnce }, () => post(body)))
    wallMs = performance.now() - beganAt
  })
  return { probesMs, wallMs, addedBytes: (readMemory(pid).peakMib - before) * 2 ** 20 }
}
