import { Redis } from 'ioredis'

/** Shared memory of several replicas. All of it may be away at any time: then each replica goes on alone. */
export interface SharedMemory {
  client: Redis
  isUp: () => boolean
  close: () => void
}

/** How long anything of Redis may take: it is asked to save work, and must not cost more of it. */
const TIMEOUT_MS = 250

const MAX_RECONNECT_WAIT_MS = 5000

/** Connects to Redis or Valkey, again and again in the background where it is away; a command fails at once then. */
export function connectRedis(url: string): SharedMemory {
  const client = new Redis(url, {
    connectTimeout: 2000,
    commandTimeout: TIMEOUT_MS,
    maxRetriesPerRequest: 0,
    enableOfflineQueue: false,
    retryStrategy: (attempts) => Math.min(attempts * 200, MAX_RECONNECT_WAIT_MS),
  })
  // Without a listener an error would end the process; that it is away is told by `isUp`.
  client.on('error', () => undefined)
  return {
    client,
    isUp: () => client.status === 'ready',
    close: () => {
      client.disconnect()
    },
  }
}
