import { spawnSync } from 'node:child_process'
import { existsSync, lstatSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isOpencodeId, sessionInExport } from '../agents/opencode/exported.ts'
import { OPENCODE } from '../agents/opencode/opencode.ts'
import type { Fields } from '../agents/shared/values.ts'
import type { Environment } from '../environment.ts'
import { fieldsOf, parseJson } from '../session/entry.ts'
import type { StoredSession } from '../mcp/host.ts'
import { isLeftOver } from './durable-file.ts'
import { CliError } from './exit.ts'
import type { LocatedSession } from './locate-sessions.ts'

/** Its commands take seconds; an import writes a whole session. */
const TIMEOUT_MS = 60_000
const LARGEST_EXPORT_BYTES = 1_073_741_824

/** `opencode session list` has only the sessions of the current folder. Sub-agents have sessions with a parent. */
const QUERY =
  'SELECT id, directory, time_updated AS updated FROM session WHERE parent_id IS NULL AND time_archived IS NULL ' +
  'ORDER BY time_updated DESC LIMIT '

/** Returns the newest sessions in all folders; none if opencode is not there. */
function list(count: number, env: Environment): LocatedSession[] {
  const everywhere = run(['db', '--format', 'json', QUERY + String(count)], env)
  // Older versions have no command `db`.
  const { status, stdout } =
    everywhere.status === 0 || everywhere.error !== undefined
      ? everywhere
      : run(['session', 'list', '--format', 'json', '--max-count', String(count)], env)
  if (status !== 0) return []
  return readRows(stdout).flatMap(sessionOf)
}

function readRows(stdout: Buffer): Fields[] {
  const list = parseJson(stdout.toString())
  return Array.isArray(list) ? list.map(fieldsOf) : []
}

const sessionOf = ({ id, directory, updated }: Fields): LocatedSession[] =>
  typeof id === 'string' && isOpencodeId(id) && typeof updated === 'number'
    ? [
        {
          ...{ agent: OPENCODE.database.name, id, modifiedMs: updated },
          project: () => (typeof directory === 'string' ? directory : undefined),
        },
      ]
    : []

/** A session that opencode works on, as its database has it: to export many sessions takes seconds for each. */
type RunningInDatabase = Required<Pick<StoredSession, 'pending' | 'firstRequest'>> & LocatedSession

/** More than anybody works on at a time. */
const MOST_RUNNING = 20

const RUNNING_QUERY =
  'SELECT id, directory, time_updated AS updated, ' +
  "(SELECT json_group_array(json_object('name', json_extract(data, '$.tool'), 'arguments', " +
  "json_extract(data, '$.state.input'))) FROM part WHERE session_id = session.id AND " +
  "json_extract(data, '$.state.status') IN ('pending', 'running')) AS pending, " +
  "(SELECT json_extract(data, '$.text') FROM part WHERE session_id = session.id AND " +
  "json_extract(data, '$.type') = 'text' ORDER BY id LIMIT 1) AS request " +
  `FROM session WHERE parent_id IS NULL AND time_archived IS NULL ORDER BY time_updated DESC LIMIT ${MOST_RUNNING}`

/** Returns the newest sessions with what they wait for; none if opencode cannot say it. */
function listRunning(env: Environment): RunningInDatabase[] {
  const { status, stdout } = run(['db', '--format', 'json', RUNNING_QUERY], env)
  const rows = status === 0 ? readRows(stdout) : []
  return rows.flatMap((row) =>
    sessionOf(row).map((session) => {
      const calls = parseJson(typeof row['pending'] === 'string' ? row['pending'] : '[]')
      const pending = (Array.isArray(calls) ? calls.map(fieldsOf) : []).map(({ name, arguments: given }) => ({
        name: typeof name === 'string' ? name : '',
        arguments: given,
      }))
      return { ...session, pending, firstRequest: typeof row['request'] === 'string' ? row['request'] : '' }
    }),
  )
}

/** Returns a session as opencode exports it. @throws CliError */
function read(id: string, env: Environment): Buffer {
  const { status, stdout } = run(['export', id], env)
  if (status === 0 && stdout.includes('{')) return stdout.subarray(stdout.indexOf('{'))
  throw new CliError('notFound', `\`opencode export ${id}\` failed. Is opencode installed, and has it this session?`)
}

/**
 * Has opencode read a session, in its own folder: opencode moves it to the project of the folder where the command runs.
 * Returns this folder.
 * @throws CliError
 */
function write(id: string, body: string, env: Environment): string | undefined {
  const { folder: project } = sessionInExport(body)
  if (project !== undefined && !existsSync(project))
    throw new CliError(
      'failed',
      `The folder of ${id} is missing: ${project}. Nothing was written. Create it, and try again.`,
    )
  const folder = openScratchFolder()
  try {
    const file = join(folder, 'session.json')
    writeExport(file, body, id)
    const { status, signal } = run(['import', file], env, project)
    if (status !== 0) throw importFailed(id, signal)
    return project
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** Creates a folder for one export, and removes those of commands that were killed: they have whole sessions. Returns its path. */
function openScratchFolder(): string {
  for (const name of readdirSync(tmpdir())) {
    const pid = /^precis-opencode-(\d{1,10})-\w+$/.exec(name)?.[1]
    if (pid !== undefined) removeScratchFolder(join(tmpdir(), name), Number(pid))
  }
  return mkdtempSync(join(tmpdir(), `precis-opencode-${process.pid}-`))
}

function removeScratchFolder(folder: string, pid: number): void {
  const stat = lstatSync(folder, { throwIfNoEntry: false })
  if (stat?.isDirectory() === true && stat.uid === process.getuid?.() && isLeftOver(pid, folder))
    rmSync(folder, { recursive: true, force: true })
}

function writeExport(file: string, body: string, id: string): void {
  try {
    writeFileSync(file, body, { mode: 0o600, flush: true })
  } catch (cause) {
    const { message } = cause as Error
    throw new CliError('failed', `Writing into ${tmpdir()} failed: ${message}. ${id} is as it was.`, { cause })
  }
}

/** A command that was killed may have written already, unlike one that ended with an error or did not start. */
function importFailed(id: string, signal: string | null): CliError {
  const result =
    signal === null
      ? `failed, so ${id} is as it was`
      : `was ended by ${signal}, at the latest after ${TIMEOUT_MS / 1000} s. Look into ${id} before you try again: ` +
        'the compaction may be in it'
  return new CliError('failed', `\`opencode import\` ${result}.`)
}

const run = (args: readonly string[], env: Environment, cwd?: string) =>
  spawnSync('opencode', args, {
    env: { ...env },
    cwd,
    stdio: ['ignore', 'pipe', 'ignore'],
    timeout: TIMEOUT_MS,
    maxBuffer: LARGEST_EXPORT_BYTES,
  })

/** opencode's own command reads and writes its database. */
export const OPENCODE_PROGRAM = {
  ...{ list, listRunning, read, write },
  /** A sentence that says what was done, and what is still there. */
  written: 'Written by `opencode import`. The older messages are still in the session.',
}
