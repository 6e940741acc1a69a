import { Redis } from 'ioredis'

/** The Redis connection that several replicas share. It may fail at any time: then each replica works alone. */
export interface SharedMemory {
  client: Redis
  isUp: () => boolean
  close: () => void
}

/** The time limit of a command: a cache must not make requests slower. */
const TIMEOUT_MS = 250

const MAX_RECONNECT_WAIT_MS = 5000

/** Connects to Redis or Valkey, and reconnects in the background. Without a connection, commands fail at once. */
export function connectRedis(url: string): SharedMemory {
  const client = new Redis(url, {
    connectTimeout: 2000,
    commandTimeout: TIMEOUT_MS,
    maxRetriesPerRequest: 0,
    enableOfflineQueue: false,
    retryStrategy: (attempts) => Math.min(attempts * 200, MAX_RECONNECT_WAIT_MS),
  })
  // An error event without a listener would end the process; `isUp` reports the state instead.
  client.on('error', () => undefined)
  return {
    client,
    isUp: () => client.status === 'ready',
    close: () => {
      client.disconnect()
    },
  }
}
