import { spawnSync } from 'node:child_process'
import { readFileSync, readlinkSync, realpathSync, type Stats } from 'node:fs'
import { setTimeout } from 'node:timers/promises'
import { namesIn } from '../agents/shared/session-file.ts'
import { CliError } from './exit.ts'

/** The facts of a file that change when it is written to or replaced. */
type FileState = Pick<Stats, 'dev' | 'ino' | 'size' | 'mtimeMs'>

/** Returns the time in milliseconds, and waits. */
interface Clock {
  now: () => number
  wait: (ms: number) => Promise<unknown>
}

const SYSTEM_CLOCK: Clock = { now: Date.now, wait: setTimeout }

/** A session that changed more recently than this may still be written to. */
const QUIET_MS = 2000

/** Refuses a session that a process has open. @throws CliError */
export function refuseOpenFile(path: string): void {
  const users = process.platform === 'linux' ? usersInProc(realpathSync(path)) : usersByLsof(path)
  if (users.length > 0)
    throw new CliError(
      'inUse',
      `${path} is open in ${users.slice(0, 3).join(', ')}. Nothing was written. End the agent, and try again.`,
    )
}

/**
 * Waits until a session has not changed for two seconds.
 * @param stat reads the state of the file
 * @throws CliError if it changes meanwhile
 */
export async function waitUntilQuiet<T extends FileState>(
  path: string,
  stat: () => T,
  { now, wait }: Clock = SYSTEM_CLOCK,
): Promise<T> {
  const before = stat()
  const ageMs = now() - before.mtimeMs
  if (ageMs >= QUIET_MS || ageMs < 0) return before
  await wait(QUIET_MS - ageMs)
  refuseChange(path, before, stat())
  return before
}

/** Refuses a file that is not as it was. @throws CliError */
export function refuseChange(path: string, before: FileState, now: FileState): void {
  const names = ['dev', 'ino', 'size', 'mtimeMs'] as const
  if (names.every((name) => before[name] === now[name])) return
  throw new CliError('inUse', `${path} is changing. Nothing was written. End the agent, and try again.`)
}

/** Returns the processes that have a file open, as far as this user may see them. */
function usersInProc(path: string): string[] {
  const pids = namesIn('/proc').filter((name) => /^\d+$/.test(name) && name !== String(process.pid))
  return pids.filter((pid) => openFilesOf(pid).includes(path)).map((pid) => `${commandOf(pid)} (process ${pid})`)
}

const openFilesOf = (pid: string): string[] =>
  namesIn(`/proc/${pid}/fd`).flatMap((fd) => attempt(() => [readlinkSync(`/proc/${pid}/fd/${fd}`)]))

const commandOf = (pid: string): string => attempt(() => [readFileSync(`/proc/${pid}/comm`, 'utf8').trim()])[0] ?? '?'

/** A process may end at any time, and those of other users cannot be read. */
function attempt(read: () => string[]): string[] {
  try {
    return read()
  } catch {
    return []
  }
}

/** Without lsof, only a change of the file is noticed. */
function usersByLsof(path: string): string[] {
  const { stdout } = spawnSync('lsof', ['-t', '--', path], { stdio: ['ignore', 'pipe', 'ignore'], encoding: 'utf8' })
  const pids = typeof stdout === 'string' ? stdout.split('\n').filter((pid) => /^\d+$/.test(pid)) : []
  return pids.filter((pid) => pid !== String(process.pid)).map((pid) => `process ${pid}`)
}
