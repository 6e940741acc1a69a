import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { LocatedSession } from './agents.ts'
import { CliError } from './exit.ts'

/** opencode keeps its sessions in a database of its own, so its own command reads and writes them. */
const TIMEOUT_MS = 60_000
const LARGEST_EXPORT_BYTES = 1_073_741_824

/** The ids of opencode's sessions begin so. */
export const isOpencodeId = (text: string): boolean => /^ses_\w+$/.test(text)

/** Returns the newest sessions of opencode; none if its command is not there. */
export function listOpencode(count: number): LocatedSession[] {
  const { status, stdout } = run(['session', 'list', '--format', 'json', '--max-count', String(count)])
  if (status !== 0) return []
  return parseList(stdout.toString()).flatMap(({ id, directory, updated }) =>
    typeof id === 'string' && isOpencodeId(id) && typeof updated === 'number'
      ? [
          {
            agent: 'opencode',
            id,
            modifiedMs: updated,
            project: () => (typeof directory === 'string' ? directory : undefined),
          },
        ]
      : [],
  )
}

/** Returns a session as opencode exports it. @throws CliError */
export function exportOpencode(id: string): Buffer {
  const { status, stdout } = run(['export', id])
  if (status === 0 && stdout.includes('{')) return stdout.subarray(stdout.indexOf('{'))
  throw new CliError('notFound', `\`opencode export ${id}\` failed. Is opencode installed, and has it this session?`)
}

/** Has opencode read a session. @throws CliError */
export function importOpencode(id: string, body: string): void {
  const folder = mkdtempSync(join(tmpdir(), 'precis-'))
  try {
    const file = join(folder, 'session.json')
    writeFileSync(file, body, { mode: 0o600, flush: true })
    const { status } = run(['import', file])
    if (status !== 0) throw new CliError('failed', `\`opencode import\` failed, so ${id} is as it was.`)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

const run = (args: readonly string[]) =>
  spawnSync('opencode', args, {
    stdio: ['ignore', 'pipe', 'ignore'],
    timeout: TIMEOUT_MS,
    maxBuffer: LARGEST_EXPORT_BYTES,
  })

function parseList(text: string): Record<string, unknown>[] {
  try {
    const value: unknown = JSON.parse(text)
    return Array.isArray(value) ? value.filter((one): one is Record<string, unknown> => typeof one === 'object') : []
  } catch {
    return []
  }
}
