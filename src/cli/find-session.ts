import { readFileSync, statSync } from 'node:fs'
import type { Machine } from '../agents/home.ts'
import { isOpencodeId } from '../agents/opencode/exported.ts'
import { nameOf } from '../agents/shared/session-file.ts'
import { locateSessions, type LocatedSession } from './locate-sessions.ts'
import { CliError } from './exit.ts'
import { exportOpencode, isWholeOpencodeId, listOpencode } from './opencode.ts'

/** The session that an argument names. */
export type NamedSession = { kind: 'file'; path: string } | { kind: 'opencode'; id: string } | { kind: 'stdin' }

/** Shorter beginnings of ids are likely mistakes. */
const SHORTEST_ID = 4

/** More sessions of opencode than this are not searched for the beginning of an id. */
const MOST_LISTED = 1000

/** Returns the session that an argument names: `-`, a file, or the beginning of an id. @throws CliError */
export function findNamedSession(argument: string, machine: Machine): NamedSession {
  if (argument === '-') return { kind: 'stdin' }
  if (isThere(argument)) return { kind: 'file', path: argument }
  if (isWholeOpencodeId(argument)) return { kind: 'opencode', id: argument }
  const sessions = sessionsWith(argument, machine)
  if (sessions.length > 1) throw ambiguous(argument, sessions)
  const [first] = sessions
  if (first?.path !== undefined) return { kind: 'file', path: first.path }
  // Old versions of opencode list only the sessions of the current folder.
  if (isOpencodeId(argument)) return { kind: 'opencode', id: first?.id ?? argument }
  throw new CliError('notFound', `There is no file and no session "${argument}". \`precis list\` shows the sessions.`)
}

function ambiguous(argument: string, sessions: readonly LocatedSession[]): CliError {
  const some = sessions.slice(0, 5)
  const ids = new Set(some.map(({ id }) => id))
  if (ids.size === 1)
    return new CliError(
      'notFound',
      `Several sessions have the id ${some[0]?.id}: ${some.map(({ path }) => path).join(', ')}. Give the path of one.`,
    )
  const list = some.map(({ id, agent }) => `${id} (${agent})`).join(', ')
  return new CliError('notFound', `"${argument}" is the beginning of several ids: ${list}. Give more of it.`)
}

/** Returns the sessions whose id begins with a text; one session if it is the whole id. */
function sessionsWith(beginning: string, machine: Machine): LocatedSession[] {
  if (beginning.length < SHORTEST_ID || /[/\\]/.test(beginning)) return []
  const all = isOpencodeId(beginning) ? listOpencode(MOST_LISTED) : locateSessions(machine)
  const sessions = all.filter((one) => namesOf(one).some((name) => name.startsWith(beginning)))
  const exact = sessions.filter((one) => namesOf(one).includes(beginning))
  return exact.length > 0 ? exact : sessions
}

/** Returns the names of a session: its id, and its file. */
const namesOf = ({ id, path }: LocatedSession): string[] => (path === undefined ? [id] : [id, nameOf(path)])

/** Returns whether something that can be read is at a path: a file, or the pipe of a process substitution. @throws CliError for a folder */
function isThere(path: string): boolean {
  const found = statSync(path, { throwIfNoEntry: false })
  if (found?.isDirectory() === true)
    throw new CliError('notFound', `${path} is a folder. Give a session file, or an id of \`precis list\`.`)
  return found !== undefined
}

/** Reads a session. @throws CliError */
export async function readSession(source: NamedSession): Promise<Buffer> {
  const bytes = await readSource(source)
  if (bytes.length === 0) throw new CliError('notFound', 'The session is empty.')
  return bytes
}

async function readSource(source: NamedSession): Promise<Buffer> {
  switch (source.kind) {
    case 'opencode':
      return exportOpencode(source.id)
    case 'stdin': {
      const chunks: Buffer[] = []
      for await (const chunk of process.stdin) chunks.push(chunk as Buffer)
      return Buffer.concat(chunks)
    }
    case 'file':
      try {
        return readFileSync(source.path)
      } catch (cause) {
        throw new CliError('notFound', `${source.path} cannot be read: ${(cause as Error).message}`, { cause })
      }
  }
}
