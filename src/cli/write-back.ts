import * as fs from 'node:fs'
import { parseJson } from '../session/entry.ts'
import { findBackup, isDamaged, removeLeftovers, writeCopy, writeWithBackup } from './backups.ts'
import { readWithoutLinks, syncFolder, withFile, writeDraft, type Owner } from './durable-file.ts'
import { CliError } from './exit.ts'
import { refuseChange, refuseOpenFile, waitUntilQuiet } from './session-in-use.ts'

const { O_RDONLY } = fs.constants

/** A compaction in the form of the agent's own storage, as the service returns it. */
interface NativeForm {
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
const isOneDocument = (bytes: Buffer): boolean => parseJson(bytes.toString().replace(/^\uFEFF/, '')) !== undefined

/**
 * Writes a compaction into a session, after a backup. Whenever the process ends, the session is as it was, or complete.
 * @throws CliError
 */
export function writeIntoFile(held: HeldFile, { mode, body }: NativeForm): void {
  const { path, bytes, stat } = held
  refuseForm(bytes, mode)
  const added = Buffer.from(body)
  // Whether another process has opened it takes longer to find out, and counts just before the file is replaced.
  refuseChange(path, stat, fs.lstatSync(path))
  const result = mode === 'append' ? Buffer.concat([bytes, added]) : added
  withFile(path, O_RDONLY, (old) => {
    orExplain(path, () => {
      removeLeftovers(path)
      replaceFile(held, result)
    })
    if (mode === 'append') addLateLines(held, old)
  })
}

/** The backup that a restore has read, and where it keeps the session that it replaced. */
interface Restored {
  backup: string
  /** Absent if nothing was written into the session after the compaction. */
  copy?: string
}

/** Undoes the last compaction that was written into a session. @throws CliError */
export async function restoreFile(path: string, isForced: boolean): Promise<Restored> {
  const held = await holdFile(path)
  orExplain(path, () => removeLeftovers(path))
  const found = findBackup(path, held.bytes)
  if (found === undefined) throw new CliError('notFound', `${path} has no backup of Précis.`)
  const { path: backup, isOfNow } = found
  if (!isOfNow && !isForced)
    throw new CliError(
      'inUse',
      `${path} has changed since the compaction: restoring would remove what is new in it. ` +
        'Use --force to do so: it keeps a copy.',
    )
  const isWhole = !isDamaged(found)
  if (!isWhole && !isForced)
    throw new CliError(
      'failed',
      `The backup ${backup} is not as it was written: something has changed it, or cut it off. Nothing was restored. Remove it, and ` +
        'the command restores an older one. Use --force to restore it as it is: it keeps a copy of the session.',
    )
  const copy =
    isOfNow && isWhole ? undefined : orExplain(path, () => writeCopy({ path, bytes: held.bytes, owner: ownerOf(held) }))
  try {
    orExplain(path, () => moveBackup(backup, held))
  } catch (error) {
    if (copy !== undefined) fs.rmSync(copy, { force: true })
    throw error
  }
  return { backup, ...(copy !== undefined && { copy }) }
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

/** An administrator must not take the session away from its user. */
const ownerOf = ({ stat: { uid, gid } }: HeldFile): Owner | undefined =>
  process.getuid?.() === 0 ? { uid, gid } : undefined

/** Replaces a session as a whole, and keeps a backup: another process sees either the old content or the new one. */
function replaceFile(held: HeldFile, result: Buffer): void {
  const { path, bytes, stat } = held
  const owner = ownerOf(held)
  writeWithBackup(
    { path, bytes, result, modifiedMs: stat.mtimeMs, owner },
    {
      write: (draft) => writeDraft(draft, result, { mode: stat.mode & 0o777, owner }),
      // Lines that an agent has written while the disk was busy would be lost.
      check: () => refuseUse(held),
    },
  )
}

/** Adds what an agent has written into the old file between the last look at it and its replacement. */
function addLateLines({ path, bytes }: HeldFile, old: number): void {
  const late = Buffer.alloc(Math.max(0, fs.fstatSync(old).size - bytes.length))
  const length = fs.readSync(old, late, 0, late.length, bytes.length)
  if (length > 0) fs.appendFileSync(path, late.subarray(0, length), { flush: true })
}

/** Gives a backup the name of its session: this needs no space on the disk, and cannot stop half-way. */
function moveBackup(backup: string, held: HeldFile): void {
  const owner = ownerOf(held)
  refuseUse(held)
  withFile(backup, O_RDONLY, (file) => {
    if (owner !== undefined) fs.fchownSync(file, owner.uid, owner.gid)
    fs.fchmodSync(file, held.stat.mode & 0o777)
  })
  fs.renameSync(backup, held.path)
  syncFolder(held.path)
}

/** Returns what a step of writing returns. @throws CliError for an error of the file system, which says nothing about the session */
function orExplain<T>(path: string, write: () => T): T {
  try {
    return write()
  } catch (cause) {
    if (cause instanceof CliError) throw cause
    const { message } = cause as Error
    throw new CliError('failed', `Writing beside ${path} failed: ${message}. The session is as it was.`, { cause })
  }
}
