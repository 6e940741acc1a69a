import type { SearchedEntries } from '../use-cases/recall/searched.ts'
import { searchedFile } from '../use-cases/recall/work.ts'
import type { McpHost, SessionCopies, StoredSession } from './host.ts'
import { readGrowingFile, type SessionBytes } from './session-file.ts'

/** A session that was read, as look-ups search it. */
export interface KnownSession extends SearchedEntries {
  stored: StoredSession
  /** The backups that are not searched, because they cannot be read. */
  unread: readonly string[]
}

/** A session, and the bytes that it was read from. */
interface Known {
  /** Absent for a session of a database. */
  file?: SessionBytes
  session: KnownSession
}

type SessionFiles = Pick<McpHost, 'readFromDatabase' | 'copiesOf'>

/** Two candidates are compared; more sessions would only take memory. */
const MAX_KNOWN = 2

/**
 * Reads sessions, and keeps the last two. A file that has not changed is not read again; of one that has grown, only the tail is
 * read.
 */
export class KnownSessions {
  readonly #host: SessionFiles
  readonly #known = new Map<string, Known>()

  constructor(host: SessionFiles) {
    this.#host = host
  }

  /** @throws Problem for a file that is no session; Error of the file system */
  open(stored: StoredSession): KnownSession {
    const { path, id } = stored
    return path === undefined ? this.#openExport(stored, id) : this.#openFile(stored, path)
  }

  #openExport(stored: StoredSession, id: string): KnownSession {
    const earlier = this.#take(id)?.session
    if (earlier?.stored.modifiedMs === stored.modifiedMs) return this.#keep(id, { session: earlier })
    return this.#keep(id, { session: read(stored, this.#host.readFromDatabase(id), { copies: [], unread: [] }) })
  }

  #openFile(stored: StoredSession, path: string): KnownSession {
    let earlier = this.#take(path)
    const file = readGrowingFile(path, earlier?.file)
    if (earlier?.session.unread.length === 0 && file.bytes === earlier.file?.bytes)
      return this.#keep(path, { ...earlier, file })
    // A large session would be in memory twice.
    earlier = undefined
    return this.#keep(path, { file, session: read(stored, file.bytes, this.#host.copiesOf(path, file.bytes)) })
  }

  #take(key: string): Known | undefined {
    const known = this.#known.get(key)
    this.#known.delete(key)
    return known
  }

  #keep(key: string, known: Known): KnownSession {
    this.#known.set(key, known)
    for (const [oldest] of this.#known) if (this.#known.size > MAX_KNOWN) this.#known.delete(oldest)
    return known.session
  }
}

function read(stored: StoredSession, body: Buffer, { copies, unread }: SessionCopies): KnownSession {
  return { ...searchedFile({ body, copies, isLines: true, query: {} }), stored, unread }
}
