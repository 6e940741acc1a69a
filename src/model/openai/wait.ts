import { setTimeout as delay } from 'node:timers/promises'

/** Waits so many milliseconds; throws the signal's reason when that aborts first. */
export async function wait(ms: number, signal: AbortSignal): Promise<void> {
  await delay(ms, undefined, { signal }).catch(() => {
    signal.throwIfAborted()
  })
}
