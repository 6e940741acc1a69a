import type { SearchedEntries } from '../use-cases/recall/searched.ts'
import { searchedFile } from '../use-cases/recall/work.ts'
import type { McpHost, SessionCopies, StoredSession } from './host.ts'
import { closeSync, fstatSync, openSync, readSync, type Stats } from 'node:fs'

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

/** The bytes of a session file, and the file as it was when they were read. */
interface SessionBytes {
  bytes: Buffer
  /** Memory that begins with the bytes, and has room for more. */
  room: Buffer
  stat: Stats
}

/** An agent writes much less between two calls. */
const ROOM_BYTES = 4_194_304

/** Returns the bytes of a file: those that are known, if it has not changed; with its tail, if it has grown. */
function readGrowingFile(path: string, earlier?: SessionBytes): SessionBytes {
  const file = openSync(path, 'r')
  try {
    const stat = fstatSync(file)
    const known = earlier !== undefined && isSameFile(earlier.stat, stat) ? earlier : undefined
    const start = known?.bytes.length ?? 0
    if (known !== undefined && stat.size === start && stat.mtimeMs === known.stat.mtimeMs) return { ...known, stat }
    if (known !== undefined && path.endsWith('.jsonl') && stat.size > start && isPrefix(known.bytes, file))
      return { ...readOn(file, known, stat.size), stat }
    return { ...readOn(file, { bytes: Buffer.alloc(0), room: Buffer.alloc(0) }, stat.size), stat }
  } finally {
    closeSync(file)
  }
}

const isSameFile = (known: Stats, { ino, dev }: Stats): boolean => known.ino === ino && known.dev === dev

/** A file that was written anew has another end at this place, unless only its middle has changed by as many bytes. */
const COMPARED_BYTES = 65_536

function isPrefix(known: Buffer, file: number): boolean {
  const places = [0, Math.max(0, known.length - COMPARED_BYTES)]
  return places.every((start) => {
    const part = known.subarray(start, start + COMPARED_BYTES)
    const now = Buffer.alloc(part.length)
    return readInto(file, now, start) === part.length && now.equals(part)
  })
}

type Bytes = Pick<SessionBytes, 'bytes' | 'room'>

/** Reads what follows known bytes in a file. */
function readOn(file: number, { bytes, room }: Bytes, size: number): Bytes {
  const start = bytes.length
  let whole = room
  if (size > room.length) {
    whole = Buffer.allocUnsafe(size + ROOM_BYTES)
    bytes.copy(whole)
  }
  const length = readInto(file, whole.subarray(start, size), start)
  return { bytes: whole.subarray(0, start + length), room: whole }
}

/** Fills a buffer from a place of a file. Returns how many bytes there were: the file may have become shorter. */
function readInto(file: number, buffer: Buffer, start: number): number {
  let length = 0
  while (length < buffer.length) {
    const read = readSync(file, buffer, length, buffer.length - length, start + length)
    if (read === 0) break
    length += read
  }
  return length
}
