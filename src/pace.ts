import { setImmediate } from 'node:timers/promises'

/** Gives the event loop a turn when it is time for one, and ends the work when nobody waits for it. */
export type Pace = () => Promise<void> | undefined

/** How long the service may be deaf to others at a stretch. */
const TURN_MS = 2

/** Makes the pace of one task. The clock decides when others get a turn, never what is written. */
export function createPace(signal?: AbortSignal): Pace {
  let turnEndsAt = performance.now() + TURN_MS
  return () => {
    signal?.throwIfAborted()
    if (performance.now() < turnEndsAt) return undefined
    return setImmediate().then(() => {
      turnEndsAt = performance.now() + TURN_MS
    })
  }
}
