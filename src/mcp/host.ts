import type { Machine } from '../agents/home.ts'
import type { ToolCallBlock } from '../session/message.ts'

export interface StoredSession {
  agent: string
  id: string
  /** Absent for agents with a database. */
  path?: string
  modifiedMs: number
  /** Returns the folder that the agent worked in; undefined if it is not recorded. */
  project: () => string | undefined
  /** The facts that a database has without the whole session: the calls of tools without a result, and the first request. */
  pending?: readonly Pick<ToolCallBlock, 'name' | 'arguments'>[]
  firstRequest?: string
}

/** The backups of a session file, oldest first, and the names of those that cannot be read. */
export interface SessionCopies {
  copies: { name: string; body: Buffer }[]
  unread: string[]
}

/** The functions of its machine that the server needs. */
export interface McpHost extends Machine {
  /** Whether sessions of other folders may be read too. */
  isForAllProjects: boolean
  /** The process ids of this process's parents, the nearest first. */
  parents: () => number[]
  /** Returns the sessions of all agents that store them as files, the newest first. */
  listFiles: () => StoredSession[]
  /** Returns the folders and files that the last list leaves out because they cannot be read, with the reasons. */
  unread: () => string[]
  /**
   * Returns the sessions of the database that an id, or the beginning of one, belongs to, the newest first: the program that lists
   * them takes a second. Undefined if it belongs to no database.
   */
  listDatabaseWith: (id: string) => StoredSession[] | undefined
  /** Returns the newest sessions of an agent with a database, with what they wait for; undefined for other agents. */
  listRunningOf: (agent: string) => StoredSession[] | undefined
  /** Returns a session of a database. @throws Error that says what to do */
  readFromDatabase: (id: string) => Buffer
  /** Returns what writing back has replaced in a session file with these bytes: only its backups still have it. */
  copiesOf: (path: string, bytes: Buffer) => SessionCopies
  /** Returns the sessions that a text names: a whole id, or the beginning of one. */
  named: (text: string, all: StoredSession[]) => StoredSession[]
}
