import type { FileLine } from './lines.ts'

/** How many bytes of lines wait for one that may be missing. No client writes a line as late as that. */
const MAX_WAITING_BYTES = 4_194_304

/**
 * Passes on the lines of a file in their order, but each one after the lines that it follows, wherever these stand. It keeps the
 * lines that follow a missing one: until the end of the file, or up to 4 MiB of them.
 */
export class LineOrder {
  readonly #read: (line: FileLine) => void
  /** The ids for which no line waits any more. */
  readonly #done = new Set<string>()
  /** The lines that wait, by the id of the line that they wait for. */
  readonly #waiting = new Map<string, FileLine[]>()
  #waitingBytes = 0
  /** Lines that can be read, the first one of the file at the end. */
  readonly #ready: FileLine[] = []

  /** @param read receives the lines */
  constructor(read: (line: FileLine) => void) {
    this.#read = read
  }

  add(line: FileLine): void {
    this.#waitingBytes += bytesOf(line)
    this.#place(line)
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
    while (this.#waiting.size > 0) {
      const waiting = new Set([...this.#waiting.values()].flatMap((lines) => lines.map(({ id }) => id)))
      const awaited = [...this.#waiting.keys()]
      const missing = awaited.filter((id) => !waiting.has(id))
      // If none is missing, they wait for each other.
      for (const id of missing.length > 0 ? missing : awaited) this.#finish(id)
      this.#readOn()
    }
  }

  /** Forgets the lines that wait. */
  clear(): void {
    this.#waiting.clear()
    this.#waitingBytes = 0
  }

  #place(line: FileLine): void {
    const awaited = line.after.find((id) => id !== line.id && !this.#done.has(id))
    const lines = awaited === undefined ? undefined : this.#waiting.get(awaited)
    if (lines !== undefined) lines.push(line)
    else if (awaited !== undefined) this.#waiting.set(awaited, [line])
    else this.#insertReady(line)
  }

  #insertReady(line: FileLine): void {
    let [low, high] = [0, this.#ready.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((this.#ready[middle]?.place.index ?? 0) > line.place.index) low = middle + 1
      else high = middle
    }
    this.#ready.splice(low, 0, line)
  }

  #readOn(): void {
    for (let line = this.#ready.pop(); line !== undefined; line = this.#ready.pop()) {
      this.#waitingBytes -= bytesOf(line)
      this.#read(line)
      this.#finish(line.id)
    }
  }

  #finish(id: string): void {
    const lines = this.#waiting.get(id)
    this.#done.add(id)
    this.#waiting.delete(id)
    for (const line of lines?.reverse() ?? []) this.#place(line)
  }
}

const bytesOf = ({ place: { range } }: FileLine): number => range.end - range.start
