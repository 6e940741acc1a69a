import { createHash } from 'node:crypto'
import * as fs from 'node:fs'
import { basename, dirname, join } from 'node:path'
import {
  draftOf,
  draftsBeside,
  readWithoutLinks,
  syncFolder,
  writeDraft,
  type FileDraft,
  type Owner,
} from './durable-file.ts'

/** A copy of a session from before a compaction. */
interface Backup {
  path: string
  number: number
  /** The hash of the session after the compaction. */
  hash: string
}

/**
 * Returns the backup from before the compaction that a session has now, or else the newest one. A backup that is equal to the
 * session would undo nothing.
 */
export function findBackup(path: string, bytes: Buffer): (Backup & { isOfNow: boolean }) | undefined {
  const backups = backupsOf(path).filter((backup) => !isEqual(backup, bytes))
  const hash = hashOf(bytes)
  const backup = backups.findLast((one) => one.hash === hash) ?? backups.at(-1)
  return backup && { ...backup, isOfNow: backup.hash === hash }
}

/** What compactions have replaced in a session file. */
export interface ReplacedParts {
  /** The backups that have what the session no longer has, oldest first. */
  copies: { name: string; body: Buffer }[]
  /** The backups that cannot be read, each with the code of its error. */
  unread: string[]
}

/**
 * Returns what the backups of a session have that it no longer has: a compaction that was added to the end of a file has replaced
 * nothing in it. Nothing is written: a backup that a killed command has not named is read as the newest.
 */
export function findReplaced(path: string, bytes: Buffer): ReplacedParts {
  const found: ReplacedParts = { copies: [], unread: [] }
  const read = (backup: string, name: string): void => {
    try {
      const body = readWithoutLinks(backup)
      if (!bytes.subarray(0, body.length).equals(body)) found.copies.push({ name, body })
    } catch (error) {
      const { code = 'error' } = error as NodeJS.ErrnoException
      // A draft has its name by now, or a restore has put the backup in the place of the session.
      if (code !== 'ENOENT') found.unread.push(`${basename(backup)} (${code})`)
    }
  }
  // The drafts first: one that another command names meanwhile is among the backups.
  const drafts = draftsBeside(path).filter(isOfWritten)
  const backups = backupsOf(path)
  for (const { path: backup, number } of backups) read(backup, `backup-${number}`)
  const first = (backups.at(-1)?.number ?? 0) + 1
  for (const [index, draft] of drafts.entries()) read(draft.path, `backup-${first + index}`)
  return found
}

/** How a session changes. */
interface Change {
  path: string
  bytes: Buffer
  result: Buffer
  /** Whom the session belongs to, if that is not the user of this process. */
  owner: Owner | undefined
}

interface Steps {
  /** Writes the draft of the session. */
  write: (draft: string) => void
  /** Runs when both drafts are complete; if it throws, nothing is written. */
  check: () => void
}

/**
 * Replaces a session, and keeps a backup of it. Both are complete before the session is replaced, and the backup gets its name
 * only after that: as long as the session has a draft, its compaction is not written.
 */
export function writeWithBackup({ path, bytes, result, owner }: Change, { write, check }: Steps): void {
  const draft = draftOf(path)
  const hash = hashOf(result)
  const backup = `${draft}-${hash}`
  try {
    write(draft)
    writeDraft(backup, bytes, { mode: 0o600, owner })
    check()
    fs.renameSync(draft, path)
  } catch (error) {
    for (const left of [backup, draft]) fs.rmSync(left, { force: true })
    throw error
  }
  try {
    nameBackup(path, { path: backup, hash })
  } catch {
    // The compaction is written. The next command gives the backup its name, as after a kill.
  }
  syncFolder(path)
}

/** Gives a backup its name, unless another command has just done so, or has removed the backup of its failed compaction. */
function nameBackup(path: string, { path: draft, hash }: { path: string; hash: string }): void {
  try {
    fs.renameSync(draft, `${path}.precis-${(backupsOf(path).at(-1)?.number ?? 0) + 1}-${hash}.bak`)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
}

/**
 * Finishes or removes what commands that were killed have left beside a session. The draft of a backup without that of its
 * session belongs to a compaction that was written. This does not depend on the process: another one may have its number now.
 */
export function removeLeftovers(path: string): void {
  const drafts = draftsBeside(path)
  for (const one of drafts) {
    const { path: draft, hash, isLeft } = one
    if (hash === undefined) continue
    if (isOfWritten(one)) nameBackup(path, { path: draft, hash })
    else if (isLeft) fs.rmSync(draft, { force: true })
  }
  for (const { path: draft, hash, isLeft } of drafts)
    if (hash === undefined && isLeft) fs.rmSync(draft, { force: true })
}

/** Returns whether a draft is the backup of a compaction that was written: its session has no draft any more. */
const isOfWritten = ({ path, hash }: FileDraft): boolean =>
  hash !== undefined && !fs.existsSync(path.slice(0, -hash.length - 1))

/** Writes a copy of a session that a restore is about to replace. `precis restore` does not read it. Returns its path. */
export function writeCopy({ path, bytes, owner }: Omit<Change, 'result'>): string {
  const number = (numbered(path, /^replaced-(\d{1,6})()\.bak$/).at(-1)?.number ?? 0) + 1
  const copy = `${path}.precis-replaced-${number}.bak`
  const draft = draftOf(path)
  try {
    writeDraft(draft, bytes, { mode: 0o600, owner })
    fs.renameSync(draft, copy)
  } catch (error) {
    fs.rmSync(draft, { force: true })
    throw error
  }
  syncFolder(path)
  return copy
}

const backupsOf = (path: string): Backup[] => numbered(path, /^(\d{1,6})-([0-9a-f]{16})\.bak$/)

const isEqual = (backup: Backup, bytes: Buffer): boolean =>
  fs.lstatSync(backup.path).size === bytes.length && readWithoutLinks(backup.path).equals(bytes)

const hashOf = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex').slice(0, 16)

/** Returns the files beside a session whose names end in a number and a hash, by number. No agent takes them for sessions. */
function numbered(path: string, pattern: RegExp): Backup[] {
  const prefix = `${basename(path)}.precis-`
  const found = fs.readdirSync(dirname(path)).flatMap((name): Backup[] => {
    const [, number, hash] = pattern.exec(name.startsWith(prefix) ? name.slice(prefix.length) : '') ?? []
    return number === undefined || hash === undefined
      ? []
      : [{ path: join(dirname(path), name), number: Number(number), hash }]
  })
  return found.sort((a, b) => a.number - b.number)
}
