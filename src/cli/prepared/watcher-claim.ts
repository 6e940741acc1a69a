import { randomUUID } from 'node:crypto'
import { rmSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { fieldsOf, parseJson } from '../../session/entry.ts'
import { isRunning } from '../durable-file.ts'
import { CliError } from '../exit.ts'
import { readPrivate, writePrivate } from './state-folder.ts'

/** How often a claim is extended, and when one ends that was not: its process is dead, or has been stopped. */
const EXTEND_MS = 15_000
const STALE_MS = 60_000

interface Claimed {
  token: string
  pid: number
  host: string
  at: number
}

interface ClaimOptions {
  /** The state folder. */
  path: string
  now: () => number
}

/** The claim of one process to prepare the summaries of a folder: two would pay for the same summaries. */
export class WatcherClaim {
  readonly #path: string
  readonly #folder: string
  readonly #now: () => number
  readonly #own: Omit<Claimed, 'at'>
  #extendedAt = -Infinity

  constructor({ path, now }: ClaimOptions) {
    this.#folder = path
    this.#path = join(path, 'watcher')
    this.#now = now
    this.#own = { token: randomUUID(), pid: process.pid, host: hostname() }
  }

  /** Claims the folder. @throws CliError if another process has claimed it, and is alive */
  take(): void {
    const other = this.livingOther()
    if (other !== undefined)
      throw new CliError(
        'inUse',
        `Another \`precis watch\` (process ${other.pid}${other.host === this.#own.host ? '' : ` on ${other.host}`}) prepares ` +
          `the summaries in ${this.#folder}. End it, or leave out --model and --with: then this one shows the sessions, and prepares none.`,
      )
    this.#write()
  }

  /** Extends the claim. @returns false if another process has it now */
  extend(): boolean {
    const claimed = this.#read()
    if (claimed !== undefined && claimed.token !== this.#own.token) return false
    if (claimed === undefined || this.#now() - this.#extendedAt >= EXTEND_MS) this.#tryToWrite()
    return true
  }

  release(): void {
    if (this.#read()?.token === this.#own.token) rmSync(this.#path, { force: true })
  }

  /** Returns another process that has the claim, and is alive. */
  livingOther(): Claimed | undefined {
    const claimed = this.#read()
    if (claimed === undefined || claimed.token === this.#own.token) return undefined
    const { pid, host, at } = claimed
    // In a container, this process may have the number of the one before it.
    const isDead = host === this.#own.host && (pid === this.#own.pid || !isRunning(pid))
    return isDead || Math.abs(this.#now() - at) >= STALE_MS ? undefined : claimed
  }

  /** On a full disk, the claim ends. Nothing is prepared then either. */
  #tryToWrite(): void {
    try {
      this.#write()
    } catch {
      this.#extendedAt = -Infinity
    }
  }

  #write(): void {
    const at = this.#now()
    writePrivate(this.#path, JSON.stringify({ ...this.#own, at }))
    this.#extendedAt = at
  }

  #read(): Claimed | undefined {
    const { token, pid, host, at } = fieldsOf(parseJson(readPrivate(this.#path) ?? ''))
    const isClaim = typeof token === 'string' && typeof host === 'string' && Number.isInteger(pid)
    return isClaim && typeof at === 'number' ? { token, host, pid: Number(pid), at } : undefined
  }
}
