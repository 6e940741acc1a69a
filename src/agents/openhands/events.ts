import type { ElementPlace } from '../../session/entry.ts'
import { firstIndex } from '../../text/first-index.ts'

/** An event of OpenHands, and where it is. */
interface StoredEvent {
  event: Readonly<Record<string, unknown>>
  place: ElementPlace
}

/**
 * The events of a session of OpenHands, in the order in which they are read: those that condensations have forgotten, each
 * time followed by the summary, then those that the model still sees. Events that were forgotten without a summary are left
 * out.
 */
export class CondensedEvents {
  readonly #covered: StoredEvent[] = []
  readonly #events = new Set<StoredEvent>()
  /** Those with an id. Events with the same id are forgotten together. */
  readonly #named = new Map<string, StoredEvent[]>()
  /** The numeric ids of the events, ascending. */
  readonly #numbers: number[] = []
  /** For each of them, the position of the next one that may not be forgotten yet. */
  readonly #next: number[] = []

  add(id: string, stored: StoredEvent): void {
    const number = Number(id)
    if (number > (this.#numbers.at(-1) ?? -1)) {
      this.#next.push(this.#numbers.length)
      this.#numbers.push(number)
    }
    this.#events.add(stored)
    const others = this.#named.get(id)
    if (others !== undefined) others.push(stored)
    else if (id !== '') this.#named.set(id, [stored])
  }

  /** @param summary undefined if the events were dropped without one */
  condense(ids: Iterable<string>, summary: StoredEvent | undefined): void {
    const forgotten: StoredEvent[] = []
    for (const id of ids) {
      for (const stored of this.#named.get(id) ?? []) {
        forgotten.push(stored)
        this.#events.delete(stored)
      }
      this.#named.delete(id)
    }
    if (summary === undefined) return
    forgotten.sort((a, b) => a.place.index - b.place.index)
    for (const stored of forgotten) this.#covered.push(stored)
    this.#covered.push(summary)
  }

  all(): StoredEvent[] {
    return [...this.#covered, ...this.#events]
  }

  /** Returns the ids in a range that no earlier range has. Linear: each id is passed once. */
  *idsBetween(first: number, last: number): Iterable<string> {
    for (let at = this.#find(this.#positionOf(first)); at < this.#numbers.length; at = this.#find(at + 1)) {
      const number = this.#numbers[at] ?? Infinity
      if (number > last) return
      this.#next[at] = at + 1
      yield String(number)
    }
  }

  /** Returns the position of the first id that is not below a number. */
  #positionOf(number: number): number {
    return firstIndex(this.#numbers.length, (at) => (this.#numbers[at] ?? 0) < number)
  }

  #find(position: number): number {
    let at = position
    for (let next = this.#next[at]; next !== undefined && next !== at; next = this.#next[at]) {
      // Each step halves the way of the next search.
      this.#next[at] = this.#next[next] ?? next
      at = next
    }
    return at
  }
}
