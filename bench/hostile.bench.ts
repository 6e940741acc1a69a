import { Agent } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import { describeMachine } from './support/describe-machine.ts'
import { hostileBodies } from './support/hostile-bodies.ts'
import { askAndNotRead, HOSTILE_TOKEN, playTrick } from './support/hostile-sockets.ts'
import { summarize } from './support/interleave.ts'
import { printTable } from './support/print-table.ts'
import { probeHealth } from './support/probe-health.ts'
import { readTreeMemoryMib } from './support/read-memory.ts'
import { largeBody } from './support/sessions.ts'
import { spawnService } from './support/spawn-service.ts'

/**
 * Sends hostile input without a pause to a service with the limits of the documented container, and good requests beside
 * it, from another caller: bodies that take much memory or time, connections that are slow, broken or not read. Counts good requests that are
 * lost and hostile ones that end too late, and measures health checks and memory. `npm run bench -- hostile [MINUTES]`,
 * by default 2.
 */
const [, minutes = 2] = process.argv.slice(2).map(Number)
const DEADLINE_MS = 10_000
/** A reply comes within the deadline and this. */
const GRACE_MS = 1000
const BODY_LIMIT = 16 * 2 ** 20
const SENDERS = 4
const GOOD_EVERY_MS = 250
const TRICK_EVERY_MS = 200
const TRICK_HELD_MS = 4000
/** Memory is compared between the second and the last tenth of the run: the first has cold caches. */
const SAMPLE_MS = 500

const bodies = hostileBodies(BODY_LIMIT - 1000)
const large = Buffer.from(largeBody(10))
const good = Buffer.from(
  JSON.stringify({
    prompt: '<conversation>\n[User]: Fix the parser.\n\n[Assistant]: It is fixed.\n</conversation>\n\nSummarize.',
  }),
)
const service = await spawnService(
  {
    PRECIS_BODY_LIMIT: String(BODY_LIMIT),
    PRECIS_DEADLINE_MS: String(DEADLINE_MS),
    PRECIS_WORKERS: '2',
    PRECIS_WORKER_MEMORY_MB: '256',
    PRECIS_TOKENS: `good,${HOSTILE_TOKEN}`,
  },
  ['--max-old-space-size=768'],
)
const headersOf = (token: string) => ({ 'content-type': 'application/json', authorization: `Bearer ${token}` })
const { port } = new URL(service.url)
const untilMs = performance.now() + minutes * 60_000
const isOver = (): boolean => performance.now() > untilMs
const statuses = new Map<string, number>()
const late: string[] = []
const lost: string[] = []
const goodMs: number[] = []
const memoryMib: number[] = []

console.log(`${describeMachine()}; ${minutes} minutes, ${bodies.length} kinds of bodies, ${SENDERS} senders\n`)
const health = await probeHealth(service.url, () =>
  Promise.all([
    ...Array.from({ length: SENDERS }, (_, number) => sendHostile(number)),
    sendTricks(),
    sendGood(),
    sample(),
  ]),
)
const exitCode = await service.terminate()
report()

async function sendHostile(sender: number): Promise<void> {
  for (let index = sender; !isOver(); index += 1) {
    const body = bodies[(index * 7) % bodies.length]
    if (body === undefined) continue
    const beganAt = performance.now()
    const headers = { ...headersOf(HOSTILE_TOKEN), 'content-encoding': 'gzip' }
    const status = await fetch(`${service.url}/compaction`, { method: 'POST', headers, body: body.gzip }).then(
      async (response) => (await response.arrayBuffer(), String(response.status)),
      () => 'no reply',
    )
    statuses.set(status, (statuses.get(status) ?? 0) + 1)
    const ms = performance.now() - beganAt
    if (status === 'no reply' || ms > DEADLINE_MS + GRACE_MS)
      late.push(`${body.name}: ${status} after ${ms.toFixed(0)} ms`)
  }
}

async function sendTricks(): Promise<void> {
  const held: Promise<void>[] = []
  for (let number = 0; !isOver(); number++) {
    held.push(playTrick(Number(port), number, TRICK_HELD_MS))
    if (number % 25 === 0) held.push(askAndNotRead(Number(port), large, TRICK_HELD_MS))
    await wait(TRICK_EVERY_MS)
  }
  await Promise.all(held)
}

async function sendGood(): Promise<void> {
  const agent = new Agent({ keepAlive: true })
  while (!isOver()) {
    const beganAt = performance.now()
    const headers = headersOf('good')
    const status = await fetch(`${service.url}/compaction`, { method: 'POST', headers, body: good }).then(
      async (response) => (await response.text(), String(response.status)),
      () => 'no reply',
    )
    goodMs.push(performance.now() - beganAt)
    if (status !== '200') lost.push(status)
    await wait(GOOD_EVERY_MS)
  }
  agent.destroy()
}

async function sample(): Promise<void> {
  while (!isOver()) {
    memoryMib.push(readTreeMemoryMib(service.pid))
    await wait(SAMPLE_MS)
  }
}

function report(): void {
  const tenth = Math.max(1, Math.floor(memoryMib.length / 10))
  const medianOf = (samples: number[]): number => summarize(samples).medianMs
  const early = medianOf(memoryMib.slice(tenth, 2 * tenth))
  const end = medianOf(memoryMib.slice(-tenth))
  const replies = [...statuses].sort().map(([status, count]) => `${status}: ${count}`)
  printTable(
    ['what', 'measured'],
    [
      ['hostile bodies, by status', replies.join(', ')],
      [`later than the deadline and ${GRACE_MS / 1000} s, or no reply`, String(late.length)],
      ['good requests, lost', `${goodMs.length}, ${lost.length}`],
      ['good requests: median, max', `${medianOf(goodMs).toFixed(0)}, ${Math.max(...goodMs).toFixed(0)} ms`],
      ['health: 99th percentile, max', `${summarize(health).p99Ms.toFixed(0)}, ${Math.max(...health).toFixed(0)} ms`],
      [
        'memory of all processes: early, end, peak',
        `${early.toFixed(0)}, ${end.toFixed(0)}, ${Math.max(...memoryMib).toFixed(0)} MiB`,
      ],
      ['ratio', (end / early).toFixed(2)],
      ['exit code after SIGTERM', String(exitCode ?? '-')],
    ],
  )
  for (const line of late.slice(0, 10)) console.log(line)
  if (lost.length > 0) console.log(`lost: ${[...new Set(lost)].join(', ')}`)
}
