import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describeMachine } from './support/describe-machine.ts'
import { printTable } from './support/print-table.ts'
import { probeHealth } from './support/probe-health.ts'
import { readTreeMemoryMib } from './support/read-memory.ts'
import { largeBody } from './support/sessions.ts'
import { spawnService } from './support/spawn-service.ts'

/**
 * Measures look-ups: `precis recall` in 3 MB from its start to its end, `POST /recall` with 3 and 60 MB and the health checks beside
 * it, and the requests of one caller while another one keeps 30 connections busy with bodies that are costly to redact.
 */
const ROUNDS = 5
const CONNECTIONS = 30
const REQUESTS = 20
const SMALL_BYTES = 34_000
/** Half a second of work for each request. */
const COSTLY_WORDS = 50_000

// This builds the command line too.
const service = await spawnService({ PRECIS_TOKENS: 'bench-large-caller,bench-small-caller' })
const folder = mkdtempSync(join(tmpdir(), 'precis-recall-'))
try {
  console.log(`${describeMachine()}\n`)
  printTable(
    ['look-up', 'median', 'health checks beside it'],
    [
      ['precis recall, 3 MB', `${measureCommand().toFixed(0)} ms`, ''],
      ['POST /recall, 3 MB', ...(await measureRoute(3))],
      ['POST /recall, 60 MB', ...(await measureRoute(60))],
    ],
  )
  console.log(`\nmemory of all processes after 60 MB: ${readTreeMemoryMib(service.pid).toFixed(0)} MiB`)
  await measureFlood()
} finally {
  rmSync(folder, { recursive: true })
  await service.terminate()
}

/** Returns how long the command takes, in milliseconds. */
function measureCommand(): number {
  const path = join(folder, 'session.jsonl')
  writeFileSync(path, sessionLines(3))
  const main = fileURLToPath(new URL('../dist/cli/main.js', import.meta.url))
  const rounds = Array.from({ length: ROUNDS }, () => {
    const startedAt = performance.now()
    spawnSync(process.execPath, [main, 'recall', path, 'invoice', 'period', '--scope', 'all'])
    return performance.now() - startedAt
  })
  return shareOf(rounds, 0.5)
}

/** Returns how long a look-up in a session of some megabytes takes, and the health checks meanwhile. */
async function measureRoute(megabytes: number): Promise<[string, string]> {
  const body = sessionLines(megabytes)
  const answers: Answer[] = []
  const health = await probeHealth(service.url, async () => {
    for (let round = 0; round < ROUNDS; round++)
      answers.push(await send('large', '/recall?scope=all&query=invoice', body))
  })
  const ms = shareOf(
    answers.map((answer) => answer.ms),
    0.5,
  )
  return [
    `${ms.toFixed(0)} ms`,
    `95 % within ${shareOf(health, 0.95).toFixed(0)} ms, slowest ${Math.max(...health).toFixed(0)} ms`,
  ]
}

async function measureFlood(): Promise<void> {
  const user = { role: 'user', content: 'x' }
  const costly = JSON.stringify({ messages: [user, { ...user, content: 'password=a1b2c3d4 '.repeat(COSTLY_WORDS) }] })
  let isDone = false
  const flood = Array.from({ length: CONNECTIONS }, async () => {
    while (!isDone) await send('large', '/recall?scope=all&query=a', costly)
  })
  await new Promise((resolve) => setTimeout(resolve, 3000))
  const small = sessionLines(1).slice(0, SMALL_BYTES)
  const body = small.slice(0, small.lastIndexOf('\n') + 1)
  const rows: string[][] = []
  for (const path of ['/recall?scope=all&query=invoice', '/compaction?keepRecentTokens=1000']) {
    const answers: Answer[] = []
    while (answers.length < REQUESTS) answers.push(await send('small', path, body))
    const times = answers.map(({ ms }) => ms)
    const answered = answers.filter(({ status }) => status === 200).length
    rows.push([path, `${answered} of ${REQUESTS}`, `${shareOf(times, 0.95).toFixed(0)} ms`])
  }
  isDone = true
  await Promise.all(flood)
  console.log(`\n34 KB, beside ${CONNECTIONS} connections of another caller`)
  printTable(['request', 'answered', '95 % within'], rows)
}

interface Answer {
  status: number
  ms: number
}

async function send(caller: 'large' | 'small', path: string, body: string): Promise<Answer> {
  const startedAt = performance.now()
  const type = body.startsWith('{"messages"') ? 'application/json' : 'application/x-ndjson'
  const headers = { 'content-type': type, authorization: `Bearer bench-${caller}-caller` }
  const response = await fetch(service.url + path, { method: 'POST', headers, body })
  await response.arrayBuffer()
  return { status: response.status, ms: performance.now() - startedAt }
}

function sessionLines(megabytes: number): string {
  const { entries } = JSON.parse(largeBody(megabytes)) as { entries: unknown[] }
  return entries.map((entry) => `${JSON.stringify(entry)}\n`).join('')
}

/** Returns the value that a share of all values does not exceed. */
function shareOf(values: readonly number[], share: number): number {
  return values.toSorted((a, b) => a - b)[Math.floor((values.length - 1) * share)] ?? 0
}
