import type { Redis } from 'ioredis'

/** Where summaries are kept beside the memory of this process: values by their keys. Each function may reject. */
export interface SummaryPlace {
  /** Returns keys of an owner, the newest first; also others, if the place does not know whose they are. */
  keysOf: (owner: string, most: number) => Promise<string[]>
  /** Returns the values of some keys; null for a key without one. */
  read: (keys: readonly string[]) => Promise<(string | null)[]>
  write: (key: string, value: string, ttlMs: number) => Promise<unknown>
  /** Writes a value, unless the key has one. @returns whether it was written */
  claim: (key: string, value: string, ttlMs: number) => Promise<boolean>
  /** Keeps a value for so long from now on. */
  extend: (key: string, ttlMs: number) => Promise<unknown>
  remove: (key: string) => Promise<unknown>
  /** Has `keysOf` return a key, for so long. */
  index: (key: string, owner: string, within: { ttlMs: number; most: number }) => Promise<unknown>
}

/** Where processes share summaries, and the secret of all of them: other programs may write there too. */
export interface SharedSummaries {
  place: SummaryPlace
  secret: string
}

/** The number is the version of the shape of a value, and of the hashes in the keys. */
const PREFIX = 'precis:summary:1:'
const OWNER_PREFIX = 'precis:summaries-of:1:'

/** Returns the place that replicas share. */
export const summariesInRedis = (redis: Redis): SummaryPlace => ({
  keysOf: (owner, most) => redis.zrevrange(OWNER_PREFIX + owner, 0, most - 1),
  read: (keys) => redis.mget(keys.map((key) => PREFIX + key)),
  write: (key, value, ttlMs) => redis.set(PREFIX + key, value, 'PX', ttlMs),
  claim: async (key, value, ttlMs) => (await redis.set(PREFIX + key, value, 'PX', ttlMs, 'NX')) !== null,
  extend: (key, ttlMs) => redis.pexpire(PREFIX + key, ttlMs),
  remove: (key) => redis.del(PREFIX + key),
  index: (key, owner, { ttlMs, most }) => {
    const name = OWNER_PREFIX + owner
    return Promise.all([
      redis.zadd(name, Date.now(), key),
      redis.zremrangebyrank(name, 0, -most - 1),
      redis.pexpire(name, ttlMs),
    ])
  },
})
