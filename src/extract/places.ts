import { lastUpTo } from './work-item.ts'

/** The messages in which something has happened: indexes, in order. */
export class Places<Place extends { at: number } = { at: number }> {
  protected readonly all: Place[] = []

  add(place: Place): void {
    this.all.push(place)
  }

  /** Returns the message of the last one up to a message; -1 without one. */
  last(upTo: number): number {
    return this.lastPlace(upTo)?.at ?? -1
  }

  /** Returns the last one up to a message. */
  lastPlace(upTo: number): Place | undefined {
    return this.all[lastUpTo(this.all, upTo)]
  }
}

/** A span of messages: after the first index, up to the second one. */
type Span = readonly [after: number, upTo: number]

/** The messages in which files were changed. */
export class FilePlaces extends Places<{ path: string; at: number }> {
  /** Whether a file was changed in both spans. */
  areShared(first: Span, second: Span): boolean {
    const paths = new Set(this.#within(first))
    return this.#within(second).some((path) => paths.has(path))
  }

  #within([after, upTo]: Span): string[] {
    return this.all.slice(lastUpTo(this.all, after) + 1, lastUpTo(this.all, upTo) + 1).map(({ path }) => path)
  }
}
