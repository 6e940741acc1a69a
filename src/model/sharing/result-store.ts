import { LRUCache } from 'lru-cache'
import type { Redis } from 'ioredis'
import { createHash } from 'node:crypto'
import type { SummaryTask } from '../../prompt/task.ts'

/** Keeps finished results for a while. A store that fails to answer has nothing. */
export interface ResultStore<T> {
  get: (key: string) => T | undefined | Promise<T | undefined>
  set: (key: string, result: T) => void
}

export interface CountedStore<T> extends ResultStore<T> {
  count: () => number
}

/** Keeps results in this process: the newest, for a while. None at all where either limit is 0. */
export function createMemoryStore<T extends object>({
  entries,
  ttlMs,
  now,
}: {
  entries: number
  ttlMs: number
  /** Milliseconds of any clock; left out: those of `performance.now()`. */
  now?: () => number
}): CountedStore<T> {
  if (entries === 0 || ttlMs === 0) return { get: () => undefined, set: () => undefined, count: () => 0 }
  const cache = new LRUCache<string, T>({ max: entries, ttl: ttlMs, ...(now && { perf: { now }, ttlResolution: 0 }) })
  return {
    count: () => cache.size,
    get: (key) => cache.get(key),
    set: (key, result) => {
      cache.set(key, result)
    },
  }
}

/** Results of another version of this service may have another shape. */
const PREFIX = 'precis:result:1:'

interface RedisStoreOptions {
  ttlMs: number
  onError: () => void
}

/** Keeps results where other replicas find them. While Redis is away there is nothing in it, and nothing fails. */
export function createRedisStore<T>(client: Redis, { ttlMs, onError }: RedisStoreOptions): ResultStore<T> {
  return {
    async get(key) {
      try {
        const text = await client.get(PREFIX + key)
        return text === null ? undefined : (JSON.parse(text) as T)
      } catch {
        onError()
        return undefined
      }
    },
    set(key, result) {
      client.set(PREFIX + key, JSON.stringify(result), 'PX', ttlMs).catch(onError)
    },
  }
}

/** Asks the near store first; what the far one has is kept in the near one too. */
export function tierStores<T>(near: ResultStore<T>, far: ResultStore<T>): ResultStore<T> {
  return {
    async get(key) {
      const kept = await near.get(key)
      if (kept !== undefined) return kept
      const found = await far.get(key)
      if (found !== undefined) near.set(key, found)
      return found
    },
    set(key, result) {
      near.set(key, result)
      far.set(key, result)
    },
  }
}

/**
 * Names a task by all that decides its answer, so that equal ones have equal names and others do not. The texts
 * themselves cannot be read from it.
 * @param cacheNamespace what is the same for all tasks of a service (models, prompts, rules), and differs between services that
 *   share a store
 * @param caller each service token's callers are apart: nobody learns from the time of an answer what others asked
 */
export function cacheKey(
  { kind, systemPrompt = '', prompt, turns = [], maxTokens, chunking }: SummaryTask,
  { cacheNamespace, caller = '' }: { cacheNamespace: string; caller?: string | undefined },
): string {
  const hash = createHash('sha256')
  const unit = chunking?.unit ?? ''
  // Lengths part the texts: no two lists of texts can be written as the same one.
  for (const text of [
    cacheNamespace,
    caller,
    kind,
    unit,
    String(maxTokens),
    systemPrompt,
    prompt,
    JSON.stringify(turns),
  ])
    hash.update(`${text.length}:`).update(text)
  return hash.digest('base64url')
}
