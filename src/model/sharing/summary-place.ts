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
  /** Writes a value in the place of the one that was read, unless another one is there now. @returns whether it was written */
  replace: (key: string, read: string | null, by: Omit<Claim, 'key'>) => Promise<boolean>
  /** Keeps a value for so long from now on. */
  extend: (key: string, ttlMs: number) => Promise<unknown>
  remove: (key: string) => Promise<unknown>
  /** Has `keysOf` return a key, for so long. */
  index: (key: string, owner: string, within: { ttlMs: number; most: number }) => Promise<unknown>
}

/** How a shared place is used, and who hears of its faults. */
export interface SharedOptions {
  shared?: SharedSummaries | undefined
  /** Called when the place did not answer. */
  onError: () => void
  /** Called for a value of the place that this service cannot have written, or that another secret has sealed. */
  onUnreadable: () => void
}

/** Where processes share summaries, and the secret of all of them: other programs may write there too. */
export interface SharedSummaries {
  place: SummaryPlace
  secret: string
}

/** Asks the shared place. @returns undefined if there is none, or if it did not answer */
export async function askPlace<T>(
  { shared, onError }: SharedOptions,
  command: (place: SummaryPlace) => Promise<T>,
): Promise<T | undefined> {
  if (shared === undefined) return undefined
  try {
    return await command(shared.place)
  } catch {
    onError()
    return undefined
  }
}

/** A value for a key of a place, and how long it is kept there. */
interface Claim {
  key: string
  value: string
  ttlMs: number
}

/**
 * Claims a key of a place. A value that cannot be read counts as absent: nobody will ever finish what it claims.
 * @param isReadable whether a value is one of ours
 * @returns false if the key has such a value
 */
export async function claimIn(
  place: SummaryPlace,
  { key, value, ttlMs }: Claim,
  isReadable: (value: string) => boolean,
): Promise<boolean> {
  if (await place.claim(key, value, ttlMs)) return true
  const [read = null] = await place.read([key])
  return (read === null || !isReadable(read)) && place.replace(key, read, { value, ttlMs })
}

/** The number is the version of the shape of a value, and of the hashes in the keys. */
const PREFIX = 'precis:summary:1:'
const OWNER_PREFIX = 'precis:summaries-of:1:'

/** A script of Redis. A value that is no text, such as a list, reads as none, and is replaced too. */
const REPLACE = `
if redis.call('type', KEYS[1]).ok == 'string' and redis.call('get', KEYS[1]) ~= ARGV[1] then return 0 end
redis.call('set', KEYS[1], ARGV[2], 'PX', ARGV[3])
return 1`

/** Returns the place that replicas share. */
export const summariesInRedis = (redis: Redis): SummaryPlace => ({
  keysOf: (owner, most) => redis.zrevrange(OWNER_PREFIX + owner, 0, most - 1),
  read: (keys) => redis.mget(keys.map((key) => PREFIX + key)),
  write: (key, value, ttlMs) => redis.set(PREFIX + key, value, 'PX', ttlMs),
  claim: async (key, value, ttlMs) => (await redis.set(PREFIX + key, value, 'PX', ttlMs, 'NX')) !== null,
  replace: async (key, read, { value, ttlMs }) =>
    (await redis.eval(REPLACE, 1, PREFIX + key, read ?? '', value, ttlMs)) === 1,
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
