import { firstIndex } from '../../text/first-index.ts'
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
 * lines that follow a missing one: until the end of the file, or up to 4 MiB of them.
 */
export class LineOrder {
  readonly #read: (line: FileLine) => void
  /** The ids for which no line waits any more. */
  readonly #done = new Set<string>()
  /** The lines that wait, by the id of the line that they wait for. */
  readonly #waiting = new Map<string, Waiting[]>()
  #waitingBytes = 0
  /** The lines that can be read, the first one of the file at the end. */
  readonly #ready: FileLine[] = []

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
    const left = [...this.#waiting.values()].flat().reverse()
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
    if (waiting.isReady) return
    waiting.isReady = true
    const isLater = (line: FileLine | undefined): boolean => line !== undefined && orderOf(line) > orderOf(waiting.line)
    const at = firstIndex(this.#ready.length, (index) => isLater(this.#ready[index]))
    this.#ready.splice(at, 0, waiting.line)
  }

  #readOn(): void {
    for (let line = this.#ready.pop(); line !== undefined; line = this.#ready.pop()) {
      this.#waitingBytes -= bytesOf(line)
      this.#read(line)
      this.#finish(line.id)
    }
  }

  #finish(id: string): void {
    const lines = this.#waiting.get(id) ?? []
    this.#done.add(id)
    this.#waiting.delete(id)
    // The earlier ones are at the end: they are inserted last, where nothing has to move.
    for (const waiting of lines.reverse()) if (!waiting.isReady) this.#place(waiting)
  }
}

const orderOf = ({ place: { index } }: FileLine): number => index

const bytesOf = ({ place: { range } }: FileLine): number => range.end - range.start
