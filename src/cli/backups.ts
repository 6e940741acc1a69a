import { createHash } from 'node:crypto'
import * as fs from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { isOld, readWithoutLinks, writeWhole } from './durable-file.ts'

/** A copy of a session from before a compaction. */
interface Backup {
  path: string
  number: number
  /** The hash of the session after the compaction. */
  hash: string
}

/**
 * Returns the backup from before the compaction that a session has now, or else the newest one. A backup that is equal to the
 * session is of a compaction that was never written, since its command was killed.
 */
export function findBackup(path: string, bytes: Buffer): (Backup & { isOfNow: boolean }) | undefined {
  const backups = backupsOf(path).filter((backup) => !isEqual(backup, bytes))
  const hash = hashOf(bytes)
  const backup = backups.findLast((one) => one.hash === hash) ?? backups.at(-1)
  return backup && { ...backup, isOfNow: backup.hash === hash }
}

/** Removes the backups of compactions that were never written. */
export function removeUnused(path: string, bytes: Buffer): void {
  for (const backup of backupsOf(path))
    // A command that still runs has written its backup just now.
    if (isOld(backup.path) && isEqual(backup, bytes)) fs.rmSync(backup.path, { force: true })
}

/** Writes the backup of a session that is about to become the given result. Returns its path. */
export function writeBackup(path: string, bytes: Buffer, result: Buffer): string {
  const backup = `${path}.precis-${(backupsOf(path).at(-1)?.number ?? 0) + 1}-${hashOf(result)}.bak`
  writeWhole(backup, bytes, { mode: 0o600, beside: path })
  return backup
}

/** Writes a copy of a session that a restore is about to replace. `precis restore` does not read it. Returns its path. */
export function writeCopy(path: string, bytes: Buffer): string {
  const number = (numbered(path, /^replaced-(\d{1,6})()\.bak$/).at(-1)?.number ?? 0) + 1
  const copy = `${path}.precis-replaced-${number}.bak`
  writeWhole(copy, bytes, { mode: 0o600, beside: path })
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
