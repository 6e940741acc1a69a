import { randomBytes } from 'node:crypto'
import * as fs from 'node:fs'
import { basename, dirname, join } from 'node:path'

const { O_RDONLY, O_WRONLY, O_CREAT, O_EXCL } = fs.constants
// Windows has no such flag.
const [O_NOFOLLOW, O_NONBLOCK] =
  process.platform === 'win32' ? [0, 0] : [fs.constants.O_NOFOLLOW, fs.constants.O_NONBLOCK]

/** No command takes longer to write its files. */
const LONGEST_WRITE_MS = 3_600_000

/** The user and the group of a file. */
export interface Owner {
  uid: number
  gid: number
}

interface Permissions {
  mode: number
  /** Absent: the user of this process. */
  owner?: Owner | undefined
}

/** Returns the content of a file. A symbolic link is not followed. */
export const readWithoutLinks = (path: string): Buffer => withFile(path, O_RDONLY, (file) => fs.readFileSync(file))

/** Returns the name of a new draft of a file: a complete draft replaces its file at once. */
export const draftOf = (path: string): string =>
  `${draftPrefixOf(path)}${process.pid}-${randomBytes(6).toString('hex')}`

/** Writes a draft. It is on the disk when this returns. */
export function writeDraft(draft: string, content: Buffer, { mode, owner }: Permissions): void {
  const file = fs.openSync(draft, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600)
  try {
    if (owner !== undefined) fs.fchownSync(file, owner.uid, owner.gid)
    // The mode of open() is reduced by the umask.
    fs.fchmodSync(file, mode)
    for (let written = 0; written < content.length;) written += fs.writeSync(file, content, written)
    fs.fsyncSync(file)
  } finally {
    fs.closeSync(file)
  }
}

/**
 * Replaces a file at once: it is as it was, or complete.
 * @param options its permissions, and the name of its draft
 */
export function replaceFile(
  path: string,
  content: Buffer,
  { draft = draftOf(path), ...permissions }: Permissions & { draft?: string },
): void {
  try {
    writeDraft(draft, content, permissions)
    fs.renameSync(draft, path)
  } catch (error) {
    fs.rmSync(draft, { force: true })
    throw error
  }
}

/** A file that is written beside a session before it gets its name. */
export interface FileDraft {
  path: string
  /** The end of the name of a session's backup, after the name of its draft. */
  hashes: string | undefined
  /** Whether its command was killed. Without a draft, a running command would end with an error. */
  isLeft: boolean
}

/** Returns the drafts beside a file. */
export function draftsBeside(path: string): FileDraft[] {
  const prefix = basename(draftPrefixOf(path))
  return fs.readdirSync(dirname(path)).flatMap((name): FileDraft[] => {
    const rest = name.startsWith(prefix) ? name.slice(prefix.length) : ''
    const [, pid, hashes] = /^(\d{1,10})-[0-9a-f]{12}(?:-([0-9a-f]{16}(?:-[0-9a-f]{16})?))?$/.exec(rest) ?? []
    const draft = join(dirname(path), name)
    return pid === undefined ? [] : [{ path: draft, hashes, isLeft: isLeftOver(Number(pid), draft) }]
  })
}

/** Returns whether what a process has written is of no use to it any more. */
export const isLeftOver = (pid: number, path: string): boolean =>
  // In a container, this process may have the number of the one before it, and it has written nothing yet.
  pid === process.pid || !isRunning(pid) || isOld(path)

/** Returns whether a file was written so long ago that no command can still be working with it. */
function isOld(path: string): boolean {
  const stat = fs.lstatSync(path, { throwIfNoEntry: false })
  return stat !== undefined && Date.now() - stat.mtimeMs > LONGEST_WRITE_MS
}

/** Returns whether a process of this machine is running. */
export function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    // EPERM: it is a process of another user.
    return (error as NodeJS.ErrnoException).code !== 'ESRCH'
  }
}

/** Returns the beginning of the path of all drafts of a file. No agent takes a name with a dot for a session. */
const draftPrefixOf = (path: string): string => join(dirname(path), `.${basename(path)}.precis-draft-`)

/**
 * Opens a file for a piece of work, and closes it. A symbolic link is not followed, and a pipe is not waited for.
 * @throws Error also for anything else than a file
 */
export function withFile<T>(path: string, flags: number, work: (file: number) => T): T {
  const file = fs.openSync(path, flags | O_NOFOLLOW | O_NONBLOCK)
  try {
    if (!fs.fstatSync(file).isFile()) throw Object.assign(new Error(`${path} is not a file`), { code: 'not a file' })
    return work(file)
  } finally {
    fs.closeSync(file)
  }
}

/**
 * Makes the names in the folder of a file durable, as far as the system can do it for folders. Errors are ignored: every
 * file has its content already, under its old name or its new one.
 */
export function syncFolder(path: string): void {
  try {
    // The folder itself may be a symbolic link.
    const folder = fs.openSync(dirname(path), O_RDONLY)
    try {
      fs.fsyncSync(folder)
    } finally {
      fs.closeSync(folder)
    }
  } catch {
    // Windows, some network file systems, and folders that may not be listed.
  }
}
