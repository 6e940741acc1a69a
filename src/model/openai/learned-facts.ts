/** Who learned a fact: a caller, or, where callers are not told apart, one task. */
export type Learner = string | object

interface Fact<T> {
  value: T
  learners: Set<Learner>
  expiresAtMs: number
}

/** A fact is probed again after this time: what taught it may have been a passing fault. */
const LIFETIME_MS = 600_000

/** Learners who must have found out the same before others rely on it. */
const CONFIRMATIONS = 2

/**
 * Facts about the models of a server that were learned from rejections.
 *
 * One caller's fault must not make the requests of others worse: a proxy that fails once, or an error text that quotes a
 * session, can teach nonsense. So a fact is only valid for who learned it, until a second learner has found out the
 * same. Any other learner sends its next request as if nothing were known. A nonsense fact costs it nothing, and a true
 * one a single rejected call, which confirms the fact for everybody.
 */
export class LearnedFacts<T> {
  readonly #facts = new Map<string, Fact<T>>()
  readonly #now: () => number

  /** @param now the time in milliseconds */
  constructor(now: () => number) {
    this.#now = now
  }

  /** Returns a model's fact, if it is valid for a learner; without a learner, if it is valid for all. */
  get(model: string, learner?: Learner): T | undefined {
    const fact = this.#current(model)
    if (fact === undefined) return undefined
    const isValid = fact.learners.size >= CONFIRMATIONS || (learner !== undefined && fact.learners.has(learner))
    return isValid ? fact.value : undefined
  }

  /** Returns a model's fact, whoever has learned it. */
  getUnconfirmed(model: string): T | undefined {
    return this.#current(model)?.value
  }

  /** Confirms an equal fact, and replaces a different one. */
  learn(model: string, value: T, learner: Learner): void {
    const fact = this.#current(model)
    if (fact?.value === value) fact.learners.add(learner)
    else this.#facts.set(model, { value, learners: new Set([learner]), expiresAtMs: this.#now() + LIFETIME_MS })
  }

  forget(model: string): void {
    this.#facts.delete(model)
  }

  #current(model: string): Fact<T> | undefined {
    const fact = this.#facts.get(model)
    if (fact === undefined || fact.expiresAtMs > this.#now()) return fact
    this.#facts.delete(model)
    return undefined
  }
}
