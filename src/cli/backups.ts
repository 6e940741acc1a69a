import { createHash } from 'node:crypto'
import * as fs from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type { SessionCopies } from '../mcp/host.ts'
import {
  draftOf,
  draftsBeside,
  readWithoutLinks,
  replaceFile,
  syncFolder,
  withFile,
  writeDraft,
  type FileDraft,
  type Owner,
} from './durable-file.ts'
import { CliError } from './exit.ts'

/** A copy of a session from before a compaction. */
interface Backup {
  path: string
  number: number
  /** The hash of the session after the compaction. */
  hash: string
  /** The hash of the backup itself, as it was written. */
  ownHash: string | undefined
}

/**
 * Returns the backup from before the compaction that a session has now, or else the newest one. A backup that is equal to the
 * session would undo nothing.
 * @throws CliError if that backup cannot be read: another one would undo more than was asked for
 */
export function findBackup(path: string, bytes: Buffer): (Backup & { isOfNow: boolean }) | undefined {
  const backups = backupsOf(path).reverse()
  const hash = hashOf(bytes)
  const backup = [...backups.filter((one) => one.hash === hash), ...backups].find((one) => !isEqual(one, bytes))
  return backup && { ...backup, isOfNow: backup.hash === hash }
}

/** Whether a backup is no longer as it was written. Its last bytes may be missing where nobody would notice: a prefix of lines is a session. */
export const isDamaged = ({ path, ownHash }: Backup): boolean =>
  ownHash !== undefined && withFile(path, fs.constants.O_RDONLY, (file) => hashOf(fs.readFileSync(file))) !== ownHash

/** @throws CliError if the backup cannot be read */
function isEqual({ path }: Backup, bytes: Buffer): boolean {
  try {
    return withFile(path, fs.constants.O_RDONLY, (file) =>
      fs.fstatSync(file).size === bytes.length ? fs.readFileSync(file).equals(bytes) : false,
    )
  } catch (cause) {
    throw new CliError(
      'failed',
      `The backup ${path} cannot be read (${codeOf(cause)}), so nothing was restored. Make it readable, or remove it: then ` +
        'the command restores an older one.',
      { cause },
    )
  }
}

const codeOf = (error: unknown): string => (error as NodeJS.ErrnoException).code ?? 'error'

/**
 * Returns what the backups of a session have that it no longer has: a compaction that was added to the end of a file has replaced
 * nothing in it. Nothing is written: a backup that a killed command has not named is read as the newest.
 */
export function findReplaced(path: string, bytes: Buffer): SessionCopies {
  const found: SessionCopies = { copies: [], unread: [] }
  const read = (backup: string, name: string): void => {
    try {
      const body = readWithoutLinks(backup)
      if (!bytes.subarray(0, body.length).equals(body)) found.copies.push({ name, body })
    } catch (error) {
      const code = codeOf(error)
      // A draft has its name by now, or a restore has put the backup in the place of the session.
      if (code !== 'ENOENT') found.unread.push(`${basename(backup)} (${code})`)
    }
  }
  // The drafts first: one that another command names meanwhile is among the backups.
  const [drafts, backups] = orUnlisted(path, found.unread, () => [
    draftsBeside(path).filter(isOfWritten),
    backupsOf(path),
  ])
  for (const { path: backup, number } of backups) read(backup, `backup-${number}`)
  const first = (backups.at(-1)?.number ?? 0) + 1
  for (const [index, draft] of drafts.entries()) read(draft.path, `backup-${first + index}`)
  return found
}

/** Returns the files beside a session: none, and the code of the error, if its folder may not be listed. */
function orUnlisted(path: string, unread: string[], list: () => [FileDraft[], Backup[]]): [FileDraft[], Backup[]] {
  try {
    return list()
  } catch (error) {
    unread.push(`the backups in ${dirname(path)} (${codeOf(error)})`)
    return [[], []]
  }
}

/** How a session changes. */
interface Change {
  path: string
  bytes: Buffer
  result: Buffer
  /** When the session was changed before, in milliseconds since the epoch. */
  modifiedMs: number
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
export function writeWithBackup({ modifiedMs, ...change }: Change, { write, check }: Steps): void {
  const { path, bytes, result, owner } = change
  const draft = draftOf(path)
  const hashes = `${hashOf(result)}-${hashOf(bytes)}`
  const backup = `${draft}-${hashes}`
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
    // A restored session has its own time again: it is not the newest one, and not running.
    fs.utimesSync(backup, modifiedMs / 1000, modifiedMs / 1000)
    nameBackup(path, { path: backup, hashes })
  } catch {
    // The compaction is written. The next command gives the backup its name, as after a kill.
  }
  syncFolder(path)
}

/** Gives a backup its name, unless another command has just done so, or has removed the backup of its failed compaction. */
function nameBackup(path: string, { path: draft, hashes }: { path: string; hashes: string }): void {
  try {
    fs.renameSync(draft, `${path}.precis-${(backupsOf(path).at(-1)?.number ?? 0) + 1}-${hashes}.bak`)
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
    if (isOfWritten(one)) nameBackup(path, one)
    else if (one.hashes !== undefined && one.isLeft) fs.rmSync(one.path, { force: true })
  }
  for (const { path: draft, hashes, isLeft } of drafts)
    if (hashes === undefined && isLeft) fs.rmSync(draft, { force: true })
}

/** Returns whether a draft is the backup of a compaction that was written: its session has no draft any more. */
const isOfWritten = (draft: FileDraft): draft is FileDraft & { hashes: string } =>
  draft.hashes !== undefined && !fs.existsSync(draft.path.slice(0, -draft.hashes.length - 1))

/** Writes a copy of a session that a restore is about to replace. `precis restore` does not read it. Returns its path. */
export function writeCopy({ path, bytes, owner }: Pick<Change, 'path' | 'bytes' | 'owner'>): string {
  const copy = `${path}.precis-replaced-${(numbered(path, /^replaced-(\d{1,6})()\.bak$/).at(-1)?.number ?? 0) + 1}.bak`
  // A command that removes what killed ones have left looks for drafts of the session.
  replaceFile(copy, bytes, { mode: 0o600, owner, draft: draftOf(path) })
  syncFolder(path)
  return copy
}

const backupsOf = (path: string): Backup[] => numbered(path, /^(\d{1,6})-([0-9a-f]{16})(?:-([0-9a-f]{16}))?\.bak$/)

const hashOf = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex').slice(0, 16)

/** Returns the files beside a session whose names end in a number and hashes, by number. No agent takes them for sessions. */
function numbered(path: string, pattern: RegExp): Backup[] {
  const prefix = `${basename(path)}.precis-`
  const found = fs.readdirSync(dirname(path)).flatMap((name): Backup[] => {
    const [, number, hash, ownHash] = pattern.exec(name.startsWith(prefix) ? name.slice(prefix.length) : '') ?? []
    return number === undefined || hash === undefined
      ? []
      : [{ path: join(dirname(path), name), number: Number(number), hash, ownHash }]
  })
  return found.sort((a, b) => a.number - b.number)
}
