import { closeSync, fstatSync, openSync, readSync, type Stats } from 'node:fs'

/** The bytes of a session file, and the file as it was when they were read. */
export interface SessionBytes {
  bytes: Buffer
  /** Memory that begins with the bytes, and has room for more. */
  room: Buffer
  stat: Stats
}

/** An agent writes much less between two calls. */
const ROOM_BYTES = 4_194_304

/** Returns the bytes of a file: those that are known, if it has not changed; with its tail, if it has grown. */
export function readGrowingFile(path: string, earlier?: SessionBytes): SessionBytes {
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
