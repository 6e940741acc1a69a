import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * The published packages that `npm run bench -- peers` compares with, pinned. They are not dependencies of the service.
 * pi's planner is in the main package of pi; 0.87.1 was its newest version with installable dependencies when this was
 * written. oh-my-pi's planner is a separate package, which runs only on Bun.
 */
export const PEERS = {
  pi: ['@earendil-works/pi-coding-agent@0.87.1'],
  'oh-my-pi': ['@oh-my-pi/pi-agent-core@18.2.3', 'bun@1.4.5'],
  gateway: ['@portkey-ai/gateway@1.15.2'],
} as const

export type Peer = keyof typeof PEERS

/** The folder that contains a peer's `node_modules`; undefined where it could not be installed. */
export type Folders = Record<Peer, string | undefined>

const TIME_LIMIT_MS = 300_000
/** `npm run -s` passes its log level on, which would hide the reason of a failure. */
const OPTIONS = ['--ignore-scripts', '--no-audit', '--no-fund', '--save-exact', '--fetch-retries=1', '--loglevel=error']
const hash = createHash('sha256').update(JSON.stringify(PEERS)).digest('hex').slice(0, 12)
const root = join(tmpdir(), `precis-peers-${hash}`)

/**
 * Installs the peers in a scratch folder with a name from the pins, unless they are there already. No script of a
 * package is run. Each peer has its own folder, so that one can fail without the others. Where npm fails, for example
 * without a network, a line is printed and nothing is thrown.
 */
export function installPeers(): Folders {
  return { pi: install('pi'), 'oh-my-pi': install('oh-my-pi'), gateway: install('gateway') }
}

function install(peer: Peer): string | undefined {
  const folder = join(root, peer)
  // npm writes this file last.
  if (existsSync(join(folder, 'node_modules', '.package-lock.json'))) return folder
  mkdirSync(folder, { recursive: true })
  // Without it npm would install in the nearest parent folder that has one.
  writeFileSync(join(folder, 'package.json'), '{ "private": true }\n')
  const { status, stderr, error } = spawnSync('npm', ['install', ...OPTIONS, ...PEERS[peer]], {
    cwd: folder,
    encoding: 'utf8',
    timeout: TIME_LIMIT_MS,
  })
  if (status === 0) return folder
  const reason = /npm error code (\w+)/.exec(stderr)?.[1] ?? error?.message ?? 'npm failed'
  console.log(`Not installed: ${PEERS[peer].join(' and ')} (${reason})`)
  return undefined
}
