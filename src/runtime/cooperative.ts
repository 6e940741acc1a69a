/** Gives the event loop a turn when it is time for one, and ends the work when nobody waits for it. */
export type Yielder = () => Promise<void> | undefined

/** How long one task may go on at a stretch. */
const TURN_MS = 2

/** How long the service may be deaf to others: as many turns as have begun by then, one after the other. */
const ROUND_MS = 8

/** Tasks that wait for their next turn, the one that waits longest first. */
const waiting: (() => void)[] = []

/** When the round of the event loop is over that is under way. */
let roundEndsAt: number | undefined

/**
 * Makes the pace of one task. Tasks get on in turn, some of them in each round of the event loop: however many there are,
 * sockets are looked at after each round. The clock decides when others get a turn, never what is written.
 * @throws (the yieldIfDue) the signal's reason
 */
export function createYielder(signal?: AbortSignal): Yielder {
  // Where others wait, the first turn has to be waited for too.
  let turnEndsAt = waiting.length > 0 ? 0 : performance.now() + TURN_MS
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
    setImmediate(giveTurn)
  })
}

/** What `setImmediate` was asked for before a round runs in it, what is asked for meanwhile in the next one. */
function giveTurn(): void {
  if (roundEndsAt === undefined) {
    roundEndsAt = performance.now() + ROUND_MS
    setImmediate(() => {
      roundEndsAt = undefined
    })
  }
  if (performance.now() < roundEndsAt) waiting.shift()?.()
  else setImmediate(giveTurn)
}

/** Work in small steps: whoever runs it may do something else between two of them. The result is the same in any case. */
export type Cooperative<T> = Generator<undefined, T, undefined>

/** Runs all of it at once. */
export function runToEnd<T>(steps: Cooperative<T>): T {
  let next = steps.next()
  while (next.done !== true) next = steps.next()
  return next.value
}

/** Runs it at a pace that gives others their turn. @throws what the pace throws, once nobody waits for the work */
export async function runCooperatively<T>(steps: Cooperative<T>, yieldIfDue: Yielder): Promise<T> {
  let next = steps.next()
  while (next.done !== true) {
    const turn = yieldIfDue()
    // Waiting for nothing would cost more than a step.
    if (turn !== undefined) await turn
    next = steps.next()
  }
  return next.value
}

/** Maps items one step each. */
export function* mapCooperatively<T, U>(items: readonly T[], map: (item: T, index: number) => U): Cooperative<U[]> {
  const mapped: U[] = []
  for (const [index, item] of items.entries()) {
    mapped.push(map(item, index))
    yield
  }
  return mapped
}
