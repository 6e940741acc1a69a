import { createHash, randomBytes } from 'node:crypto'
import * as fs from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { CliError } from './exit.ts'
import { refuseChange, refuseOpenFile, waitUntilQuiet } from './session-in-use.ts'

/** A compaction in the form of the agent's own storage, as the service returns it. */
export interface NativeForm {
  mode: string
  body: string
}

/** A session file that is about to be written to. */
export interface HeldFile {
  path: string
  bytes: Buffer
  stat: fs.Stats
}

const { O_RDONLY, O_WRONLY, O_APPEND, O_CREAT, O_EXCL } = fs.constants
// Windows has no such flag.
const O_NOFOLLOW = process.platform === 'win32' ? 0 : fs.constants.O_NOFOLLOW

/** Reads a session file that is not in use. Symbolic links are not followed. @throws CliError */
export async function holdFile(path: string): Promise<HeldFile> {
  refuseLink(path)
  refuseOpenFile(path)
  const stat = await waitUntilQuiet(path, () => fs.lstatSync(path))
  const bytes = withFile(path, O_RDONLY | O_NOFOLLOW, (file) => fs.readFileSync(file))
  return { path, bytes, stat }
}

/**
 * Writes a compaction into a session, after a backup.
 * @throws CliError
 */
export function writeBack({ path, bytes, stat }: HeldFile, { mode, body }: NativeForm): void {
  if (mode !== 'append' && mode !== 'replace')
    throw new CliError(
      'failed',
      `This agent keeps its compactions in another file (${mode}). Print the content of that file with --reply native.`,
    )
  const added = Buffer.from(body)
  const result = mode === 'append' ? Buffer.concat([bytes, added]) : added
  const check = (): void => {
    refuseOpenFile(path)
    refuseChange(path, stat, fs.lstatSync(path))
  }
  check()
  const backup = writeBackup(path, bytes, result)
  try {
    if (mode === 'append') append(path, added, stat)
    else replaceFile(path, result, stat)
  } catch (error) {
    fs.rmSync(backup, { force: true })
    throw error
  }
}

/** Undoes the last compaction that was written into a session. Returns the path of the backup. @throws CliError */
export function restoreFile(path: string, isForced: boolean): string {
  refuseLink(path)
  refuseOpenFile(path)
  const newest = backupsOf(path).at(-1)
  if (newest === undefined) throw new CliError('notFound', `${path} has no backup of Précis.`)
  const bytes = withFile(path, O_RDONLY | O_NOFOLLOW, (file) => fs.readFileSync(file))
  if (!isForced && hashOf(bytes) !== newest.hash)
    throw new CliError(
      'inUse',
      `${path} has changed since the compaction: restoring would remove what is new in it. Use --force to do so.`,
    )
  const backup = join(dirname(path), newest.name)
  const content = withFile(backup, O_RDONLY | O_NOFOLLOW, (file) => fs.readFileSync(file))
  replaceFile(path, content, fs.lstatSync(path))
  fs.rmSync(backup)
  return backup
}

function refuseLink(path: string): void {
  const stat = fs.lstatSync(path, { throwIfNoEntry: false })
  if (stat?.isFile() === true) return
  const fault = stat?.isSymbolicLink() === true ? 'is a symbolic link. Give the file itself' : 'is not a file'
  throw new CliError('notFound', `${path} ${fault}. Nothing was written.`)
}

interface Backup {
  name: string
  number: number
  /** The hash of the session after the compaction. */
  hash: string
}

/** Returns the backups of a session, the oldest first. No agent takes their names for sessions. */
function backupsOf(path: string): Backup[] {
  const prefix = `${basename(path)}.precis-`
  const found = fs.readdirSync(dirname(path)).flatMap((name): Backup[] => {
    const [, number, hash] =
      /^(\d{1,6})-([0-9a-f]{16})\.bak$/.exec(name.startsWith(prefix) ? name.slice(prefix.length) : '') ?? []
    return number === undefined || hash === undefined ? [] : [{ name, number: Number(number), hash }]
  })
  return found.sort((a, b) => a.number - b.number)
}

const hashOf = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex').slice(0, 16)

function writeBackup(path: string, bytes: Buffer, result: Buffer): string {
  const number = (backupsOf(path).at(-1)?.number ?? 0) + 1
  const backup = `${path}.precis-${number}-${hashOf(result)}.bak`
  writeNew(backup, bytes, 0o600)
  syncFolder(path)
  return backup
}

function append(path: string, added: Buffer, before: fs.Stats): void {
  withFile(path, O_WRONLY | O_APPEND | O_NOFOLLOW, (file) => {
    refuseChange(path, before, fs.fstatSync(file))
    try {
      fs.writeFileSync(file, added)
      fs.fsyncSync(file)
    } catch (error) {
      // A full disk must not leave half a line.
      fs.truncateSync(path, before.size)
      throw error
    }
  })
}

/** Replaces a file as a whole: another process sees either the old content or the new one. */
function replaceFile(path: string, content: Buffer, { mode, uid, gid }: fs.Stats): void {
  const draft = join(dirname(path), `.${basename(path)}.precis-${randomBytes(6).toString('hex')}`)
  try {
    writeNew(draft, content, mode & 0o777)
    // An administrator must not take the session away from its user.
    if (process.getuid?.() === 0) fs.chownSync(draft, uid, gid)
    fs.renameSync(draft, path)
  } catch (error) {
    fs.rmSync(draft, { force: true })
    throw error
  }
  syncFolder(path)
}

function writeNew(path: string, content: Buffer, mode: number): void {
  const file = fs.openSync(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode)
  try {
    // The mode of open() is reduced by the umask.
    fs.fchmodSync(file, mode)
    fs.writeFileSync(file, content)
    fs.fsyncSync(file)
  } finally {
    fs.closeSync(file)
  }
}

function withFile<T>(path: string, flags: number, work: (file: number) => T): T {
  const file = fs.openSync(path, flags)
  try {
    return work(file)
  } finally {
    fs.closeSync(file)
  }
}

/** Makes the names of a folder durable; Windows cannot. */
function syncFolder(path: string): void {
  if (process.platform !== 'win32') withFile(dirname(path), O_RDONLY, fs.fsyncSync)
}
