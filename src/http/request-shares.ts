/** Fewer requests than this in two periods make no process late: it is the machine that is busy. */
const MIN_REQUESTS = 20

/** Counts the requests of callers in the current period and in the one before, to find those that send the most. */
export class RequestShares {
  #current = new Map<string, number>()
  #previous = new Map<string, number>()

  /** Counts a request. */
  add(owner: string): void {
    this.#current.set(owner, (this.#current.get(owner) ?? 0) + 1)
  }

  /** Begins a period. */
  rotate(): void {
    this.#previous = this.#current
    this.#current = new Map()
  }

  /**
   * Returns whether there are many requests, and the owner has sent at least its fair share of them; without an owner: whether
   * one request would be as much. A caller with few requests is served beside one that floods the service.
   */
  hasFairShare(owner?: string): boolean {
    const owners = new Set([...this.#current.keys(), ...this.#previous.keys()])
    const total = sum(this.#current) + sum(this.#previous)
    if (total < MIN_REQUESTS) return false
    if (owner === undefined) return owners.size >= total
    const own = (this.#current.get(owner) ?? 0) + (this.#previous.get(owner) ?? 0)
    return own * owners.size >= total
  }
}

function sum(counts: ReadonlyMap<string, number>): number {
  let total = 0
  for (const count of counts.values()) total += count
  return total
}
