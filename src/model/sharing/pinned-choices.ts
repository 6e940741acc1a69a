import { createHash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { openValue, sealValue } from './stored-summary.ts'
import { askPlace, claimIn, type SharedOptions } from './summary-place.ts'

/** A client asks for all parts of a text within minutes. */
const PIN_MS = 600_000

const MAX_PINS = 10_000

/** The choices that later requests must make too, in this process and in the shared place: the first one counts. */
export class PinnedChoices {
  readonly #options: SharedOptions
  readonly #memory = new LRUCache<string, string>({ maxSize: MAX_PINS, sizeCalculation: () => 1, ttl: PIN_MS })

  constructor(options: SharedOptions) {
    this.#options = options
  }

  /** Returns a choice; undefined if none has been made. */
  async get(name: string): Promise<string | undefined> {
    const own = this.#memory.get(name)
    const { shared, onUnreadable } = this.#options
    if (own !== undefined || shared === undefined) return own
    const key = keyOf(name)
    const [value] = (await askPlace(this.#options, (place) => place.read([key]))) ?? []
    if (typeof value !== 'string') return undefined
    const choice = openValue(shared.secret, key, value)
    if (choice !== undefined) this.#memory.set(name, choice)
    else onUnreadable()
    return choice
  }

  /** Makes a choice, unless another request has made it meanwhile. @returns the one that counts */
  async set(name: string, choice: string): Promise<string> {
    const own = this.#memory.get(name)
    if (own !== undefined) return own
    this.#memory.set(name, choice)
    const { shared } = this.#options
    if (shared === undefined) return choice
    const key = keyOf(name)
    const claim = { key, value: sealValue(shared.secret, key, choice), ttlMs: PIN_MS }
    const isChoice = (value: string): boolean => openValue(shared.secret, key, value) !== undefined
    if ((await askPlace(this.#options, (place) => claimIn(place, claim, isChoice))) !== false) return choice
    this.#memory.delete(name)
    const other = (await this.get(name)) ?? choice
    this.#memory.set(name, other)
    return other
  }
}

/** Returns a key of the place for a choice: no summary has it. */
const keyOf = (name: string): string => createHash('sha256').update(`choice\n${name}`).digest('base64url')
