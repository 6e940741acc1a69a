import type { Environment } from '../environment.ts'
import type { Fields } from './shared/values.ts'

export interface Machine {
  env: Environment
  home: string
  /** The current folder. */
  folder: string
}

/** How the command line names an agent. */
export interface AgentName {
  /** The word by which a user names it: `precis install ID`, `precis watch ID`. */
  id: string
  /** Its name, as `precis list` writes it. */
  name: string
}

/** Where an agent keeps the files of its sessions, and the variables with which a user moves them. */
export interface AgentHome extends AgentName {
  /** The folder below which its sessions are. */
  root: (machine: Machine) => string
  /** One pattern for each level below the root; the last one is that of the file. */
  levels: readonly RegExp[]
  /** The id of a session; default: the name of its file without the extension. */
  idOf?: (path: string) => string | undefined
  /**
   * Returns the folder that the agent worked in; default: the one that the session names.
   * @param known folders that may be it
   */
  projectOf?: (path: string, root: string, known: () => readonly string[]) => string | undefined
  /**
   * Returns whether a folder that a session names is that of its file: the session may name several. Without such a folder, the
   * first one counts.
   */
  isProject?: (folder: string, path: string) => boolean
  /** Default: every file that is not empty. */
  isSession?: (path: string) => boolean
  resume?: ResumeById
  mcpClient: McpClient | undefined
}

/** An agent that keeps its sessions in a database, which only its own program reads and writes. */
export interface AgentDatabase extends AgentName {
  /** Whether a text can be the id of a session, or the beginning of one. No other agent has such ids. */
  isId: (text: string) => boolean
  /** Whether a text can be the whole id of a session, which need not be searched for. */
  isWholeId: (text: string) => boolean
  /** Returns the command that continues a session. */
  command: (id: string) => string
  mcpClient: McpClient | undefined
}

/** How the server of the Model Context Protocol recognizes an agent, and its session; undefined for an agent that is no client. */
export interface McpClient {
  /** The name that it gives as a client. */
  name: RegExp
  /** Left out for clients that say nothing. */
  ownSession?: (caller: Caller) => OwnSession
}

/** A client that calls a tool. */
export interface Caller extends Pick<Machine, 'env' | 'home'> {
  /** The field `_meta` of the call. */
  meta: Fields
  /** The process ids of the server's parents, the nearest first. */
  parents: () => readonly number[]
}

/**
 * The session that calls, as far as its client says it. Variables count for the agent alone that sets them: an agent that is started by
 * another one inherits those of the other.
 */
export interface OwnSession {
  id?: string | undefined
  /** False for an id that a client keeps after its user has begun another session. */
  isCurrent?: boolean
  /** A text that only the calling session has, near the end of its file. */
  mark?: string | undefined
}

/** How a user continues with a session that the agent finds by its id, in the folder of the project. */
interface ResumeById {
  /** The ids by which the agent finds a session: others are names that a user gave to a copy. */
  id: RegExp
  idIn: (value: Fields) => unknown
  /** Where the agent looks for a session, below its root. Words in capitals stand for names that vary. */
  place: (id: string) => string
  command: (id: string) => string
}

/** A session file into which a compaction was written. */
export interface CompactedFile {
  /** Absolute. */
  path: string
  /** The whole session, if its format is one document. */
  body: string
  /** The name of the agent, if the file is in its home. */
  homeName?: string | undefined
}

/** How a user continues with a session file: a command, in a folder if it needs one, or a sentence. */
export type Continuation = { command: string; folder?: string | undefined } | { sentence: string }

export const ANY_FOLDER = /^[^.]/

export const JSON_LINES = /\.jsonl$/

export const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
