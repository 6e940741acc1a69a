import * as fs from 'node:fs'
import { join } from 'node:path'
import { namesIn } from '../../agents/shared/session-file.ts'
import type { SummaryPlace } from '../../model/sharing/summary-place.ts'
import { isLeftOver, writeDraft } from '../durable-file.ts'
import { createStateFolder, readPrivate, readSecret, writePrivate, writeSecret } from './state-folder.ts'

/** Keys are hashes with SHA-256 as base64url. */
const KEY = /^[\w-]{43}$/

/** How long the summaries of a user are kept. */
export const KEEP_MS = 604_800_000

interface Kept {
  expiresAt: number
  value: string
}

interface FolderOptions {
  /** The state folder, in which the summaries have a folder of their own. */
  path: string
  secret: string
  now?: () => number
}

/**
 * The summaries of one user on this machine, a file for each: the moment until which it counts, a line feed, and the sealed value.
 * It keeps them for all owners, whose keys differ anyway.
 */
export class SummaryFolder implements SummaryPlace {
  readonly path: string
  readonly secret: string
  readonly #state: string
  readonly #now: () => number
  /** Summaries that could not be written yet: a model was paid for them. */
  readonly #unsaved = new Map<string, Kept>()

  constructor({ path, secret, now = Date.now }: FolderOptions) {
    this.#state = path
    this.path = join(path, 'summaries')
    this.secret = secret
    this.#now = now
  }

  async keysOf(_owner: string, most: number): Promise<string[]> {
    const keys = this.#keys()
    if (keys.length <= most) return keys
    const ages = new Map(keys.map((key) => [key, fs.statSync(join(this.path, key), LENIENT)?.mtimeMs ?? 0]))
    return keys.sort((a, b) => (ages.get(b) ?? 0) - (ages.get(a) ?? 0)).slice(0, most)
  }

  async read(keys: readonly string[]): Promise<(string | null)[]> {
    return keys.map((key) => this.#read(key)?.value ?? null)
  }

  async write(key: string, value: string, ttlMs: number): Promise<void> {
    this.#unsaved.set(key, { value, expiresAt: this.#now() + ttlMs })
    this.save()
  }

  async claim(key: string, value: string, ttlMs: number): Promise<boolean> {
    if (this.#read(key) !== undefined) return false
    this.#create()
    const path = join(this.path, key)
    fs.rmSync(path, { force: true })
    try {
      writeDraft(path, Buffer.from(textOf({ value, expiresAt: this.#now() + ttlMs })), { mode: 0o600 })
      return true
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
      throw error
    }
  }

  async replace(key: string, read: string | null, by: { value: string; ttlMs: number }): Promise<boolean> {
    if ((this.#read(key)?.value ?? null) !== read) return false
    fs.rmSync(join(this.path, key), { force: true })
    return this.claim(key, by.value, by.ttlMs)
  }

  async extend(key: string, ttlMs: number): Promise<void> {
    const kept = this.#read(key)
    if (kept !== undefined) writePrivate(join(this.path, key), textOf({ ...kept, expiresAt: this.#now() + ttlMs }))
  }

  async remove(key: string): Promise<void> {
    this.#unsaved.delete(key)
    fs.rmSync(join(this.path, key), { force: true })
  }

  async index(): Promise<void> {
    // The names of the files are the index.
  }

  /** Returns how many summaries could not be written yet. */
  unsaved(): number {
    return this.#unsaved.size
  }

  /** Writes those that could not be written. @throws the error of the file system */
  save(): void {
    if (this.#unsaved.size > 0) this.#create()
    for (const [key, kept] of this.#unsaved) {
      writePrivate(join(this.path, key), textOf(kept))
      this.#unsaved.delete(key)
    }
  }

  /** Removes summaries whose time is over, and what a killed process has left. */
  tidy(): void {
    for (const key of this.#keys()) if (this.#read(key) === undefined) fs.rmSync(join(this.path, key), { force: true })
    for (const folder of [this.#state, this.path])
      for (const name of namesIn(folder)) {
        const pid = /^\..*\.precis-draft-(\d{1,10})-[0-9a-f]{12}$/.exec(name)?.[1]
        const path = join(folder, name)
        if (pid !== undefined && isLeftOver(Number(pid), path)) fs.rmSync(path, { force: true })
      }
  }

  /** Removes all summaries. Returns how many there were. */
  forget(): number {
    const count = this.#keys().length
    fs.rmSync(this.path, { recursive: true, force: true })
    return count
  }

  #keys(): string[] {
    return namesIn(this.path).filter((name) => KEY.test(name))
  }

  /** Returns a value that still counts. */
  #read(key: string): Kept | undefined {
    const text = KEY.test(key) ? readPrivate(join(this.path, key)) : undefined
    const end = text?.indexOf('\n') ?? -1
    if (text === undefined || end < 1) return undefined
    const expiresAt = Number(text.slice(0, end))
    return expiresAt > this.#now() ? { expiresAt, value: text.slice(end + 1) } : undefined
  }

  /** Creates the folder, again if somebody has removed it, with the secret of the values that this process has sealed. */
  #create(): void {
    createStateFolder(this.#state)
    fs.mkdirSync(this.path, { recursive: true, mode: 0o700 })
    if (readSecret(this.#state) === undefined) writeSecret(this.#state, this.secret)
  }
}

const LENIENT = { throwIfNoEntry: false } as const

const textOf = ({ expiresAt, value }: Kept): string => `${expiresAt}\n${value}`
