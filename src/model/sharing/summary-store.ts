import { LRUCache } from 'lru-cache'
import { PinnedChoices } from './pinned-choices.ts'
import {
  isFurther,
  isKeepable,
  lengthOfSummary,
  openValue,
  parseKnownSummary,
  sealValue,
  type KnownSummary,
  type StoredSummary,
} from './stored-summary.ts'
import { askPlace, claimIn, type SharedOptions, type SummaryPlace } from './summary-place.ts'

interface SummaryStoreOptions extends SharedOptions {
  /** How long a key rests after a failure; 0: not at all. */
  restMs: number
  /** How long a summary is kept. */
  keepMs?: number | undefined
  maxBytes?: number
}

/** Texts of this size in all are kept in this process. */
const MAX_BYTES = 67_108_864

/** A conversation that has no request for so long begins anew. */
const TTL_MS = 86_400_000

/** A claim ends so long after its writer has extended it for the last time: a replica that dies blocks nobody. */
export const CLAIM_MS = 15_000

const QUEUED: KnownSummary = { state: 'queued' }

/** Keys that are read at once. */
const BATCH = 512

/** As many of the newest keys of one owner are known. */
const MAX_KEYS = 1000

const MAX_OWNERS = 10_000

/** The bytes of an entry without its text, about. */
const ENTRY_BYTES = 256

/**
 * The summaries that were prepared for later requests: in this process and, if there is one, in a place that it shares with
 * others. A place that fails counts as empty.
 */
export class SummaryStore {
  /** Which summary the parts of one text come from. */
  readonly pins: PinnedChoices
  readonly #options: SummaryStoreOptions
  readonly #keepMs: number
  readonly #memory: LRUCache<string, KnownSummary>
  readonly #keys = new LRUCache<string, Set<string>>({ maxSize: MAX_OWNERS, sizeCalculation: () => 1 })
  /** The keys that this process has claimed, and that have not ended yet. */
  readonly #claimed = new Set<string>()

