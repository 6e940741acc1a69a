import type { Redis } from 'ioredis'
import { LRUCache } from 'lru-cache'
import { writeSummaryMessage } from '../../agents/own-summary.ts'
import { withoutMarker } from '../../agents/summary-message.ts'
import { hasVisibleWords } from '../../text/visible-words.ts'
import { estimateTextTokens } from '../../tokens/estimate-tokens.ts'

/** The state of a place where a conversation may be cut. */
export type KnownCut = PendingCut | StoredCut

/** A summary is being written. It expires, so that a failed one is tried again later. */
interface PendingCut {
  state: 'pending'
  /** Whether this process has claimed it; otherwise another replica writes it. */
  isOwn?: boolean
}

/** A summary of the messages before a cut. */
export interface StoredCut {
  /** `active` once it has been returned: from then on the conversation begins with it, until it exceeds the limit again. */
  state: 'ready' | 'active'
  summary: string
  /** The tokens of the message with the summary. */
  tokens: number
  model: string
}

interface CutStoreOptions {
  /** Where replicas share the cuts. */
  redis?: Redis | undefined
  /** Called when Redis did not answer, or answered with something else than a cut. */
  onError: () => void
  /** How long a summary may take to be written. */
  pendingMs: number
  maxBytes?: number
}

/** Texts of this size in all are kept in this process. */
const MAX_BYTES = 67_108_864

/** A conversation that has no request for so long begins anew. */
const TTL_MS = 86_400_000

/** The number is the version of the shape of a cut, and of the hashes in the keys. */
const PREFIX = 'precis:cut:1:'

/** Keys that one command asks Redis for. */
const BATCH = 512

/** The bytes of an entry without its text, about. */
const ENTRY_BYTES = 256

/**
 * The cuts of conversations: in this process and, if it is configured, in Redis. A Redis that cannot be reached counts as
 * empty.
 */
export class CutStore {
  readonly #options: CutStoreOptions
  readonly #memory: LRUCache<string, KnownCut>

  constructor(options: CutStoreOptions) {
    this.#options = options
    this.#memory = new LRUCache({
      maxSize: options.maxBytes ?? MAX_BYTES,
      sizeCalculation: (cut) => ENTRY_BYTES + ('summary' in cut ? 2 * cut.summary.length : 0),
      ttl: TTL_MS,
      updateAgeOnGet: false,
    })
  }

  /** Returns the number of cuts in this process. */
  count(): number {
    return this.#memory.size
  }

  /** Returns what this process knows of a cut. */
  get(key: string): KnownCut | undefined {
    return this.#memory.get(key)
  }

  /** Asks Redis for cuts, the last ones first, until it has found a summary. */
  async fetch(keys: readonly string[]): Promise<void> {
    const { redis, onError } = this.#options
    if (redis === undefined) return
    try {
      for (let end = keys.length; end > 0; end -= BATCH) {
        const batch = keys.slice(Math.max(0, end - BATCH), end)
        const texts = await redis.mget(batch.map((key) => PREFIX + key))
        const found = batch.map((key, index) => this.#learn(key, texts[index] ?? null))
        if (found.includes('summary')) return
      }
    } catch {
      onError()
    }
  }

  /** Reserves a cut for a summary that is to be written. @returns false if it is known already, here or in Redis */
  async claim(key: string): Promise<boolean> {
    if (this.#memory.get(key) !== undefined) return false
    const { redis, onError, pendingMs } = this.#options
    this.#remember(key, { state: 'pending', isOwn: true })
    try {
      const isFree = (await redis?.set(PREFIX + key, '{"state":"pending"}', 'PX', pendingMs, 'NX')) !== null
      if (!isFree) this.#remember(key, { state: 'pending' })
      return isFree
    } catch {
      onError()
      return true
    }
  }

  /** Keeps a summary, or renews the time that it is kept. */
  put(key: string, cut: StoredCut): void {
    const { redis, onError } = this.#options
    this.#remember(key, cut)
    redis?.set(PREFIX + key, JSON.stringify(cut), 'PX', TTL_MS).catch(onError)
  }

  /** Frees a cut that was claimed, so that another replica can summarize it. */
  release(key: string): void {
    const { redis, onError } = this.#options
    this.#memory.delete(key)
    redis?.del(PREFIX + key).catch(onError)
  }

  #remember(key: string, cut: KnownCut): void {
    this.#memory.set(key, cut, { ttl: cut.state === 'pending' ? this.#options.pendingMs : TTL_MS })
  }

  /** Reads a value of Redis. One bad value does not hide the others. */
  #learn(key: string, text: string | null): 'summary' | undefined {
    if (text === null) return undefined
    const cut = parseCut(text)
    if (cut === undefined) this.#options.onError()
    else this.#merge(key, cut)
    return cut === undefined || cut.state === 'pending' ? undefined : 'summary'
  }

  /** Remembers a cut of Redis. If the cut is known here already, only one that is further replaces it: pending, ready, active. */
  #merge(key: string, cut: KnownCut): void {
    const own = this.#memory.get(key)
    const isFurther = own === undefined || cut.state === 'active' || (own.state === 'pending' && cut.state === 'ready')
    if (isFurther) this.#remember(key, cut)
  }
}

/** The largest summary has some 100,000 tokens. */
const MAX_SUMMARY_CHARACTERS = 1_000_000

/**
 * Returns the cut in a value of Redis; undefined if the value is something else. Its tokens are counted again: a wrong number
 * would exceed the limit of a request.
 */
function parseCut(text: string): KnownCut | undefined {
  const { state, summary, tokens, model } = parseObject(text)
  if (state === 'pending') return { state }
  if (state !== 'ready' && state !== 'active') return undefined
  if (!isSummary(summary) || !Number.isSafeInteger(tokens) || Number(tokens) < 1 || typeof model !== 'string')
    return undefined
  return { state, summary, tokens: estimateTextTokens(writeSummaryMessage(summary)), model }
}

/** Returns whether a value can be a summary that this service has written: with words, and without the mark of LiteLLM. */
const isSummary = (value: unknown): value is string =>
  typeof value === 'string' &&
  value.length <= MAX_SUMMARY_CHARACTERS &&
  hasVisibleWords(value) &&
  withoutMarker(value) === value

function parseObject(text: string): Readonly<Record<string, unknown>> {
  try {
    return (JSON.parse(text) ?? {}) as Readonly<Record<string, unknown>>
  } catch {
    return {}
  }
}
