import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isObject } from '../src/session/entry.ts'

/** What is known of one model call. */
interface LoggedCall {
  /** The number of its files, if people answer. */
  number?: number
  /** The model server's reply, as JSON. */
  body?: string
  ms?: number
}

/** The model calls of a folder, in its `calls.json`: a run that is resumed makes none of them again. */
export class CallLog {
  readonly #path: string
  readonly #calls: Map<string, LoggedCall>

  /** @throws Error if the file is not one of this class */
  constructor(folder: string) {
    mkdirSync(folder, { recursive: true })
    this.#path = join(folder, 'calls.json')
    this.#calls = new Map(existsSync(this.#path) ? readCalls(this.#path) : [])
  }

  find(key: string): LoggedCall | undefined {
    return this.#calls.get(key)
  }

  /** Returns the number of a call: the next one if the call is new. */
  numberOf(key: string): number {
    const known = this.#calls.get(key)?.number
    if (known !== undefined) return known
    const number = 1 + Math.max(0, ...[...this.#calls.values()].map((call) => call.number ?? 0))
    this.save(key, { number })
    return number
  }

  save(key: string, call: LoggedCall): void {
    this.#calls.set(key, { ...this.#calls.get(key), ...call })
    // Renamed, so that an interruption leaves the old file or the new one.
    writeFileSync(`${this.#path}.new`, `${JSON.stringify(Object.fromEntries(this.#calls), undefined, 1)}\n`)
    renameSync(`${this.#path}.new`, this.#path)
  }
}

/**
 * Opens the log of the calls that people answer.
 * @throws Error if the folder has prompts of unknown calls: their replies would be taken for those of other prompts
 */
export function openByHand(folder: string): CallLog {
  const files = existsSync(folder) ? readdirSync(folder) : []
  if (files.some((name) => name.endsWith('.prompt.txt')) && !files.includes('calls.json'))
    throw new Error(`${folder} has prompts but no calls.json. Give an empty folder to --by-hand.`)
  return new CallLog(folder)
}

function readCalls(path: string): [string, LoggedCall][] {
  try {
    const value: unknown = JSON.parse(readFileSync(path, 'utf8'))
    if (isObject(value)) return Object.entries(value) as [string, LoggedCall][]
  } catch {
    // The error below names the remedy.
  }
  throw new Error(`${path} is not readable as the list of model calls. Delete it, and the calls will be made again.`)
}
