import { setMaxListeners } from 'node:events'
import { setImmediate, setTimeout as delay } from 'node:timers/promises'

/** Returns a controller for work in many parts. All of them listen to its signal, and Node would warn of a leak. */
export function openController(): AbortController {
  const controller = new AbortController()
  setMaxListeners(0, controller.signal)
  return controller
}

/** Returns a signal that aborts with the first of some signals, for work in many parts. */
export function anyOf(...signals: AbortSignal[]): AbortSignal {
  const signal = AbortSignal.any(signals)
  setMaxListeners(0, signal)
  return signal
}

/** Calls back once after some milliseconds. The returned function stops the timer. */
export type StartTimer = (callback: () => void, ms: number) => () => void

/** The longest time of a timer: with a longer one, Node's timers fire at once (a 32-bit signed number of milliseconds). */
export const MAX_TIMER_MS = 2_147_483_647

/** Starts a real timer. */
export const startTimer: StartTimer = (callback, ms) => {
  const timer = setTimeout(callback, Math.min(ms, MAX_TIMER_MS))
  return () => clearTimeout(timer)
}

/** Waits for the next turn of the event loop: sockets are served before it. */
export const nextTurn = (): Promise<void> => setImmediate()

/** Waits for some milliseconds. @throws the reason of the signal, if it aborts first */
export async function wait(ms: number, signal: AbortSignal): Promise<void> {
  await delay(ms, undefined, { signal }).catch(() => signal.throwIfAborted())
}

/** Waits for an outcome, at most until the signal aborts; then it throws the signal's reason. */
export async function untilAborted<T>(outcome: Promise<T>, signal: AbortSignal): Promise<T> {
  // An outcome that comes too late is not an unhandled rejection.
  outcome.catch(() => undefined)
  signal.throwIfAborted()
  let onAbort = (): void => undefined
  const aborted = new Promise<never>((_resolve, reject) => {
    onAbort = () => reject(signal.reason as Error)
    signal.addEventListener('abort', onAbort, { once: true })
  })
  try {
    return await Promise.race([outcome, aborted])
  } finally {
    signal.removeEventListener('abort', onAbort)
  }
}
