import type { FileLine } from './lines.ts'

/** How many bytes of lines wait for one that may be missing. No client writes a line as late as that. */
const MAX_WAITING_BYTES = 4_194_304

interface Waiting {
  line: FileLine
  /** How many of the lines that it follows it does not wait for any more. */
  done: number
  isReady: boolean
}

/**
 * Passes on the lines of a file in their order, but each one after the lines that it follows, wherever these are. It keeps the
 * lines that follow a missing one: until the end of the file, or up to 4 MiB of them. Takes n log n steps for any order.
 */
export class LineOrder {
  readonly #read: (line: FileLine) => void
  /** The ids for which no line waits any more. */
  readonly #done = new Set<string>()
  /** The lines that wait, by the id of the line that they wait for. */
  readonly #waiting = new Map<string, Waiting[]>()
  #waitingBytes = 0
  readonly #ready = new ReadyLines()

  /** @param read receives the lines */
  constructor(read: (line: FileLine) => void) {
    this.#read = read
  }

  add(line: FileLine): void {
    // Nearly all lines are in their order.
    if (this.#waiting.size === 0 && line.after.every((id) => id === line.id || this.#done.has(id))) {
      this.#done.add(line.id)
      this.#read(line)
      return
    }
    this.#waitingBytes += bytesOf(line)
    this.#place({ line, done: 0, isReady: false })
    this.#readOn()
    if (this.#waitingBytes > MAX_WAITING_BYTES) this.end()
  }

  /** Makes a line known that is not passed on: none waits for it. */
  leaveOut(id: string): void {
    this.#finish(id)
    this.#readOn()
  }

  /** Passes on the lines that wait, without those that are missing. */
  end(): void {
    const left = [...this.#waiting.values()].flat()
    const ids = new Set(left.map(({ line }) => line.id))
    for (const { line } of left) for (const id of line.after) if (!ids.has(id)) this.#finish(id)
    this.#readOn()
    if (this.#waiting.size > 0) this.#breakCycles()
  }

  /** Forgets the lines that wait. */
  clear(): void {
    this.#waiting.clear()
    this.#waitingBytes = 0
  }

  /** Passes on lines that wait for each other: the first one of the file, then those that follow it, and so on. */
  #breakCycles(): void {
    const left = [...this.#waiting.values()].flat().sort((a, b) => orderOf(a.line) - orderOf(b.line))
    for (const waiting of left) {
      this.#makeReady(waiting)
      this.#readOn()
    }
  }

  #place(waiting: Waiting): void {
    const { line } = waiting
    while (waiting.done < line.after.length) {
      const id = line.after[waiting.done] ?? line.id
      if (id !== line.id && !this.#done.has(id)) {
        const others = this.#waiting.get(id)
        if (others === undefined) this.#waiting.set(id, [waiting])
        else others.push(waiting)
        return
      }
      waiting.done += 1
    }
    this.#makeReady(waiting)
  }

  #makeReady(waiting: Waiting): void {
    if (!waiting.isReady) this.#ready.add(waiting.line)
    waiting.isReady = true
  }

  #readOn(): void {
    for (let line = this.#ready.take(); line !== undefined; line = this.#ready.take()) {
      this.#waitingBytes -= bytesOf(line)
      this.#read(line)
      this.#finish(line.id)
    }
  }

  #finish(id: string): void {
    const lines = this.#waiting.get(id) ?? []
    this.#done.add(id)
    this.#waiting.delete(id)
    for (const waiting of lines) if (!waiting.isReady) this.#place(waiting)
  }
}

/** Lines that can be read: a heap, of which the first one of the file is taken. */
class ReadyLines {
  readonly #lines: FileLine[] = []

  add(line: FileLine): void {
    const lines = this.#lines
    let at = lines.push(line) - 1
    for (let above = (at - 1) >> 1; at > 0 && this.#isBefore(at, above); above = (at - 1) >> 1) {
      this.#swap(at, above)
      at = above
    }
  }

  take(): FileLine | undefined {
    const [first] = this.#lines
    const last = this.#lines.pop()
    if (first === undefined || last === undefined || this.#lines.length === 0) return first
    this.#lines[0] = last
    for (
      let [at, next] = [0, this.#firstBelow(0)];
      this.#isBefore(next, at);
      [at, next] = [next, this.#firstBelow(next)]
    )
      this.#swap(at, next)
    return first
  }

  /** Returns the place of the earlier one of the two lines below a place. */
  #firstBelow(at: number): number {
    const [left, right] = [2 * at + 1, 2 * at + 2]
    return this.#isBefore(right, left) ? right : left
  }

  #isBefore(a: number, b: number): boolean {
    const [first, second] = [this.#lines[a], this.#lines[b]]
    return first !== undefined && second !== undefined && orderOf(first) < orderOf(second)
  }

  #swap(a: number, b: number): void {
    const [first, second] = [this.#lines[a], this.#lines[b]]
    if (first === undefined || second === undefined) return
    this.#lines[a] = second
    this.#lines[b] = first
  }
}

const orderOf = ({ place: { index } }: FileLine): number => index

const bytesOf = ({ place: { range } }: FileLine): number => range.end - range.start