  constructor(options: SummaryStoreOptions) {
    this.#options = options
    this.#keepMs = options.keepMs ?? TTL_MS
    this.pins = new PinnedChoices(options)
    this.#memory = new LRUCache({
      maxSize: options.maxBytes ?? MAX_BYTES,
      sizeCalculation: (known) => ENTRY_BYTES + 2 * lengthOfSummary(known),
      ttl: this.#keepMs,
      updateAgeOnGet: false,
    })
  }

  /** Returns the number of summaries in this process. */
  count(): number {
    return this.#memory.size
  }

  /** Returns what this process knows of a summary. */
  get(key: string): KnownSummary | undefined {
    return this.#memory.get(key)
  }

  /** Returns the newest keys of an owner, the newest first, those of summaries that are being written included. */
  async keysOf(owner: string): Promise<string[]> {
    const own = this.#keys.get(owner) ?? new Set<string>()
    for (const key of own) if (!this.#memory.has(key)) own.delete(key)
    const others = await this.#ask((place) => place.keysOf(owner, MAX_KEYS))
    return [...new Set([...[...own].reverse(), ...(others ?? [])])].slice(0, MAX_KEYS)
  }

  /** Reads summaries from the shared place, the last ones first, until it has found one. Drafts that are here do not change any more. */
  async fetch(wanted: readonly string[]): Promise<void> {
    const keys = wanted.filter((key) => !('drafts' in (this.#memory.get(key) ?? {})))
    for (let end = keys.length; end > 0; end -= BATCH) {
      const batch = keys.slice(Math.max(0, end - BATCH), end)
      const texts = await this.#ask((place) => place.read(batch))
      if (texts === undefined) return
      const found = batch.map((key, index) => this.#learn(key, texts[index] ?? null))
      if (found.includes('summary')) return
    }
  }

  /**
   * Reserves a key for a summary that is to be written. A value of the shared place that cannot be read is overwritten.
   * @param owner under whom the key is found; left out for keys that whoever looks for them works out
   * @returns false if it is known already, here or in the shared place
   */
  async claim(key: string, owner?: string): Promise<boolean> {
    if (this.#memory.get(key) !== undefined) return false
    this.#remember(key, QUEUED)
    this.#claimed.add(key)
    if (owner !== undefined) this.#index(key, owner)
    const value = this.#seal(key, QUEUED)
    const isReadable = (known: string): boolean => this.#open(key, known) !== undefined
    if ((await this.#ask((place) => claimIn(place, { key, value, ttlMs: CLAIM_MS }, isReadable))) !== false) return true
    this.#claimed.delete(key)
    this.#memory.set(key, QUEUED, { ttl: CLAIM_MS })
    return false
  }

  /** Says that a summary whose key was claimed is being written now: until then, other replicas do not wait for it long. */
  begin(key: string): void {
    this.#remember(key, { state: 'pending' })
    const value = this.#seal(key, { state: 'pending' })
    void this.#ask((place) => place.write(key, value, CLAIM_MS))
  }

  async renew(key: string): Promise<void> {
    await this.#ask((place) => place.extend(key, CLAIM_MS))
  }

  /** Keeps a summary, or renews the time that it is kept. */
  put(key: string, summary: StoredSummary): void {
    if (isKeepable(summary)) this.#write(key, summary, this.#keepMs)
    else this.fail(key)
  }

  /** Says that a summary could not be written: it is not tried again at once. */
  fail(key: string): void {
    const { restMs } = this.#options
    if (restMs > 0) this.#write(key, { state: 'failed' }, restMs)
    else this.release(key)
  }

  /** Frees a key that was claimed, so that another replica can write its summary. */
  release(key: string): void {
    this.#claimed.delete(key)
    this.#memory.delete(key)
    void this.#ask((place) => place.remove(key))
  }

  #write(key: string, known: KnownSummary, ttlMs: number): void {
    this.#claimed.delete(key)
    this.#remember(key, known, ttlMs)
    const value = this.#seal(key, known)
    void this.#ask((place) => place.write(key, value, ttlMs))
  }

  #remember(key: string, known: KnownSummary, ttl = this.#keepMs): void {
    this.#memory.set(key, known, { ttl })
  }

  #index(key: string, owner: string): void {
    const own = this.#keys.get(owner) ?? new Set()
    this.#keys.set(owner, own.add(key))
    void this.#ask((place) => place.index(key, owner, { ttlMs: this.#keepMs, most: MAX_KEYS }))
  }

  #seal(key: string, known: KnownSummary): string {
    return sealValue(this.#options.shared?.secret ?? '', key, JSON.stringify(known))
  }

  /** Returns what a shared value says; undefined if it is not one of ours. */
  #open(key: string, value: string): KnownSummary | undefined {
    const text = openValue(this.#options.shared?.secret ?? '', key, value)
    return text === undefined ? undefined : parseKnownSummary(text)
  }

  #ask<T>(command: (place: SummaryPlace) => Promise<T>): Promise<T | undefined> {
    return askPlace(this.#options, command)
  }

  /** Reads a shared value. One bad value does not hide the others. */
  #learn(key: string, value: string | null): 'summary' | undefined {
    if (value === null) {
      // Its writer has released it, or has died.
      const { state } = this.#memory.get(key) ?? {}
      if (!this.#claimed.has(key) && (state === 'queued' || state === 'pending')) this.#memory.delete(key)
      return undefined
    }
    const known = this.#open(key, value)
    if (known === undefined) this.#options.onUnreadable()
    else this.#merge(key, known)
    return known !== undefined && ('drafts' in known || 'summary' in known) ? 'summary' : undefined
  }

  /** Remembers what others know. If it is known here already, only what is further replaces it. */
  #merge(key: string, known: KnownSummary): void {
    if (!isFurther(known, this.#memory.get(key))) return
    this.#claimed.delete(key)
    const ttl = { queued: CLAIM_MS, pending: CLAIM_MS, failed: this.#options.restMs }[known.state as string]
    this.#remember(key, known, ttl)
  }
}
