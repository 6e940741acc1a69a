import type { FormatId } from '../schemas/format.ts'
import type { SessionAppender } from './appender.ts'
import type { AgentDatabase, AgentHome, CompactedFile, Continuation } from './home.ts'
import type { InstallTarget } from './install-target.ts'
import type { SessionReader } from './reader.ts'
import type { Fields } from './shared/values.ts'
import type { SessionWriter } from './writer.ts'

/** An agent or an API: everything that the service and the command line know of its sessions. */
export interface Agent {
  id: FormatId
  /** Absent for the service's own forms, the entries of pi and chat messages, which `session/` reads. */
  reader?: SessionReader
  /** Writes a compaction back into a session. */
  appender?: AnyAppender
  writer?: SessionWriter
  /**
   * The tags by which it recognizes text that it has written itself. In a summary they would be taken for instructions of the
   * agent, or end the summary.
   */
  tags?: readonly string[]
  summaryMessages?: readonly SummaryMessage[]
  /** The answer to a summary that it writes in the model's name. */
  acknowledgement?: string
  /** The fields of its documents that have the names of fields of requests. */
  ownFields?: readonly string[]
  /** Returns the folder of the project in a value that the agent wrote: a line, a message, or the fields of a document. */
  folderIn?: (value: Fields) => unknown
  /** Returns the id of the session in such a value, if the agent does not continue with an id alone (`AgentHome.resume`). */
  idIn?: (value: Fields) => unknown
  /** Where the files of its sessions are: those of each agent with this format. */
  homes?: readonly AgentHome[]
  database?: AgentDatabase
  /** The agents with this format into which `precis install` can write. */
  installTargets?: readonly InstallTarget[]
  /**
   * Returns a line of a session file with a text in place of the output of a call; undefined if the line has it in another place, such
   * as in a compaction. Absent: session files cannot be pruned.
   */
  withOutput?: (line: Fields, callId: string, text: string) => Fields | undefined
  /** Returns how a user continues with a file, if the agent does not find sessions by their ids. */
  continueWith?: (file: CompactedFile) => Continuation | undefined
}

/** How a client writes a summary into a message. */
export interface SummaryMessage {
  /** The first words of the message. */
  start: string
  /** The words after which the summary begins; without them, it begins after `start`. */
  after?: string
  /** The words before which it ends; their last occurrence counts. */
  before?: string
  /** Where it ends if `before` is missing, because another program has written it. */
  otherwiseBefore?: string
  /** The tag around newer messages, as text, that the client has kept after the summary. */
  keptIn?: string
}

/** An appender with material of any type. It receives only material that it has prepared itself. */
type AnyAppender = Pick<SessionAppender<never>, 'isList' | 'isBeside' | 'write'> & {
  prepare: (...session: Parameters<SessionAppender<object>['prepare']>) => object | undefined
}
