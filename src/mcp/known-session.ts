import { closeSync, fstatSync, openSync, readSync, type Stats } from 'node:fs'
import type { SearchedEntries } from '../use-cases/recall/searched.ts'
import { searchedFile, type RecalledFile } from '../use-cases/recall/work.ts'
import type { McpHost, StoredSession } from './host.ts'
import { withoutOwnCalls } from './own-calls.ts'

/** A session that was read, as look-ups search it. */
export interface KnownSession extends SearchedEntries {
  stored: StoredSession
}

/** The bytes of a session, and the file as it was when they were read. */
interface Known {
  bytes: Buffer
  stat?: Stats
  session: KnownSession
}

type SessionFiles = Pick<McpHost, 'exportOpencode' | 'copiesOf'>

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
    const key = stored.path ?? stored.id
    const earlier = this.#known.get(key)
    this.#known.delete(key)
    const known = this.#read(stored, earlier)
    this.#known.set(key, known)
    for (const [oldest] of this.#known) if (this.#known.size > MAX_KNOWN) this.#known.delete(oldest)
    return known.session
  }

  #read(stored: StoredSession, earlier: Known | undefined): Known {
    if (stored.path === undefined) {
      if (earlier?.session.stored.modifiedMs === stored.modifiedMs) return earlier
      const bytes = this.#host.exportOpencode(stored.id)
      return { bytes, session: read(stored, bytes, []) }
    }
    const { bytes, stat } = readFile(stored.path, earlier)
    if (earlier !== undefined && bytes === earlier.bytes) return { ...earlier, stat }
    const copies = this.#host.copiesOf(stored.path, bytes)
    return { bytes, stat, session: read(stored, bytes, copies) }
  }
}

function read(stored: StoredSession, body: Buffer, copies: RecalledFile['copies']): KnownSession {
  const searched = searchedFile({ body, copies, isLines: true, query: {} })
  return { ...searched, stored, passages: withoutOwnCalls(searched) }
}

/** Returns the bytes of a file: those that are known, if it has not changed; with its tail, if it has grown. */
function readFile(path: string, earlier: Known | undefined): Required<Pick<Known, 'bytes' | 'stat'>> {
  const file = openSync(path, 'r')
  try {
    const stat = fstatSync(file)
    const known = earlier !== undefined && isSameFile(earlier, stat) ? earlier.bytes : undefined
    if (known !== undefined && stat.size === known.length && stat.mtimeMs === earlier?.stat?.mtimeMs)
      return { bytes: known, stat }
    const hasGrown = known !== undefined && path.endsWith('.jsonl') && stat.size > known.length && isPrefix(known, file)
    const start = hasGrown ? known.length : 0
    const tail = readRange(file, start, stat.size)
    return { bytes: hasGrown ? Buffer.concat([known, tail]) : tail, stat }
  } finally {
    closeSync(file)
  }
}

const isSameFile = ({ stat }: Known, { ino, dev }: Stats): boolean => stat?.ino === ino && stat.dev === dev

/** A file that was written anew has another end at this place, unless only its middle has changed by as many bytes. */
const COMPARED_BYTES = 65_536

function isPrefix(known: Buffer, file: number): boolean {
  const start = Math.max(0, known.length - COMPARED_BYTES)
  return (
    readRange(file, start, known.length).equals(known.subarray(start)) &&
    readRange(file, 0, Math.min(COMPARED_BYTES, known.length)).equals(known.subarray(0, COMPARED_BYTES))
  )
}

/** Returns a part of a file; less, if the file has become shorter. */
function readRange(file: number, start: number, end: number): Buffer {
  const bytes = Buffer.alloc(end - start)
  let length = 0
  while (length < bytes.length) {
    const read = readSync(file, bytes, length, bytes.length - length, start + length)
    if (read === 0) break
    length += read
  }
  return bytes.subarray(0, length)
}
