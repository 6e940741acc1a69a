import { readFileSync } from 'node:fs'
import type { Agent } from '../agents/agent.ts'
import { AGENTS, type DatabaseFormat } from '../agents/agents.ts'
import type { AgentDatabase } from '../agents/home.ts'
import type { Environment } from '../environment.ts'
import { CliError } from './exit.ts'
import type { LocatedSession } from './locate-sessions.ts'
import { OPENCODE_PROGRAM } from './opencode-database.ts'

/** The program that reads and writes the database of an agent. */
type DatabaseProgram = typeof OPENCODE_PROGRAM

/** The compiler names one that is missing. */
const PROGRAMS: Readonly<Record<DatabaseFormat, DatabaseProgram>> = { opencode: OPENCODE_PROGRAM }

const DATABASES = Object.entries(PROGRAMS).flatMap(([format, program]) => {
  const { database }: Agent = AGENTS[format as DatabaseFormat]
  return database === undefined ? [] : [{ ...database, ...program }]
})

/** More sessions of a database than this are not searched for the beginning of an id. */
const MOST_LISTED = 1000

/** Returns the sessions of all databases. */
export const listDatabases = (env: Environment): LocatedSession[] =>
  DATABASES.flatMap(({ list }) => list(MOST_LISTED, env))

/** Returns the database that an id, or the beginning of one, belongs to. */
export const databaseWith = (id: string): (AgentDatabase & DatabaseProgram) | undefined =>
  DATABASES.find(({ isId }) => isId(id))

/** Returns the sessions of the database that an id, or the beginning of one, belongs to; undefined if it belongs to none. */
export const listDatabaseWith = (id: string, env: Environment): LocatedSession[] | undefined =>
  databaseWith(id)?.list(MOST_LISTED, env)

/**
 * Returns the sessions of an agent with a database, with what they wait for if its program can say it; undefined for other
 * agents.
 */
export function listRunningOf(agent: string, env: Environment): LocatedSession[] | undefined {
  const database = DATABASES.find(({ name }) => name === agent)
  if (database === undefined) return undefined
  const running = database.listRunning(env)
  // Older versions have no command for it.
  return running.length > 0 ? running : database.list(MOST_LISTED, env)
}

/** Returns a session as it is now, as a document. A file is not locked. @throws the error of the file system; CliError */
export const readLocated = ({ path, id }: Pick<LocatedSession, 'path' | 'id'>, env: Environment): Buffer =>
  path === undefined ? readFromDatabase(id, env) : readFileSync(path)

/** Returns a session of a database as a document. @throws CliError */
export function readFromDatabase(id: string, env: Environment): Buffer {
  const database = databaseWith(id)
  if (database === undefined) throw new CliError('notFound', `No agent with a database has the session ${id}.`)
  return database.read(id, env)
}
