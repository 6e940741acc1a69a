import { createHash, randomBytes } from 'node:crypto'
import * as fs from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { readWithoutLinks, syncFolder, withFile, writeNew } from './durable-file.ts'
import { CliError } from './exit.ts'
import { refuseChange, refuseOpenFile, waitUntilQuiet } from './session-in-use.ts'

const { O_WRONLY, O_APPEND } = fs.constants

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

/** Reads a session file that is not in use. Symbolic links are not followed. @throws CliError */
export async function holdFile(path: string): Promise<HeldFile> {
  refuseLink(path)
  refuseOpenFile(path)
  const stat = await waitUntilQuiet(path, () => fs.lstatSync(path))
  const bytes = readWithoutLinks(path)
  return { path, bytes, stat }
}

/** Refuses a compaction that does not belong into the session file. @throws CliError */
export function refuseForm(bytes: Buffer, mode: string): void {
  if (mode !== 'append' && mode !== 'replace')
    throw new CliError(
      'failed',
      `This agent keeps its compactions in another file (${mode}). Print the content of that file with --reply native.`,
    )
  if (mode === 'append' && isOneDocument(bytes))
    throw new CliError(
      'failed',
      'This session is one JSON document, and the compaction is a line: it cannot be appended. Nothing was written.',
    )
}

/** Returns true for a file that is one JSON value as a whole; several lines of JSON are not. */
function isOneDocument(bytes: Buffer): boolean {
  try {
    JSON.parse(bytes.toString().replace(/^\uFEFF/, ''))
    return true
  } catch {
    return false
  }
}

/**
 * Writes a compaction into a session, after a backup.
 * @throws CliError
 */
export function writeIntoFile(held: HeldFile, { mode, body }: NativeForm): void {
  const { path, bytes } = held
  refuseForm(bytes, mode)
  const added = Buffer.from(body)
  refuseUse(held)
  const backup = writeBackup(path, bytes, mode === 'append' ? Buffer.concat([bytes, added]) : added)
  try {
    if (mode === 'append') append(held, added)
    else replaceFile(held, added)
  } catch (error) {
    // The backup is the only whole copy if half a line is in the session.
    if (!(error instanceof HalfWritten)) fs.rmSync(backup, { force: true })
    throw error
  }
}

/** Undoes the last compaction that was written into a session. Returns the path of the backup. @throws CliError */
export async function restoreFile(path: string, isForced: boolean): Promise<string> {
  const held = await holdFile(path)
  const newest = backupsOf(path).at(-1)
  if (newest === undefined) throw new CliError('notFound', `${path} has no backup of Précis.`)
  if (!isForced && hashOf(held.bytes) !== newest.hash)
    throw new CliError(
      'inUse',
      `${path} has changed since the compaction: restoring would remove what is new in it. Use --force to do so.`,
    )
  const backup = join(dirname(path), newest.name)
  replaceFile(held, readWithoutLinks(backup))
  fs.rmSync(backup)
  return backup
}

/** Refuses a session that is in use, or that has changed since it was read. @throws CliError */
function refuseUse({ path, stat }: HeldFile): void {
  refuseOpenFile(path)
  refuseChange(path, stat, fs.lstatSync(path))
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

/** The session has the beginning of a compaction that could not be taken out again. */
class HalfWritten extends CliError {}

function append({ path, stat }: HeldFile, added: Buffer): void {
  withFile(path, O_WRONLY | O_APPEND, (file) => {
    refuseChange(path, stat, fs.fstatSync(file))
    let written = 0
    try {
      while (written < added.length) written += fs.writeSync(file, added, written)
      fs.fsyncSync(file)
    } catch (cause) {
      // A full disk must not leave half a line; lines that an agent has added meanwhile must stay.
      if (fs.fstatSync(file).size === stat.size + written) fs.ftruncateSync(file, stat.size)
      else if (written > 0)
        throw new HalfWritten(
          'failed',
          `${path} has a part of the compaction, and another process wrote into it meanwhile. ` +
            'The session before the compaction is in the newest backup beside it.',
          { cause },
        )
      throw cause
    }
  })
}

/** Replaces a file as a whole: another process sees either the old content or the new one. */
function replaceFile(held: HeldFile, content: Buffer): void {
  const { path, stat } = held
  const draft = join(dirname(path), `.${basename(path)}.precis-${randomBytes(6).toString('hex')}`)
  try {
    writeNew(draft, content, stat.mode & 0o777)
    // An administrator must not take the session away from its user.
    if (process.getuid?.() === 0) fs.chownSync(draft, stat.uid, stat.gid)
    // What an agent has written while the disk was busy would be lost.
    refuseUse(held)
    fs.renameSync(draft, path)
  } catch (error) {
    fs.rmSync(draft, { force: true })
    throw error
  }
  syncFolder(path)
}
