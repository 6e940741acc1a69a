import type { Environment } from '../environment.ts'
import type { StoredSession } from '../mcp/host.ts'
import type { LocatedSession } from './locate-sessions.ts'

/** The program that reads and writes the database of an agent. */
export interface DatabaseProgram {
  /** Returns the newest sessions in all folders; none if the program is not there. */
  list: (count: number, env: Environment) => LocatedSession[]
  /** Returns the newest sessions with what they wait for; none if the program cannot say it. */
  listRunning: (env: Environment) => RunningInDatabase[]
  /** Returns a session as a document. @throws CliError */
  read: (id: string, env: Environment) => Buffer
  /** Replaces a session. Returns the folder of its project. @throws CliError */
  write: (id: string, body: string, env: Environment) => string | undefined
  /** A sentence that says what was done, and what is still there. */
  written: string
}

/** A session that an agent works on, as its database has it: to export many sessions takes seconds for each. */
export type RunningInDatabase = Required<Pick<StoredSession, 'pending' | 'firstRequest'>> & LocatedSession
