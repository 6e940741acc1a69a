/** Fewer requests than this in two periods make no process late: it is the machine that is busy. */
const MIN_REQUESTS = 20

/** Counts the requests of callers in the current period and in the one before, to find those that send the most. */
export class RequestShares {
  #current = new Map<string, number>()
  #previous = new Map<string, number>()

  /** Counts a request. */
  add(caller: string): void {
    this.#current.set(caller, (this.#current.get(caller) ?? 0) + 1)
  }

  /** Begins a period. */
  rotate(): void {
    this.#previous = this.#current
    this.#current = new Map()
  }

  /**
   * Returns whether there are many requests, and the caller has sent at least its fair share of them; without a caller: whether
   * one request would be as much. A caller with few requests is served beside one that floods the service.
   */
  hasFairShare(caller?: string): boolean {
    const callers = new Set([...this.#current.keys(), ...this.#previous.keys()])
    const total = sum(this.#current) + sum(this.#previous)
    if (total < MIN_REQUESTS) return false
    if (caller === undefined) return callers.size >= total
    const own = (this.#current.get(caller) ?? 0) + (this.#previous.get(caller) ?? 0)
    return own * callers.size >= total
  }
}

function sum(counts: ReadonlyMap<string, number>): number {
  let total = 0
  for (const count of counts.values()) total += count
  return total
}
