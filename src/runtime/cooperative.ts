/** Yields to the event loop if a turn is over. @throws the reason of the signal, if that has aborted */
export type Yielder = () => Promise<void> | undefined

/** The length of a task's turn. */
const TURN_MS = 2

/** The time after which no further turn begins in the same round of the event loop. */
const ROUND_MS = 8

/** Tasks that wait for their next turn, oldest first. */
const waiting: (() => void)[] = []

/** When the current round of turns ends. */
let roundEndsAt: number | undefined

/**
 * Returns the yielder of one task. Tasks take turns, a few of them in each round of the event loop, so that sockets are
 * served after each round, however many tasks there are. The clock decides only when a task yields, never its result.
 */
export function createYielder(signal?: AbortSignal): Yielder {
  // If other tasks wait, this one waits for its first turn too.
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

/** Begins the turn of the oldest waiting task, or waits for the next round if this one is over. */
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

/** Work in small steps, between which other tasks may run. The result does not depend on it. */
export type Cooperative<T> = Generator<undefined, T, undefined>

/** Runs all steps without a pause. */
export function runToEnd<T>(steps: Cooperative<T>): T {
  let next = steps.next()
  while (next.done !== true) next = steps.next()
  return next.value
}

/** Runs the steps, and yields to other tasks in between. @throws what the yielder throws */
export async function runCooperatively<T>(steps: Cooperative<T>, yieldIfDue: Yielder): Promise<T> {
  let next = steps.next()
  while (next.done !== true) {
    const turn = yieldIfDue()
    // Awaiting undefined would cost more than a step.
    if (turn !== undefined) await turn
    next = steps.next()
  }
  return next.value
}

/** Maps items, each in its own step. */
export function* mapCooperatively<T, U>(items: readonly T[], map: (item: T, index: number) => U): Cooperative<U[]> {
  const mapped: U[] = []
  for (const [index, item] of items.entries()) {
    mapped.push(map(item, index))
    yield
  }
  return mapped
}
