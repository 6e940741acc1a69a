export interface Turn {
  /** A call whose signal aborts while it waits leaves the queue and is never made; one that has begun is its own master. */
  signal: AbortSignal
  /** Whose call it is: calls of different owners are begun in turn. */
  owner: object
}

/** Runs calls, at most so many at once. */
export interface CallLimiter {
  limit: <T>(call: () => Promise<T>, turn: Turn) => Promise<T>
  /** Calls under way. */
  inFlight: () => number
}

/** Limits how many calls are under way at once, over all requests, and is fair between them. */
export function limitCalls(concurrency: number): CallLimiter {
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

  const limit: CallLimiter['limit'] = async (call, turn) => {
    turn.signal.throwIfAborted()
    await waitForTurn(turn)
    try {
      return await call()
    } finally {
      inFlight -= 1
      beginNext()
    }
  }
  return { limit, inFlight: () => inFlight }
}
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
