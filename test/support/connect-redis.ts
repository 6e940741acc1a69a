import type { Test } from 'tap'
import { connectRedis, type SharedMemory } from '../../src/runtime/redis.ts'
import type { StartTimer } from '../../src/runtime/abort.ts'
import { until } from './until.ts'

interface RedisOptions {
  timers?: StartTimer
  timeoutMs?: number
}

/** However busy the machine is, a Redis that answers is not taken for one that hangs. */
const ANSWERS: RedisOptions = { timeoutMs: 600_000 }

/** Returns a connection to Redis that is ready for commands; it ends with the test. Without options, Redis answers. */
export async function connectToRedis(t: Test, url: string, options = ANSWERS): Promise<SharedMemory> {
  const shared = connectRedis(url, options.timers, options.timeoutMs)
  t.teardown(() => {
    shared.close()
  })
  await until(() => shared.isUp())
  return shared
}

/** Returns a function that counts its calls, for the `onError` of a store, and the count. */
export function countErrors() {
  let errors = 0
  return {
    onError: (): void => {
      errors += 1
    },
    errors: () => errors,
  }
}
