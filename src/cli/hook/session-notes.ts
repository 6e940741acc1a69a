import { createHash } from 'node:crypto'
import * as fs from 'node:fs'
import { join } from 'node:path'
import type { Machine } from '../../agents/home.ts'
import { namesIn } from '../../agents/shared/session-file.ts'
import { fieldsOf, parseJson } from '../../session/entry.ts'
import {
  createStateFolder,
  hasStateFolder,
  readPrivate,
  stateFolderOf,
  writePrivate,
} from '../prepared/state-folder.ts'

/** What hooks have noted of a session, so that the next event need not read it. */
interface SessionNote {
  /** The size of the session when it was read, and the one from which on it is worth reading again. */
  bytes?: number
  nextBytes?: number
  /** When it may be read again. */
  nextMs?: number
  /** How often a preparation has failed since one has succeeded. */
  failures?: number
  /** Up to where it was searched for a compaction. */
  searchedBytes?: number
}

/** Parts of a summary that are older are of a compaction that has not come. */
const LONGEST_MS = 3_600_000

/** Notes of sessions that have not changed for a week are removed. */
const KEEP_MS = 604_800_000

/** The notes of a session, and the parts of its summary that its agent has not been shown yet: files of its user alone. */
export class SessionNotes {
  readonly #state: string
  readonly #folder: string
  readonly #name: string

  constructor(agent: string, id: string, machine: Machine) {
    this.#state = stateFolderOf(machine)
    this.#folder = join(this.#state, 'hooks')
    // An id of an agent may be a path.
    this.#name = createHash('sha256')
      .update(JSON.stringify([agent, id]))
      .digest('hex')
      .slice(0, 32)
  }

  read(): SessionNote {
    if (!hasStateFolder(this.#state)) return {}
    const entries = Object.entries(fieldsOf(parseJson(readPrivate(this.#path('note')) ?? '')))
    return Object.fromEntries(entries.filter(([, value]) => typeof value === 'number'))
  }

  write(note: SessionNote): void {
    this.#create()
    writePrivate(this.#path('note'), JSON.stringify(note))
  }

  /** Keeps the parts of a summary, instead of those of an earlier one. */
  keepParts(parts: readonly string[]): void {
    this.#create()
    this.forgetParts()
    for (const [index, part] of parts.entries()) writePrivate(this.#path(String(index + 1)), part)
  }

  forgetParts(): void {
    for (const { name } of this.#parts()) fs.rmSync(join(this.#folder, name), { force: true })
  }

  /** Removes the parts and notes of all sessions that are too old. */
  removeOld(): void {
    if (!hasStateFolder(this.#state)) return
    for (const name of namesIn(this.#folder)) {
      const path = join(this.#folder, name)
      const stat = fs.lstatSync(path, { throwIfNoEntry: false })
      const longestMs = name.endsWith('.note') ? KEEP_MS : LONGEST_MS
      if (stat !== undefined && Date.now() - stat.mtimeMs > longestMs) fs.rmSync(path, { force: true })
    }
  }

  /** Takes the first part; undefined if there is none. */
  takeFirst(): string | undefined {
    const [first] = this.#parts()
    return first?.number === 1 ? this.#take(first.name) : undefined
  }

  /** Takes the next part, once the first one was taken. */
  takeNext(): string | undefined {
    const [next] = this.#parts()
    return next === undefined || next.number === 1 ? undefined : this.#take(next.name)
  }

  /** Of several hooks that run at the same time, one takes a part. */
  #take(name: string): string | undefined {
    const [path, own] = [join(this.#folder, name), this.#path(`taken-${process.pid}`)]
    try {
      fs.renameSync(path, own)
    } catch {
      return undefined
    }
    const isOfNow = Date.now() - fs.statSync(own).mtimeMs < LONGEST_MS
    const text = readPrivate(own)
    fs.rmSync(own, { force: true })
    return isOfNow ? text : undefined
  }

  #parts(): { name: string; number: number }[] {
    const found = namesIn(this.#folder).flatMap((name) => {
      const number = /^\.([1-9])$/.exec(name.startsWith(this.#name) ? name.slice(this.#name.length) : '')?.[1]
      return number === undefined ? [] : [{ name, number: Number(number) }]
    })
    return found.sort((a, b) => a.number - b.number)
  }

  #create(): void {
    createStateFolder(this.#state)
    fs.mkdirSync(this.#folder, { recursive: true, mode: 0o700 })
  }

  #path(kind: string): string {
    return join(this.#folder, `${this.#name}.${kind}`)
  }
}
