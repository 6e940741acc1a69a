import { FairQueue } from './fair-queue.ts'

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
