import { type CallBudget, addTally, type Tally, emptyTally } from '../summarizer.ts'
import type { ResultStore } from './result-store.ts'
import { openController } from '../../runtime/abort.ts'

/** What finished work leaves behind, with what it took. */
export interface CachedResult<T> {
  value: T
  tally: Tally
}

export interface FlightWork<T> {
  /** Equal keys mean equal work. */
  key: string
  /** Does it. Its budget lasts as long as that of the last one who waits. */
  run: (budget: CallBudget) => Promise<T>
}

/** Whether work had to be done: what is kept, what somebody else had begun, or neither. */
export type Sharing = 'hit' | 'joined' | 'miss'

/** Does work once for all who want the same at the same time, and hands out for a while what is finished. */
export type SingleFlight<T> = (work: FlightWork<T>, budget: CallBudget) => Promise<T>

interface ShareOptions<T> {
  store: ResultStore<CachedResult<T>>
  onAsked?: (sharing: Sharing) => void
}

/** Why work was not begun, where that is nothing to those who had only joined it. */
export class Cancelled extends Error {
  constructor() {
    super('Another part of the same task has failed.')
    this.name = 'Cancelled'
  }
}

/**
 * Creates a share. Whoever waits for work has its calls and tokens added to their tally, also those of what was
 * finished before: it is what the answer took. A failure is told to all who wait, and is not kept.
 */
export function createSingleFlight<T>({ store, onAsked = () => undefined }: ShareOptions<T>): SingleFlight<T> {
  const underWay = new Map<string, Flight<T>>()

  const running = (key: string): Flight<T> | undefined => {
    const found = underWay.get(key)
    return found === undefined || found.hasEnded ? undefined : found
  }

  const begin = (work: FlightWork<T>, budget: CallBudget): Promise<T> => {
    const begun = new Flight<T>()
    underWay.set(work.key, begun)
    const outcome = begun.begin(work.run, budget)
    const forget = (): void => {
      if (underWay.get(work.key) === begun) underWay.delete(work.key)
    }
    begun.onDone((value, tally) => {
      store.set(work.key, { value, tally })
    }, forget)
    return outcome
  }

  return async function share(work, budget) {
    budget.signal.throwIfAborted()
    // Looking it up may take a while, in which somebody else may begin.
    const kept = running(work.key) === undefined ? await store.get(work.key) : undefined
    if (kept !== undefined) {
      onAsked('hit')
      addTally(budget.tally, kept.tally)
      return kept.value
    }
    const other = running(work.key)
    onAsked(other === undefined ? 'miss' : 'joined')
    if (other === undefined) return begin(work, budget)
    try {
      return await other.waitFor(budget)
    } catch (error) {
      if (error instanceof Cancelled) return share(work, budget)
      throw error
    }
  }
}

/** Why work ends that has ended: without a reason each abort would make an exception with a stack. */
const DONE = new Error('The work is done.')

/** Work that is under way for one or more who wait. It ends with the last of them; who leaves early ends only his waiting. */
export class Flight<T> {
  readonly #nobodyWaits = openController()
  readonly #waiting = new Set<CallBudget>()
  readonly #tally = emptyTally()
  #outcome: Promise<T> | undefined

  /** True once nobody waits any more: what is left of it is of no use. */
  get hasEnded(): boolean {
    return this.#nobodyWaits.signal.aborted
  }

  /** Begins, when the service has a place for the job of who asked first, and waits. */
  begin(run: (budget: CallBudget) => Promise<T>, first: CallBudget): Promise<T> {
    const { job } = first
    const budget = this.#budgetOfAll(first)
    const release = job?.retain()
    this.#outcome = (async () => {
      try {
        await job?.acquire(budget.signal)
        return await run(budget)
      } finally {
        release?.()
      }
    })()
    return this.waitFor(first)
  }

  /** @throws what the work threw, or the reason of the waiting one's own signal */
  async waitFor(budget: CallBudget): Promise<T> {
    this.#waiting.add(budget)
    try {
      return await untilAborted(this.#outcome as Promise<T>, budget.signal)
    } finally {
      this.#waiting.delete(budget)
      addTally(budget.tally, this.#tally)
      if (this.#waiting.size === 0) this.#nobodyWaits.abort(budget.signal.reason ?? DONE)
    }
  }

  /** Calls back once it is done; what failed leaves no result. */
  onDone(keep: (value: T, tally: Tally) => void, forget: () => void): void {
    this.#outcome
      ?.then((value) => {
        keep(value, this.#tally)
      })
      // Who waits is told of a failure; where nobody does any more, nobody needs to be.
      .catch(() => undefined)
      .finally(forget)
  }

  #budgetOfAll(first: CallBudget): CallBudget {
    const waiting = this.#waiting
    return {
      ...first,
      signal: this.#nobodyWaits.signal,
      tally: this.#tally,
      get deadlineAt() {
        return Array.from(waiting).reduce((latest, { deadlineAt }) => Math.max(latest, deadlineAt), first.deadlineAt)
      },
      onProgress(progress) {
        for (const { onProgress } of waiting) onProgress?.(progress)
      },
      onFinish(finishReason) {
        for (const { onFinish } of waiting) onFinish?.(finishReason)
      },
    }
  }
}

/** Waits for an outcome, at most until the signal aborts; then throws its reason. */
async function untilAborted<T>(outcome: Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted()
  let onAbort = (): void => undefined
  const aborted = new Promise<never>((_resolve, reject) => {
    onAbort = () => {
      reject(signal.reason as Error)
    }
    signal.addEventListener('abort', onAbort, { once: true })
  })
  try {
    return await Promise.race([outcome, aborted])
  } finally {
    signal.removeEventListener('abort', onAbort)
  }
}
