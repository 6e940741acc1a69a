/** A place in a queue. */
export interface Ticket {
  /** Leaves the queue when it aborts; work that has begun is not ended by it. */
  signal: AbortSignal
  /** Whose work it is: waiting work of different callers begins in turn. Compared by identity. */
  caller: unknown
  /** Of work that no request waits for: it has the places that are left. Aborts once a request waits for it. */
  wanted?: AbortSignal | undefined
}

interface Waiting {
  begin: () => void
  refuse: (reason: Error) => void
}

/** The work of one caller. */
interface Share {
  running: number
  /** In the order in which it came: the work of requests, and that which no request waits for. */
  waiting: Set<Waiting>
  later: Set<Waiting>
  /** The turn in which the caller last had a place; 0 for a caller that has had none since it had no work. */
  servedAt: number
}

/**
 * A number of places, and a queue for them. A free place is for the caller that has the fewest, and between those for the one
 * that was served longest ago: a caller with little work waits for the end of one piece of work, whatever others send. A
 * caller that is alone has all places. (p-limit and p-queue have one queue for all.) Work that no request waits for has
 * half of the places at most, and one of several if others are in demand: so it delays no request by its own time, and it goes on.
 */
export class FairPlaces {
  readonly #concurrency: number
  /** Only callers with work. */
  readonly #shares = new Map<unknown, Share>()
  #hasSpare = false
  #turns = 0
  #inFlight = 0
  #laterInFlight = 0
  #waiting = 0

  constructor(concurrency: number) {
    this.#concurrency = concurrency
  }

  /** Runs work in a place. @throws what the work throws; the signal's reason when that aborts before the work has begun */
  async run<T>(work: () => Promise<T>, ticket: Ticket): Promise<T> {
    ticket.signal.throwIfAborted()
    const release = await this.acquire(ticket)
    try {
      return await work()
    } finally {
      release()
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

  /** Returns how much work has a place, and how much of requests waits for one. */
  counts(): { inFlight: number; waiting: number } {
    return { inFlight: this.#inFlight, waiting: this.#waiting }
  }

  /** Returns how many places a caller has, and how many its requests wait for. */
  sizeOf(caller: unknown): number {
    const share = this.#shares.get(caller)
    return share === undefined ? 0 : share.running + share.waiting.size
  }

  /** Returns whether others have all places, and a request waits for one. */
  isShutOut({ caller, wanted }: Ticket): boolean {
    return wanted?.aborted !== false && !this.hasPlaceFor(caller) && (this.#shares.get(caller)?.running ?? 0) === 0
  }

  /**
   * Waits for a place. @returns what frees it
   * @throws the signal's reason when that aborts first; the reason of `refuseNewest`
   */
  acquire({ signal, caller, wanted }: Ticket): Promise<() => void> {
    return new Promise((resolve, reject) => {
      const share = this.#shareOf(caller)
      const leave = (): void => {
        if (share.waiting.delete(waiting)) this.#waiting -= 1
        share.later.delete(waiting)
        signal.removeEventListener('abort', onAbort)
        wanted?.removeEventListener('abort', onWanted)
      }
      const waiting: Waiting = {
        begin: () => {
          const isLater = share.later.has(waiting)
          leave()
          resolve(this.#begin(caller, share, isLater))
        },
        refuse: (reason) => {
          leave()
          this.#forgetIdle(caller, share)
          reject(reason)
        },
      }
      const onAbort = (): void => waiting.refuse(signal.reason as Error)
      const enter = (queue: Set<Waiting>): void => {
        share.later.delete(waiting)
        queue.add(waiting)
        if (queue === share.waiting) this.#waiting += 1
        this.#beginNext()
      }
      const onWanted = (): void => enter(share.waiting)
      signal.addEventListener('abort', onAbort, { once: true })
      wanted?.addEventListener('abort', onWanted, { once: true })
      enter(wanted?.aborted === false ? share.later : share.waiting)
    })
  }

  /** Returns the caller that has the most work, of those whose work is waiting. */
  findLargest(): unknown {
    let largest: unknown
    for (const [caller, { waiting }] of this.#shares)
      if (waiting.size > 0 && this.sizeOf(caller) > this.sizeOf(largest)) largest = caller
    return largest
  }

  refuseNewest(caller: unknown, reason: Error): void {
    Array.from(this.#shares.get(caller)?.waiting ?? [])
      .at(-1)
      ?.refuse(reason)
  }

  #shareOf(caller: unknown): Share {
    const share = this.#shares.get(caller) ?? { running: 0, waiting: new Set(), later: new Set(), servedAt: 0 }
    this.#shares.set(caller, share)
    return share
  }

  #concurrencyFor(share: Share | undefined): number {
    return this.#concurrency + (this.#hasSpare && (share?.running ?? 0) === 0 ? 1 : 0)
  }

  #beginNext(): void {
    const later = this.#hasPlaceForLater() ? this.#nextIn('later') : undefined
    const isLater = this.#waiting === 0 || (later !== undefined && this.#laterInFlight === 0 && this.#concurrency > 1)
    const next = isLater ? later : this.#nextIn('waiting')
    const [first] = next?.[isLater ? 'later' : 'waiting'] ?? []
    if (isLater || this.#inFlight < this.#concurrencyFor(next)) first?.begin()
  }

  #hasPlaceForLater(): boolean {
    return this.#inFlight < this.#concurrency && this.#laterInFlight < Math.max(1, Math.floor(this.#concurrency / 2))
  }

  /** Returns the caller that is next in one of the queues. */
  #nextIn(queue: 'waiting' | 'later'): Share | undefined {
    let next: Share | undefined
    for (const share of this.#shares.values())
      if (share[queue].size > 0 && (next === undefined || isBefore(share, next))) next = share
    return next
  }

  /** Takes a place. @returns what frees it */
  #begin(caller: unknown, share: Share, isLater: boolean): () => void {
    const count = (by: 1 | -1): void => {
      share.running += by
      this.#inFlight += by
      if (isLater) this.#laterInFlight += by
    }
    share.servedAt = ++this.#turns
    count(1)
    let isFree = false
    return () => {
      if (isFree) return
      isFree = true
      count(-1)
      this.#forgetIdle(caller, share)
      this.#beginNext()
    }
  }

  #forgetIdle(caller: unknown, { running, waiting, later }: Share): void {
    if (running === 0 && waiting.size === 0 && later.size === 0) this.#shares.delete(caller)
  }
}

function isBefore(one: Share, other: Share): boolean {
  return one.running === other.running ? one.servedAt < other.servedAt : one.running < other.running
}
