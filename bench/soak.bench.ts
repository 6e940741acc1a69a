import { setTimeout as wait } from 'node:timers/promises'
import { describeMachine } from './support/describe-machine.ts'
import { summarize } from './support/interleave.ts'
import { printTable } from './support/print-table.ts'
import { runClients, type SoakReply } from './support/soak-clients.ts'
import { openSoakModel } from './support/soak-model.ts'
import { spawnService } from './support/spawn-service.ts'

/**
 * Sends requests from 200 clients for two minutes to the service as a process; the model server fails a tenth of the
 * calls. After 30 s the process gets SIGTERM while it works, and a new one replaces it; the memory of the new one is
 * measured. Counts replies that are neither a summary nor a documented problem, late replies, replies with another
 * client's content, and accepted requests that were lost.
 */
const CLIENTS = 200
const SEED = 4242
const FIRST_MS = 30_000
const SECOND_MS = 90_000
const SETTLED_AFTER_MS = 20_000
const SAMPLE_MS = 1000
const DEADLINE_MS = 8000
/** The time for reading, checking and sending a reply on two busy cores, in addition to the deadline. */
const GRACE_MS = 1000
/** A request sent so shortly before the signal may have arrived after it. */
const RACE_MS = 100

const model = await openSoakModel(SEED)
const environment = {
  OPENAI_BASE_URL: model.url,
  PRECIS_DEADLINE_MS: String(DEADLINE_MS),
  PRECIS_CONTEXT_WINDOW: '60000',
  PRECIS_CONCURRENCY: '64',
  PRECIS_QUEUE: '200',
}
console.log(`${describeMachine()}; seed ${SEED}; ${CLIENTS} clients`)
const first = await spawnService(environment)
let target: string | undefined = first.url
const startedAt = performance.now()
const context = runClients({
  clients: CLIENTS,
  seed: SEED,
  url: () => target,
  untilMs: startedAt + FIRST_MS + SECOND_MS,
})

await wait(FIRST_MS)
const signalAtMs = performance.now()
const ended = first.terminate()
const second = await spawnService(environment)
target = second.url
const exitCode = await ended
const endedAfterMs = performance.now() - signalAtMs
const memory = await sampleMemory(second.url, startedAt + FIRST_MS + SECOND_MS)
const replies = await context
const secondExitCode = await second.terminate()
await model.close()
report()

/** Returns the resident memory of the service, in MiB, measured once a second. */
async function sampleMemory(url: string, untilMs: number): Promise<number[]> {
  const samples: number[] = []
  const settledAt = performance.now() + SETTLED_AFTER_MS
  while (performance.now() < untilMs) {
    await wait(SAMPLE_MS)
    if (performance.now() < settledAt) continue
    const text = await (await fetch(`${url}/metrics`)).text()
    samples.push(Number(/^process_resident_memory_bytes (\S+)/m.exec(text)?.[1]) / 2 ** 20)
  }
  return samples
}

function report(): void {
  const counts = new Map<string, number>()
  for (const { outcome } of replies) counts.set(outcome, (counts.get(outcome) ?? 0) + 1)
  printTable(
    ['outcome', 'replies'],
    [...counts].sort(([, one], [, other]) => other - one).map(([name, count]) => [name, String(count)]),
  )
  const accepted = replies.filter(
    ({ startedAtMs }) => startedAtMs < signalAtMs - RACE_MS || startedAtMs > signalAtMs + endedAfterMs,
  )
  const count = (isBad: (reply: SoakReply) => boolean, of = replies): string => String(of.filter(isBad).length)
  const times = replies.filter(({ outcome }) => outcome === 'summary').map(({ ms }) => ms)
  const { medianMs: early } = summarize(memory.slice(0, 15))
  const { medianMs: late } = summarize(memory.slice(-15))
  const { medianMs, p99Ms } = summarize(times)
  console.log()
  printTable(
    ['what', 'measured'],
    [
      ['neither a summary nor a problem of the table', count(({ outcome }) => outcome === 'wrong')],
      [`later than ${(DEADLINE_MS + GRACE_MS) / 1000} s`, count(({ ms }) => ms > DEADLINE_MS + GRACE_MS)],
      ['mixed up between clients', count(({ isMixedUp }) => isMixedUp)],
      ['accepted and lost', count(({ outcome }) => outcome === 'lost', accepted)],
      ['exit codes after SIGTERM', `${exitCode ?? '-'}, ${secondExitCode ?? '-'}`],
      ['drained in', `${(endedAfterMs / 1000).toFixed(1)} s`],
      ['memory, settled and at the end', `${early.toFixed(0)} and ${late.toFixed(0)} MiB`],
      ['ratio', (late / early).toFixed(2)],
      ['summaries: median, 99th percentile', `${medianMs.toFixed(0)}, ${p99Ms.toFixed(0)} ms`],
    ],
  )
}
