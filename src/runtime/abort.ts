import { setMaxListeners } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'

/** Opens a controller for work in many parts: all of them listen, which is no leak, and Node would warn of one. */
export function openController(): AbortController {
  const controller = new AbortController()
  setMaxListeners(0, controller.signal)
  return controller
}

/** Waits so many milliseconds; throws the signal's reason when that aborts first. */
export async function wait(ms: number, signal: AbortSignal): Promise<void> {
  await delay(ms, undefined, { signal }).catch(() => {
    signal.throwIfAborted()
  })
}
