import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { describeMachine } from './support/describe-machine.ts'
import { summarize } from './support/interleave.ts'
import { printTable } from './support/print-table.ts'
import { readTreeMemoryMib } from './support/read-memory.ts'
import { spawnService } from './support/spawn-service.ts'

/**
 * Measures the resources of the idle service: time until it listens, memory, and the size of the production packages.
 */
const ROUNDS = 7
const root = fileURLToPath(new URL('..', import.meta.url))

// The first start builds the service, and loads its files into the system's cache.
await (await spawnService({})).terminate()
const times: number[] = []
const memories: number[] = []
for (let round = 0; round < ROUNDS; round++) {
  const startedAt = performance.now()
  const service = await spawnService({})
  times.push(performance.now() - startedAt)
  await wait(1000)
  memories.push(readTreeMemoryMib(service.pid))
  await service.terminate()
}
console.log(`${describeMachine()}; ${ROUNDS} rounds\n`)
printTable(
  ['what', 'measured'],
  [
    ['start to listening', `${withSpread(times)} ms`],
    ['idle memory after a second: main process', `${withSpread(memories)} MiB`],
    ['production node_modules, as npm installs them', `${measurePackages()} MB`],
  ],
)

function withSpread(values: readonly number[]): string {
  const { medianMs, spread } = summarize(values)
  return `${medianMs.toFixed(0)} ±${(100 * spread).toFixed(0)} %`
}

/** Installs the production packages in a scratch folder, and returns their size in MB. The bundle has what is used of them. */
function measurePackages(): string {
  const folder = mkdtempSync(join(tmpdir(), 'precis-'))
  try {
    for (const file of ['package.json', 'package-lock.json', '.npmrc']) cpSync(join(root, file), join(folder, file))
    run('npm', ['ci', '--omit=dev', '--no-audit', '--no-fund'], folder)
    return sizeOf(join(folder, 'node_modules'))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Returns the size of a folder in MB. */
function sizeOf(folder: string): string {
  const { stdout } = spawnSync('du', ['-s', '-k', folder], { encoding: 'utf8' })
  return (Number.parseInt(stdout, 10) / 1000).toFixed(0)
}

function run(command: string, args: readonly string[], cwd: string): void {
  const { status } = spawnSync(command, args, { cwd, stdio: 'ignore' })
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} failed.`)
}
