import type { Test } from 'tap'
import { startTimer } from '../../src/runtime/abort.ts'
import { connectRedis, type SharedMemory } from '../../src/runtime/redis.ts'
import { until } from './until.ts'

/** However busy the machine is, a Redis that answers is not taken for one that hangs. */
const TIMEOUT_MS = 600_000

/** Connects to a Redis that answers, until the test ends. */
export async function connectShared(t: Test, url: string): Promise<SharedMemory> {
  const shared = connectRedis(url, startTimer, TIMEOUT_MS)
  t.teardown(() => {
    shared.close()
  })
  await until(() => shared.isUp())
  return shared
}
