/** A place in a queue. */
export interface Ticket {
  /** Leaves the queue when it aborts; work that has begun is not ended by it. */
  signal: AbortSignal
  /** Whose work it is: waiting work of different callers begins in turn. Compared by identity. */
  caller: unknown
}

interface Waiting {
  begin: () => void
  refuse: (reason: Error) => void
}

/** The work of one caller. */
interface Share {
  running: number
  /** In the order in which it came. */
  waiting: Set<Waiting>
  /** The turn in which the caller last had a place; 0 for a caller that has had none since it had no work. */
  servedAt: number
}

/**
 * A number of places, and a queue for them. A free place is for the caller that has the fewest, and between those for the one
 * that was served longest ago: a caller with little work waits for the end of one piece of work, whatever others send. A
 * caller that is alone has all places. (p-limit and p-queue have one queue for all.)
 */
export class FairPlaces {
  readonly #concurrency: number
  /** Only callers with work. */
  readonly #shares = new Map<unknown, Share>()
  #hasSpare = false
  #turns = 0
  #inFlight = 0
  #waiting = 0

  constructor(concurrency: number) {
    this.#concurrency = concurrency
  }

  /** Runs work in a place. @throws what the work throws; the signal's reason when that aborts before the work has begun */
  async run<T>(work: () => Promise<T>, ticket: Ticket): Promise<T> {
    ticket.signal.throwIfAborted()
    await this.acquire(ticket)
    try {
      return await work()
    } finally {
      this.release(ticket.caller)
    }
  }

  /** Sets whether there is one more place, for callers that have none: so that no caller ever has the last one. */
  setSpare(hasSpare: boolean): void {
    this.#hasSpare = hasSpare
    this.#beginNext()
  }

  /** Returns whether work of a caller would begin at once; without a caller: that of one that has no work. */
  hasPlaceFor(caller?: unknown): boolean {
    return this.#inFlight < this.#concurrencyFor(this.#shares.get(caller))
  }

  counts(): { inFlight: number; waiting: number } {
    return { inFlight: this.#inFlight, waiting: this.#waiting }
  }

  /** Returns how many places a caller has and waits for. */
  sizeOf(caller: unknown): number {
    const share = this.#shares.get(caller)
    return share === undefined ? 0 : share.running + share.waiting.size
  }

  /** Returns whether others have all places. */
  isShutOut(caller: unknown): boolean {
    return !this.hasPlaceFor(caller) && (this.#shares.get(caller)?.running ?? 0) === 0
  }

  /** Waits for a place. @throws the signal's reason when that aborts first; the reason of `refuseNewest` */
  acquire({ signal, caller }: Ticket): Promise<void> {
    return new Promise((resolve, reject) => {
      const share = this.#shares.get(caller) ?? { running: 0, waiting: new Set(), servedAt: 0 }
      this.#shares.set(caller, share)
      const leave = (): void => {
        share.waiting.delete(waiting)
        this.#waiting -= 1
        signal.removeEventListener('abort', onAbort)
      }
      const waiting: Waiting = {
        begin: () => {
          leave()
          resolve()
        },
        refuse: (reason) => {
          leave()
          this.#forgetIdle(caller, share)
          reject(reason)
        },
      }
      const onAbort = (): void => {
        waiting.refuse(signal.reason as Error)
      }
      signal.addEventListener('abort', onAbort, { once: true })
      share.waiting.add(waiting)
      this.#waiting += 1
      this.#beginNext()
    })
  }

  /** Frees a place of a caller. */
  release(caller: unknown): void {
    const share = this.#shares.get(caller)
    if (share === undefined) return
    share.running -= 1
    this.#inFlight -= 1
    this.#forgetIdle(caller, share)
    this.#beginNext()
  }

  /** Returns the caller that has the most work, of those whose work is waiting. */
  findLargest(): unknown {
    let largest: unknown
    for (const [caller, { waiting }] of this.#shares)
      if (waiting.size > 0 && this.sizeOf(caller) > this.sizeOf(largest)) largest = caller
    return largest
  }

  /** Refuses the newest waiting work of a caller. */
  refuseNewest(caller: unknown, reason: Error): void {
    Array.from(this.#shares.get(caller)?.waiting ?? [])
      .at(-1)
      ?.refuse(reason)
  }

  #concurrencyFor(share: Share | undefined): number {
    return this.#concurrency + (this.#hasSpare && (share?.running ?? 0) === 0 ? 1 : 0)
  }

  #beginNext(): void {
    let next: Share | undefined
    for (const share of this.#shares.values())
      if (share.waiting.size > 0 && (next === undefined || isBefore(share, next))) next = share
    const [first] = next?.waiting ?? []
    if (next === undefined || first === undefined || this.#inFlight >= this.#concurrencyFor(next)) return
    next.running += 1
    next.servedAt = ++this.#turns
    this.#inFlight += 1
    first.begin()
  }

  #forgetIdle(caller: unknown, { running, waiting }: Share): void {
    if (running === 0 && waiting.size === 0) this.#shares.delete(caller)
  }
}

function isBefore(one: Share, other: Share): boolean {
  return one.running === other.running ? one.servedAt < other.servedAt : one.running < other.running
}
