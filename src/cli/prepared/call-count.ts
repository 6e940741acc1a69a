import { join } from 'node:path'
import { UNOBSERVED, type ModelObserver } from '../../model/observer.ts'
import { fieldsOf, parseJson } from '../../session/entry.ts'
import { readPrivate, writePrivate } from './state-folder.ts'

/** The ends of calls that a server has refused, or that have not reached it: nobody pays for them. */
const UNPAID: ReadonlySet<string> = new Set([
  'refused-key',
  'no-credit',
  'unknown-model',
  'too-long',
  'too-large',
  'small-window',
  'rate-limited',
  'server-error',
  'bad-request',
  'dropped',
  'foreign-redirect',
  'parameter-refused',
])

/** The model calls of today, in the folder: they count for all processes, one after the other. */
export class CallCount {
  readonly #path: string
  readonly #now: () => number
  /** The newest count, also if the folder cannot be written. */
  #known = { day: '', calls: 0 }

  constructor({ path, now }: { path: string; now: () => number }) {
    this.#path = join(path, 'calls')
    this.#now = now
  }

  today(): number {
    const day = dayOf(this.#now())
    const kept = fieldsOf(parseJson(readPrivate(this.#path) ?? ''))
    const calls = kept['day'] === day && Number.isSafeInteger(kept['calls']) ? Number(kept['calls']) : 0
    return Math.max(calls, this.#known.day === day ? this.#known.calls : 0)
  }

  /** Writes the count. @throws the error of the file system: then no summary could be kept either */
  save(): void {
    this.#add(0)
  }

  /** Returns what counts the calls of a model. */
  observer(): ModelObserver {
    return {
      ...UNOBSERVED,
      callStarted: () => {
        this.#addIfPossible(1)
        return {
          headers: {},
          end: (outcome) => {
            if (UNPAID.has(outcome)) this.#addIfPossible(-1)
          },
        }
      },
    }
  }

  #addIfPossible(calls: number): void {
    try {
      this.#add(calls)
    } catch {
      // The call has begun. The count is in memory, and the next preparation does not begin.
    }
  }

  #add(calls: number): void {
    this.#known = { day: dayOf(this.#now()), calls: Math.max(0, this.today() + calls) }
    writePrivate(this.#path, JSON.stringify(this.#known))
  }
}

/** Returns a day as the user counts them. */
function dayOf(ms: number): string {
  const date = new Date(ms)
  return [date.getFullYear(), date.getMonth() + 1, date.getDate()]
    .map((part) => String(part).padStart(2, '0'))
    .join('-')
}
