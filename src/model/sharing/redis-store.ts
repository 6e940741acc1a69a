import type { Redis } from 'ioredis'
import type { ResultStore } from './result-store.ts'

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
