/** A source of random numbers that are the same in every run. */
export interface Random {
  /** Returns a number in [0, 1). */
  next: () => number
  /** Returns an integer from `min` to `max`, both included. */
  integer: (min: number, max: number) => number
  /** Returns one of the items; the list must not be empty. */
  pick: <T>(items: readonly T[]) => T
}

/** A multiplicative congruential generator, modulus 2^31 - 1 and factor 48271 (Park and Miller's "minimal standard"). */
const MODULUS = 2_147_483_647
const FACTOR = 48_271

/**
 * Creates a source of random numbers.
 * @param seed an integer from 1 to 2^31 - 2
 */
export function createRandom(seed: number): Random {
  let state = seed
  const next = (): number => {
    state = (state * FACTOR) % MODULUS
    return (state - 1) / (MODULUS - 1)
  }
  const integer = (min: number, max: number): number => min + Math.floor(next() * (max - min + 1))
  return {
    next,
    integer,
    pick: (items) => {
      const item = items[integer(0, items.length - 1)]
      if (item === undefined) throw new Error('There is nothing to pick from.')
      return item
    },
  }
}
