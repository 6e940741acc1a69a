import { randomBytes } from 'node:crypto'
import * as fs from 'node:fs'
import { isAbsolute, join } from 'node:path'
import type { Machine } from '../../agents/home.ts'
import { describeFileFault } from '../describe-file-fault.ts'
import { readWithoutLinks, replaceFile } from '../durable-file.ts'
import { CliError } from '../exit.ts'

/** Returns the folder with what this program keeps for its user (XDG Base Directory Specification 0.8). */
export function stateFolderOf({ env, home }: Machine): string {
  const { XDG_STATE_HOME: base = '' } = env
  // The specification has relative paths ignored.
  return join(isAbsolute(base) ? base : join(home, '.local', 'state'), 'precis')
}

/** Creates the folder, for its user alone. @throws CliError if it belongs to somebody else, or cannot be created */
export function createStateFolder(path: string): void {
  try {
    fs.mkdirSync(path, { recursive: true, mode: 0o700 })
    if (isOwn(path)) fs.chmodSync(path, 0o700)
  } catch (cause) {
    throw unusable(path, 'created', cause)
  }
  refuseForeign(path)
}

/** Returns whether the folder is there. @throws CliError if others can write into it */
export function hasStateFolder(path: string): boolean {
  try {
    if (fs.lstatSync(path, { throwIfNoEntry: false }) === undefined) return false
  } catch (cause) {
    throw unusable(path, 'read', cause)
  }
  refuseForeign(path)
  return true
}

/** Replaces a file at once. Only its user can read it. */
export function writePrivate(path: string, content: string): void {
  replaceFile(path, Buffer.from(content), { mode: 0o600 })
}

/** Returns the text of a private file; undefined if it is not there, or cannot be read. */
export function readPrivate(path: string): string | undefined {
  try {
    return readWithoutLinks(path).toString()
  } catch {
    return undefined
  }
}

const unusable = (path: string, work: string, cause: unknown): CliError =>
  new CliError(
    'failed',
    `${path} cannot be ${work}: ${describeFileFault(cause)}. Correct this, or name another folder with XDG_STATE_HOME.`,
    { cause },
  )

const KEY = /^[0-9a-f]{64}$/

/** Returns the secret that seals the summaries in a folder; undefined if it has none. */
export function readSecret(folder: string): string | undefined {
  const text = readPrivate(join(folder, 'key'))?.trim() ?? ''
  return KEY.test(text) ? text : undefined
}

/** Returns this secret, a new one if there is none. */
export function createSecret(folder: string): string {
  const known = readSecret(folder)
  if (known !== undefined) return known
  const secret = randomBytes(32).toString('hex')
  writeSecret(folder, secret)
  return secret
}

export const writeSecret = (folder: string, secret: string): void => writePrivate(join(folder, 'key'), `${secret}\n`)

/** Others who can write into the folder could replace the secret, and with it the summaries. */
function refuseForeign(path: string): void {
  if (!isOwn(path) || (process.platform !== 'win32' && (fs.lstatSync(path).mode & 0o022) !== 0))
    throw new CliError(
      'failed',
      `${path} is no folder that only you can write into. Make it one (chmod 700), or move it away.`,
    )
}

function isOwn(path: string): boolean {
  const stat = fs.lstatSync(path)
  return stat.isDirectory() && (process.getuid === undefined || stat.uid === process.getuid())
}
