import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * The published packages of other agents, pinned. They are not dependencies of the service. pi's compaction is in the main
 * package of pi; 0.87.1 was its newest version with installable dependencies when this was written. oh-my-pi's
 * compaction is a separate package, which runs only on Bun.
 */
export const AGENT_PACKAGES = {
  pi: ['@earendil-works/pi-coding-agent@0.87.1'],
  'oh-my-pi': ['@oh-my-pi/pi-agent-core@18.2.3', 'bun@1.4.5'],
} as const

const TIME_LIMIT_MS = 300_000
/** `npm run -s` passes its log level on, which would hide the reason of a failure. */
const OPTIONS = ['--ignore-scripts', '--no-audit', '--no-fund', '--save-exact', '--fetch-retries=1', '--loglevel=error']

/**
 * Installs packages in a scratch folder with a name from their pins, unless they are there already. No script of a
 * package is run.
 * @param print receives a line before something is installed
 * @returns the folder that contains `node_modules`
 * @throws Error if npm fails, for example without a network
 */
export function installPackages(packages: readonly string[], print: (line: string) => void = () => undefined): string {
  const hash = createHash('sha256').update(JSON.stringify(packages)).digest('hex').slice(0, 12)
  const folder = join(tmpdir(), `precis-peers-${hash}`)
  // npm writes this file last.
  if (existsSync(join(folder, 'node_modules', '.package-lock.json'))) return folder
  print(`Installing ${packages.join(' and ')}`)
  mkdirSync(folder, { recursive: true })
  // Without it npm would install in the nearest parent folder that has one.
  writeFileSync(join(folder, 'package.json'), '{ "private": true }\n')
  const { status, stderr, error } = spawnSync('npm', ['install', ...OPTIONS, ...packages], {
    cwd: folder,
    encoding: 'utf8',
    timeout: TIME_LIMIT_MS,
  })
  if (status === 0) return folder
  const reason = /npm error code (\w+)/.exec(stderr)?.[1] ?? error?.message ?? 'npm failed'
  throw new Error(`${packages.join(' and ')} (${reason})`)
}

/**
 * Finds the binary in the npm package `bun`: npm has installed the one for this machine only. The package's own `bin`
 * is put in place by a script, and scripts are not run.
 * @returns undefined if there is no binary for this machine
 */
export function findBun(folder: string): string | undefined {
  const packages = join(folder, 'node_modules', '@oven')
  if (!existsSync(packages)) return undefined
  const files = readdirSync(packages).flatMap((name) => [
    join(packages, name, 'bin', 'bun'),
    join(packages, name, 'bin', 'bun.exe'),
  ])
  return files.find((file) => existsSync(file))
}
