import { setMaxListeners } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'

/** Returns a controller for work in many parts. All of them listen to its signal, and Node would warn of a leak. */
export function openController(): AbortController {
  const controller = new AbortController()
  setMaxListeners(0, controller.signal)
  return controller
}

/** Waits for some milliseconds. @throws the reason of the signal, if it aborts first */
export async function wait(ms: number, signal: AbortSignal): Promise<void> {
  await delay(ms, undefined, { signal }).catch(() => {
    signal.throwIfAborted()
  })
}
