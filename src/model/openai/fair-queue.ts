/**
 * Waiting turns, fair between owners: they are served one after another, a turn each, so that one with many cannot starve
 * those with one. (p-limit and p-queue know one queue for all.)
 */
export class FairQueue {
  /** Owners in the order in which they are served, each with what it waits for. */
  readonly #owners = new Map<object, Set<() => void>>()

  add(owner: object, begin: () => void): void {
    const waiting = this.#owners.get(owner)
    if (waiting === undefined) this.#owners.set(owner, new Set([begin]))
    else waiting.add(begin)
  }

  remove(owner: object, begin: () => void): void {
    const waiting = this.#owners.get(owner)
    waiting?.delete(begin)
    if (waiting?.size === 0) this.#owners.delete(owner)
  }

  /** Takes the first owner's first turn out, and sends the owner to the end. */
  take(): (() => void) | undefined {
    for (const [owner, waiting] of this.#owners) {
      const [begin] = waiting
      if (begin === undefined) continue
      this.#owners.delete(owner)
      waiting.delete(begin)
      if (waiting.size > 0) this.#owners.set(owner, waiting)
      return begin
    }
    return undefined
  }
}
