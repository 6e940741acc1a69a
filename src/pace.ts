/** Gives the event loop a turn when it is time for one, and ends the work when nobody waits for it. */
export type Pace = () => Promise<void> | undefined

/** How long the service may be deaf to others at a stretch. */
const TURN_MS = 2

/** Tasks that wait for their next turn, the one that waits longest first. */
const waiting: (() => void)[] = []

/**
 * Makes the pace of one task. Of several tasks one gets on between two looks at the sockets, in turn: however many there
 * are, nobody else waits for more than one of their steps. The clock decides when others get a turn, never what is written.
 * @throws (the pace) the signal's reason
 */
export function createPace(signal?: AbortSignal): Pace {
  let turnEndsAt = performance.now() + TURN_MS
  return () => {
    signal?.throwIfAborted()
    if (performance.now() < turnEndsAt) return undefined
    return nextTurn().then(() => {
      turnEndsAt = performance.now() + TURN_MS
    })
  }
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    waiting.push(resolve)
    arrangeTurn()
  })
}

let isArranged = false

/** One turn a round of the event loop: all that is asked for by `setImmediate` at once would run in the same round. */
function arrangeTurn(): void {
  if (isArranged || waiting.length === 0) return
  isArranged = true
  setImmediate(() => {
    isArranged = false
    const next = waiting.shift()
    arrangeTurn()
    next?.()
  })
}
