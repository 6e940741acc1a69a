import { lastUpTo } from './work-item.ts'

/** The messages in which something has happened: indexes, in order. */
export class Places {
  readonly #all: { at: number }[] = []

  add(at: number): void {
    this.#all.push({ at })
  }

  /** Returns the last one up to a message; -1 without one. */
  last(upTo: number): number {
    return this.#all[lastUpTo(this.#all, upTo)]?.at ?? -1
  }
}
