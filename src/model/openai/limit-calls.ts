interface QueueOptions {
  /** If it aborts while the call is queued, the call is never made; a call that has started watches its own signal. */
  signal: AbortSignal
  /** Calls of different owners start in turn. */
  owner: object
}

/** Runs calls, with a limit on how many are in flight. */
export interface CallLimiter {
  limit: <T>(call: () => Promise<T>, options: QueueOptions) => Promise<T>
  /** Returns the number of calls in flight. */
  inFlight: () => number
}

/** Creates a limiter that allows `concurrency` calls at a time over all requests, and is fair between owners. */
export function limitCalls(concurrency: number): CallLimiter {
  const queue = new FairQueue()
  let inFlight = 0

  const startNext = (): void => {
    if (inFlight >= concurrency) return
    const start = queue.take()
    if (start === undefined) return
    inFlight += 1
    start()
  }

  const waitForTurn = ({ signal, owner }: QueueOptions): Promise<void> =>
    new Promise((resolve, reject) => {
      const start = (): void => {
        signal.removeEventListener('abort', leave)
        resolve()
      }
      const leave = (): void => {
        queue.remove(owner, start)
        reject(signal.reason as Error)
      }
      signal.addEventListener('abort', leave, { once: true })
      queue.add(owner, start)
      startNext()
    })

  const limit: CallLimiter['limit'] = async (call, options) => {
    options.signal.throwIfAborted()
    await waitForTurn(options)
    try {
      return await call()
    } finally {
      inFlight -= 1
      startNext()
    }
  }
  return { limit, inFlight: () => inFlight }
}

/**
 * A queue that serves its owners in turn, one call each, so that an owner with many calls cannot starve the others.
 * (p-limit and p-queue have one queue for all.)
 */
class FairQueue {
  /** The owners in the order in which they are served, each with its queued calls. */
  readonly #owners = new Map<object, Set<() => void>>()

  add(owner: object, start: () => void): void {
    const queued = this.#owners.get(owner)
    if (queued === undefined) this.#owners.set(owner, new Set([start]))
    else queued.add(start)
  }

  remove(owner: object, start: () => void): void {
    const queued = this.#owners.get(owner)
    queued?.delete(start)
    if (queued?.size === 0) this.#owners.delete(owner)
  }

  /** Removes and returns the first owner's first call, and moves the owner to the end. */
  take(): (() => void) | undefined {
    for (const [owner, queued] of this.#owners) {
      const [start] = queued
      if (start === undefined) continue
      this.#owners.delete(owner)
      queued.delete(start)
      if (queued.size > 0) this.#owners.set(owner, queued)
      return start
    }
    return undefined
  }
}
