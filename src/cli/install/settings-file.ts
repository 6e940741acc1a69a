import * as fs from 'node:fs'
import { dirname } from 'node:path'
import { sha256 } from '../../session/hash-id.ts'
import { isRunning, replaceFile, syncFolder, type Owner } from '../durable-file.ts'
import { CliError } from '../exit.ts'

/** A settings file of an agent, as it was read. */
export interface SettingsFile {
  /** The path by which the agent knows it. */
  path: string
  /** The file itself: of a symbolic link, the one that it leads to. */
  target: string
  /** Absent: there is no such file. */
  text?: string
  mode?: number
  owner?: Owner | undefined
}

/** A settings file that cannot be read or replaced. */
export class SettingsFileError extends CliError {
  readonly #fault: readonly [path: string, what: string, remedy: string]

  /** @param changed the files that were changed before */
  constructor(fault: readonly [path: string, what: string, remedy: string], changed: readonly string[] = []) {
    const [path, what, remedy] = fault
    const done = changed.length === 0 ? 'Nothing was changed.' : `Changed before it: ${changed.join(', ')}.`
    super('failed', `${path} ${what}. ${done} ${remedy}, and run the command again.`)
    this.#fault = fault
  }

  /** Returns the same error for a user of whom other files were changed before. */
  after(changed: readonly string[]): SettingsFileError {
    return new SettingsFileError(this.#fault, changed)
  }
}

/** Reads a settings file. @throws CliError that says what to do, if it is something that cannot be changed without a loss */
export function readSettingsFile(path: string): SettingsFile {
  const target = targetOf(path)
  if (target === undefined) return { path, target: path }
  const stat = fs.statSync(target)
  if (!stat.isFile()) throw refused(path, 'is no file', 'Move it away')
  const bytes = readBytes(path, target)
  return {
    ...{ path, target, text: decode(path, bytes), mode: stat.mode & 0o777 },
    owner: process.getuid === undefined ? undefined : { uid: stat.uid, gid: stat.gid },
  }
}

/** Returns the path behind symbolic links; undefined if nothing is there. */
function targetOf(path: string): string | undefined {
  try {
    return fs.realpathSync(path)
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException
    if (code === 'ELOOP') throw refused(path, 'is a symbolic link that leads to itself', 'Remove it')
    if (code !== 'ENOENT') throw refused(path, `cannot be read (${code})`, 'Make it readable')
    if (fs.lstatSync(path, { throwIfNoEntry: false }) === undefined) return undefined
    throw refused(path, 'is a symbolic link to a file that is missing', 'Create this file, or remove the link')
  }
}

function readBytes(path: string, target: string): Buffer {
  try {
    return fs.readFileSync(target)
  } catch (error) {
    throw refused(path, `cannot be read (${(error as NodeJS.ErrnoException).code ?? 'error'})`, 'Make it readable')
  }
}

function decode(path: string, bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    throw refused(path, 'is not text in UTF-8', 'Convert it')
  }
}

/** Refuses a file that may not be replaced. @throws CliError */
export function refuseReadOnly({ path, target, text, mode = 0 }: SettingsFile): void {
  // The administrator may write into any file; this one was made read-only by its user, or by a program that manages it.
  const isReadOnly = text !== undefined && (mode & 0o222) === 0
  if (isReadOnly || !canWrite(text === undefined ? firstFolder(target) : dirname(target)))
    throw refused(
      path,
      isReadOnly ? 'is read-only' : 'cannot be replaced: its folder is read-only',
      `Make ${isReadOnly ? 'it' : 'the folder'} writable (chmod u+w), or make the change above with the program that manages it`,
    )
}

function canWrite(path: string): boolean {
  try {
    fs.accessSync(path, fs.constants.W_OK)
    return true
  } catch {
    return false
  }
}

/** Returns the nearest folder above a path that is there. */
function firstFolder(path: string): string {
  const folder = dirname(path)
  return fs.existsSync(folder) || folder === path ? folder : firstFolder(folder)
}

const refused = (...fault: [path: string, what: string, remedy: string]): SettingsFileError =>
  new SettingsFileError(fault)

/** Refuses a file that has changed since it was read. @throws SettingsFileError */
export function refuseChanged({ path, target, text }: SettingsFile): void {
  const now = readSettingsFile(path)
  if (now.text !== text || now.target !== target)
    throw refused(path, 'was changed by another program meanwhile', 'Look at it')
}

/**
 * Replaces a settings file at once, with its mode and owner; without a text, removes it.
 * @param newMode the mode of a file that was not there
 * @throws SettingsFileError if it has changed since it was read, or cannot be written
 */
export function writeSettingsFile(file: SettingsFile, text: string | undefined, newMode = 0o600): void {
  const { path, target } = file
  refuseChanged(file)
  try {
    if (text === undefined) {
      fs.rmSync(target, { force: true })
      return
    }
    fs.mkdirSync(dirname(target), { recursive: true, mode: 0o700 })
    replaceFile(target, Buffer.from(text), { mode: file.mode ?? newMode, owner: file.owner })
  } catch (error) {
    throw refused(path, `cannot be written (${(error as NodeJS.ErrnoException).code ?? 'error'})`, 'Make it writable')
  }
  syncFolder(target)
}

/** Writes a copy of a file beside it, for its user alone. A copy that is there already stays. Returns the path of the new one. */
export function copyBeside(path: string, text: string, number = 1): string {
  const copy = `${path}.bak${number === 1 ? '' : `-${number}`}`
  try {
    fs.writeFileSync(copy, text, { mode: 0o600, flag: 'wx' })
    return copy
  } catch (error) {
    const { code = 'error' } = error as NodeJS.ErrnoException
    if (code === 'EEXIST') return copyBeside(path, text, number + 1)
    throw refused(copy, `cannot be written (${code})`, 'Make its folder writable')
  }
}

export const hashOfText = (text: string | undefined): string => (text === undefined ? 'absent' : sha256(text))

/** Returns the first of some processes that is running. */
export const runningOf = (pids: readonly number[]): number | undefined => pids.find(isRunning)
