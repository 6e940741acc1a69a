import { closeSync, openSync, readFileSync, statSync, type Stats } from 'node:fs'
import { realPath, withParents } from '../agents/shared/session-file.ts'
import type { Cli } from './cli.ts'
import { databaseWith, listDatabases } from './databases.ts'
import { CliError } from './exit.ts'
import { findNamedSession, type NamedSession } from './find-session.ts'
import { locateSessions, type LocatedSession } from './locate-sessions.ts'
import { optionTextOf, type Values } from './read-arguments.ts'
import { sayLeftOut } from './say-remarks.ts'
import { sessionsNamed } from './session-ids.ts'

interface Recalled {
  source: NamedSession
  /** The query for it. */
  words: readonly string[]
}

/**
 * Returns the session that a look-up is about: that of `--session`; the one that the first argument names; or else the newest one of
 * the current folder. @throws CliError
 */
export async function chooseRecalled(values: Values, positionals: readonly string[], cli: Cli): Promise<Recalled> {
  const named = optionTextOf(values, 'session')
  if (named !== undefined) return { source: findNamedSession(named, cli), words: positionals }
  const [first, ...others] = positionals
  const located = locateSessions(cli, sayLeftOut(cli.terminal))
  if (first !== undefined && (await isNameOfSession(first, located)))
    return { source: findNamedSession(first, cli), words: others }
  const session = newestOf(cli, located, first)
  cli.terminal.say(`Session: ${session.agent} ${session.path ?? session.id}`)
  return {
    source: session.path === undefined ? { kind: 'database', id: session.id } : { kind: 'file', path: session.path },
    words: positionals,
  }
}

/** A text that can only be meant as the name of a session, also if there is none of that name. */
const LIKE_A_NAME = /^[0-9a-f]{8}-[0-9a-f]{4}(?:-[0-9a-f]{1,12}){0,3}$|^\S+\.jsonl$|^.*[/\\][^/\\]*\.jsonl$/i

/** A beginning of an id without a digit may be a word, and a short one without a letter a number. */
const BEGINNING_OF_ID = /^(?=\D*\d)(?:(?=\d*[a-z])[\w-]{4,}|[\w-]{8,})$/i

/** Returns whether an argument names a session: words are looked up in the same place. */
async function isNameOfSession(argument: string, located: readonly LocatedSession[]): Promise<boolean> {
  if (argument === '-' || LIKE_A_NAME.test(argument)) return true
  if (databaseWith(argument)?.isWholeId(argument) === true) return true
  const found = statOf(argument)
  if (found?.isFIFO() === true) return true
  if (found?.isFile() === true)
    return argument.endsWith('.jsonl') || isUnreadable(argument) || isSession(readFileSync(argument))
  if (isMistypedId(argument, located)) return true
  const sessions = sessionsNamed(argument, located)
  return sessions.some(({ id }) => id === argument) || (sessions.length > 0 && BEGINNING_OF_ID.test(argument))
}

/** An id as `precis list` shows it. The hash of a commit may have this form too, but not nearly the characters of an id. */
const SHOWN_ID = /^[0-9a-f]{8}$/i

/** Returns whether a text is the beginning of an id of a session but for one character. */
function isMistypedId(text: string, located: readonly LocatedSession[]): boolean {
  const differences = (id: string): number =>
    Array.from(text).filter((character, at) => character !== id.charAt(at)).length
  return (
    SHOWN_ID.test(text) &&
    located.every(({ id }) => differences(id) > 0) &&
    located.some(({ id }) => differences(id) === 1)
  )
}

/** A sentence may be too long for a name, which is an error. */
function statOf(path: string): Stats | undefined {
  try {
    return statSync(path)
  } catch {
    return undefined
  }
}

/** Whether a file may not be read: it is named, because a look-up in another session would be another answer. */
function isUnreadable(path: string): boolean {
  try {
    closeSync(openSync(path, 'r'))
    return false
  } catch {
    return true
  }
}

/** A look-up may be about `package.json`, which is a file too. */
const isSession = async (body: Buffer): Promise<boolean> =>
  (await import('../use-cases/recall/work.ts')).isSessionDocument(body)

/** Returns the newest session of the current folder, or of the nearest one that it is in. @throws CliError */
function newestOf({ folder, home, env }: Cli, located: readonly LocatedSession[], first?: string): LocatedSession {
  const [here = folder, ...parents] = withParents(realPath(folder))
  // Above the folders of all projects, any session would do.
  const folders = [here, ...parents.slice(0, -1).filter((parent) => parent !== realPath(home))]
  const found = nearestIn(folders, located) ?? nearestIn(folders, listDatabases(env))
  if (found !== undefined) return found
  const unknown = first === undefined || !BEGINNING_OF_ID.test(first) ? '' : `, and no session has the name "${first}"`
  throw new CliError(
    'notFound',
    `No session of an agent began in ${folder}${unknown}. Name one: \`precis recall --session ID WORDS\`. \`precis list\` shows the ids.`,
  )
}

/** @param folders the nearest first */
function nearestIn(folders: readonly string[], sessions: readonly LocatedSession[]): LocatedSession | undefined {
  let [nearest, nearestAt]: [LocatedSession | undefined, number] = [undefined, folders.length]
  for (const session of sessions) {
    const project = session.project()
    const at = project === undefined ? -1 : folders.indexOf(realPath(project))
    if (at >= 0 && at < nearestAt) [nearest, nearestAt] = [session, at]
    if (nearestAt === 0) break
  }
  return nearest
}
