import { createHash } from 'node:crypto'
import type { Redis } from 'ioredis'
import { LRUCache } from 'lru-cache'
import type { SummaryTask } from '../../prompt/task.ts'

/** A cache of finished results. A store that cannot be reached behaves as if it were empty. */
export interface ResultStore<T> {
  get: (key: string) => T | undefined | Promise<T | undefined>
  set: (key: string, result: T) => void
}

interface CountedStore<T> extends ResultStore<T> {
  count: () => number
}

/** Creates a store in this process that keeps the newest results for `ttlMs`; it is always empty if a limit is 0. */
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

/** The number is the version of the result's shape: another version of this service must not read it. */
const PREFIX = 'precis:result:3:'

interface RedisStoreOptions<T> {
  ttlMs: number
  /** Returns whether a value has the shape of a result: other programs may have written it. */
  isResult: (value: unknown) => value is T
  /** Called when Redis did not answer, or answered with something else than a result. */
  onError: () => void
}

/**
 * Creates a store that replicas share. While Redis is unreachable the store is empty, and no request fails. A value that
 * is not a result counts as missing.
 */
export function createRedisStore<T>(client: Redis, { ttlMs, isResult, onError }: RedisStoreOptions<T>): ResultStore<T> {
  return {
    async get(key) {
      try {
        const text = await client.get(PREFIX + key)
        if (text === null) return undefined
        const value: unknown = JSON.parse(text)
        if (isResult(value)) return value
      } catch {
        // Counted below, as a value of a wrong shape is.
      }
      onError()
      return undefined
    },
    set(key, result) {
      client.set(PREFIX + key, JSON.stringify(result), 'PX', ttlMs).catch(onError)
    },
  }
}

/** Combines two stores: reads the near one first, and copies what it finds in the far one into the near one. */
export function tierStores<T>(near: ResultStore<T>, far: ResultStore<T>): ResultStore<T> {
  return {
    async get(key) {
      const cached = await near.get(key)
      if (cached !== undefined) return cached
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
 * Returns the cache key of a task: a hash of everything that decides its result. The texts cannot be read from it.
 * @param cacheNamespace a text for what all tasks of a service have in common (models, prompts, rules), which differs
 *   between services that share a store
 * @param caller keeps service tokens apart, so that no caller learns from a fast reply what another one has sent
 */
export const cacheKey = (
  { digest, maxTokens }: Pick<SummaryTask, 'digest' | 'maxTokens'>,
  { cacheNamespace, tokenDigest = '' }: { cacheNamespace: string; tokenDigest?: string | undefined },
): string =>
  createHash('sha256')
    .update(JSON.stringify([cacheNamespace, tokenDigest, maxTokens, digest]))
    .digest('base64url')
