import type { Pace } from './pace.ts'

/** Work in small steps: whoever runs it may do something else between two of them. The result is the same in any case. */
export type Steps<T> = Generator<undefined, T, undefined>

/** Runs all of it at once. */
export function runSteps<T>(steps: Steps<T>): T {
  let next = steps.next()
  while (next.done !== true) next = steps.next()
  return next.value
}

/** Runs it at a pace that gives others their turn. @throws what the pace throws, once nobody waits for the work */
export async function runInTurns<T>(steps: Steps<T>, pace: Pace): Promise<T> {
  let next = steps.next()
  while (next.done !== true) {
    const turn = pace()
    // Waiting for nothing would cost more than a step.
    if (turn !== undefined) await turn
    next = steps.next()
  }
  return next.value
}

/** Maps items one step each. */
export function* mapInSteps<T, U>(items: readonly T[], map: (item: T, index: number) => U): Steps<U[]> {
  const mapped: U[] = []
  for (const [index, item] of items.entries()) {
    mapped.push(map(item, index))
    yield
  }
  return mapped
}
