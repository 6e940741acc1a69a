import { setMaxListeners } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'

/** Opens a controller for work in many parts: all of them listen, which is no leak, and Node would warn of one. */
export function openController(): AbortController {
  const controller = new AbortController()
  setMaxListeners(0, controller.signal)
  return controller
}

/** Calls back once after a number of milliseconds. The returned function stops the timer. */
export type StartTimer = (callback: () => void, ms: number) => () => void

/** Node's timers fire at once past this (a 32-bit signed count of milliseconds). */
const MAX_TIMER_MS = 2_147_483_647

export const startTimer: StartTimer = (callback, ms) => {
  const timer = setTimeout(callback, Math.min(ms, MAX_TIMER_MS))
  return () => {
    clearTimeout(timer)
  }
}

/** Waits so many milliseconds; throws the signal's reason when that aborts first. */
export async function wait(ms: number, signal: AbortSignal): Promise<void> {
  await delay(ms, undefined, { signal }).catch(() => {
    signal.throwIfAborted()
  })
}
