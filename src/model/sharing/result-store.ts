import { LRUCache } from 'lru-cache'

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
}: {
  entries: number
  ttlMs: number
}): CountedStore<T> {
  if (entries === 0 || ttlMs === 0) return { get: () => undefined, set: () => undefined, count: () => 0 }
  const cache = new LRUCache<string, T>({ max: entries, ttl: ttlMs })
  return {
    count: () => cache.size,
    get: (key) => cache.get(key),
    set: (key, result) => {
      cache.set(key, result)
    },
  }
}
