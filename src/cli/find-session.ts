import { readFileSync, statSync } from 'node:fs'
import type { Machine } from '../agents/home.ts'
import { shorten } from '../text/shorten.ts'
import type { Cli } from './cli.ts'
import { databaseWith, listDatabaseWith, readFromDatabase } from './databases.ts'
import { nameOfArgument } from './describe-error.ts'
import { describeFileFault } from './describe-file-fault.ts'
import { CliError } from './exit.ts'
import { locateSessions, type LocatedSession } from './locate-sessions.ts'
import { sessionsNamed, shownIds } from './session-ids.ts'

const MAX_NAME_CHARACTERS = 300

export type NamedSession =
  { kind: 'file'; path: string; id?: string } | { kind: 'database'; id: string } | { kind: 'stdin' }

/** Returns the session that an argument names: `-`, a file, or the beginning of an id. @throws CliError */
export function findNamedSession(argument: string, machine: Machine): NamedSession {
  if (argument === '-') return { kind: 'stdin' }
  if (isThere(argument)) return { kind: 'file', path: argument }
  const database = databaseWith(argument)
  if (database?.isWholeId(argument) === true) return { kind: 'database', id: argument }
  const unread: string[] = []
  const all = searched(argument, machine, unread)
  const sessions = sessionsNamed(argument, all)
  if (sessions.length > 1) throw ambiguous(argument, sessions, all)
  const [first] = sessions
  if (first?.path !== undefined) return { kind: 'file', path: first.path, id: argument }
  // Old versions of opencode list only the sessions of the current folder.
  if (database !== undefined) return { kind: 'database', id: first?.id ?? argument }
  const hint = unread.length === 0 ? '' : ` Not searched, because it could not be read: ${unread.join(', ')}.`
  throw new CliError(
    'notFound',
    `There is no file and no session "${shorten(argument, MAX_NAME_CHARACTERS)}". \`precis list\` shows the sessions.${hint}`,
  )
}

function ambiguous(argument: string, sessions: readonly LocatedSession[], all: readonly LocatedSession[]): CliError {
  const some = sessions.slice(0, 5)
  const ids = new Set(some.map(({ id }) => id))
  if (ids.size === 1)
    return new CliError(
      'notFound',
      `Several sessions have the id ${some[0]?.id}: ${some.map(({ path }) => path).join(', ')}. Give the path of one.`,
    )
  const shown = shownIds(all)
  const list = some.map((session) => `${shown.get(session)} (${session.agent})`).join(', ')
  return new CliError('notFound', `"${argument}" is the beginning of several ids: ${list}. Give more of it.`)
}

/** Returns whether something that can be read is at a path: a file, or the pipe of a process substitution. @throws CliError for a folder */
function isThere(path: string): boolean {
  try {
    const found = statSync(path, { throwIfNoEntry: false })
    if (found?.isDirectory() === true)
      throw new CliError('notFound', `${path} is a folder. Give a session file, or an id of \`precis list\`.`)
    return found !== undefined
  } catch (cause) {
    if (cause instanceof CliError) throw cause
    const { code } = cause as NodeJS.ErrnoException
    // A text that is too long for a name, or below a file, names no file.
    if (code === 'ENAMETOOLONG' || code === 'ENOTDIR') return false
    throw new CliError('notFound', `${path} cannot be read: ${describeFileFault(cause)}.`, { cause })
  }
}

/** Returns the sessions that an argument may name. */
function searched(argument: string, machine: Machine, unread: string[]): LocatedSession[] {
  if (/[/\\]/.test(argument)) return []
  return listDatabaseWith(argument, machine.env) ?? locateSessions(machine, (place) => unread.push(place))
}

/** Reads a session. @throws CliError */
export async function readSession(source: NamedSession, cli: Cli): Promise<Buffer> {
  const bytes = await readSource(source, cli)
  if (bytes.length === 0) throw new CliError('notFound', `${nameOfSource(source)} is empty.`)
  return bytes
}

/** Returns what a session is called in an error. */
export function nameOfSource(source: NamedSession): string {
  if (source.kind === 'stdin') return nameOfArgument('-')
  return source.kind === 'file' ? source.path : source.id
}

async function readSource(source: NamedSession, { env, stdin }: Cli): Promise<Buffer> {
  switch (source.kind) {
    case 'database':
      return readFromDatabase(source.id, env)
    case 'stdin': {
      const chunks: Buffer[] = []
      for await (const chunk of stdin) chunks.push(chunk)
      return Buffer.concat(chunks)
    }
    case 'file':
      try {
        return readFileSync(source.path)
      } catch (cause) {
        throw new CliError('notFound', `${source.path} cannot be read: ${describeFileFault(cause)}.`, { cause })
      }
  }
}
