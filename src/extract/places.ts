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

/** A span of messages: after the first index, up to the second one. */
type Span = readonly [after: number, upTo: number]

/** The messages in which files were changed: indexes, in order. */
export class FilePlaces {
  readonly #all: { path: string; at: number }[] = []

  add(path: string, at: number): void {
    this.#all.push({ path, at })
  }

  /** Returns the last change up to a message; -1 without one. */
  last(upTo: number): number {
    return this.#all[lastUpTo(this.#all, upTo)]?.at ?? -1
  }

  /** Whether a file was changed in both spans. */
  areShared(first: Span, second: Span): boolean {
    const paths = new Set(this.#within(first))
    return this.#within(second).some((path) => paths.has(path))
  }

  #within([after, upTo]: Span): string[] {
    return this.#all.slice(lastUpTo(this.#all, after) + 1, lastUpTo(this.#all, upTo) + 1).map(({ path }) => path)
  }
}
