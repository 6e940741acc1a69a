export interface Turn {
  /** Leaves the queue when it aborts; work that has begun is not ended by it. */
  signal: AbortSignal
  /** Whose work it is: waiting work of different owners begins in turn. Compared by identity. */
  owner: unknown
}

/** Runs work, at most so much at once, fairly between owners. */
export interface FairLimit {
  /** @throws what the work throws; the signal's reason when that aborts before the work has begun */
  run: <T>(work: () => Promise<T>, turn: Turn) => Promise<T>
  /** Returns how much work is running, and how much waits. */
  counts: () => { inFlight: number; waiting: number }
}

/**
 * Creates a limit that one owner with much work cannot use up: whenever a place is free, the next owner in line begins, with
 * one piece of work each. (p-limit and p-queue have one queue for all.)
 */
export function createFairLimit(concurrency: number): FairLimit {
  const queue = new FairQueue()
  let inFlight = 0

  const beginNext = (): void => {
    if (inFlight >= concurrency) return
    const begin = queue.take()
    if (begin === undefined) return
    inFlight += 1
    begin()
  }

  const waitForTurn = ({ signal, owner }: Turn): Promise<void> =>
    new Promise((resolve, reject) => {
      const begin = (): void => {
        signal.removeEventListener('abort', leave)
        resolve()
      }
      const leave = (): void => {
        queue.remove(owner, begin)
        reject(signal.reason as Error)
      }
      signal.addEventListener('abort', leave, { once: true })
      queue.add(owner, begin)
      beginNext()
    })

  return {
    async run(work, turn) {
      turn.signal.throwIfAborted()
      await waitForTurn(turn)
      try {
        return await work()
      } finally {
        inFlight -= 1
        beginNext()
      }
    },
    counts: () => ({ inFlight, waiting: queue.size }),
  }
}

class FairQueue {
  /** Owners in the order in which they are served, each with its waiting work. */
  readonly #owners = new Map<unknown, Set<() => void>>()

  get size(): number {
    let size = 0
    for (const waiting of this.#owners.values()) size += waiting.size
    return size
  }

  add(owner: unknown, begin: () => void): void {
    const waiting = this.#owners.get(owner)
    if (waiting === undefined) this.#owners.set(owner, new Set([begin]))
    else waiting.add(begin)
  }

  remove(owner: unknown, begin: () => void): void {
    const waiting = this.#owners.get(owner)
    waiting?.delete(begin)
    if (waiting?.size === 0) this.#owners.delete(owner)
  }

  /** Removes the first owner's oldest work and returns it; the owner goes to the end of the line. */
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
