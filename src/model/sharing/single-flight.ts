import { openController, untilAborted } from '../../runtime/abort.ts'
import { addTally, emptyTally, type TaskBudget } from '../summarizer.ts'
import type { ResultStore } from './result-store.ts'

/** A finished result. */
export interface CachedResult<T> {
  value: T
  /** The secrets that were replaced in it. */
  redactions: number
}

interface KeyedWork<T> {
  /** Equal keys mean equal work. */
  key: string
  /** Does the work. Its budget lasts as long as that of the last waiter. */
  run: (budget: TaskBudget) => Promise<T>
}

/** Whether work was needed: its result was cached, it was in flight already, or neither. */
export type Sharing = 'hit' | 'joined' | 'miss'

/** Runs equal work once at a time, and returns cached results of finished work. */
export type SingleFlight<T> = (work: KeyedWork<T>, budget: TaskBudget) => Promise<T>

interface SingleFlightOptions<T> {
  store: ResultStore<CachedResult<T>>
  onLookup?: (sharing: Sharing) => void
}

/** Rejects work that was cancelled before it started. Waiters that had only joined it start it again. */
export class Cancelled extends Error {
  constructor() {
    super('Another chunk of the same task has failed.')
    this.name = 'Cancelled'
  }
}

/**
 * Creates a single flight. The calls and tokens of work are added to the tally of the waiter that has caused them: those of all
 * requests add up to what was paid. A failure is thrown to all waiters and is not cached.
 */
export function createSingleFlight<T>({ store, onLookup = () => undefined }: SingleFlightOptions<T>): SingleFlight<T> {
  const inFlight = new Map<string, Flight<T>>()

  const findRunning = (key: string): Flight<T> | undefined => {
    const flight = inFlight.get(key)
    return flight === undefined || flight.isAbandoned ? undefined : flight
  }

  const start = (work: KeyedWork<T>, budget: TaskBudget): Promise<T> => {
    const flight = new Flight<T>()
    inFlight.set(work.key, flight)
    const outcome = flight.start(work.run, budget)
    const forget = (): void => {
      if (inFlight.get(work.key) === flight) inFlight.delete(work.key)
    }
    flight.onDone((value, redactions) => store.set(work.key, { value, redactions }), forget)
    return outcome
  }

  return async function runOnce(work, budget) {
    budget.signal.throwIfAborted()
    const cached = findRunning(work.key) === undefined ? await store.get(work.key) : undefined
    if (cached !== undefined) {
      onLookup('hit')
      budget.tally.redactions += cached.redactions
      return cached.value
    }
    // Looked up again: another request may have started the work while the store was read.
    const running = findRunning(work.key)
    onLookup(running === undefined ? 'miss' : 'joined')
    if (running === undefined) return start(work, budget)
    try {
      return await running.waitFor(budget)
    } catch (error) {
      if (error instanceof Cancelled) return runOnce(work, budget)
      throw error
    }
  }
}

/** The reason for aborting work that is done: without a reason, each abort would create an exception with a stack. */
const DONE = new Error('The work is done.')

/** Work in flight with its waiters. A waiter that aborts ends only its own wait; the work ends with the last waiter. */
class Flight<T> {
  readonly #abandoned = openController()
  readonly #waiters = new Set<TaskBudget>()
  /** Aborts once a request is among the waiters. */
  readonly #wanted = openController()
  readonly #tally = emptyTally()
  /** What waiters that have left have in their tallies. */
  readonly #charged = emptyTally()
  #outcome: Promise<T> | undefined

  /** True when there are no waiters any more: the rest of the work is of no use. */
  get isAbandoned(): boolean {
    return this.#abandoned.signal.aborted
  }

  /** Starts the work once the first waiter has its slot in the service, and waits for it. */
  start(run: (budget: TaskBudget) => Promise<T>, first: TaskBudget): Promise<T> {
    const { slot } = first
    const budget = this.#budgetOfAll(first)
    const release = slot?.retain()
    this.#outcome = (async () => {
      try {
        await slot?.acquire(budget.signal, budget.wanted)
        return await run(budget)
      } finally {
        release?.()
      }
    })()
    return this.waitFor(first)
  }

  /** @throws what the work threw, or the reason of the waiter's own signal */
  async waitFor(budget: TaskBudget): Promise<T> {
    this.#waiters.add(budget)
    const onWanted = (): void => this.#wanted.abort()
    if (budget.wanted?.aborted !== false) onWanted()
    else budget.wanted.addEventListener('abort', onWanted, { once: true })
    try {
      return await untilAborted(this.#outcome as Promise<T>, budget.signal)
    } finally {
      this.#charge(budget)
      this.#waiters.delete(budget)
      budget.wanted?.removeEventListener('abort', onWanted)
      if (this.#waiters.size === 0) this.#abandoned.abort(budget.signal.reason ?? DONE)
    }
  }

  /** Adds to the tally of a waiter that leaves what it has caused: all since the waiter before it has left, if it is the first. */
  #charge(budget: TaskBudget): void {
    const { calls, usage, redactions } = this.#tally
    budget.tally.redactions += redactions
    if (this.#first !== budget) return
    const { calls: paid, usage: paidUsage } = this.#charged
    const inputTokens = usage.inputTokens - paidUsage.inputTokens
    const outputTokens = usage.outputTokens - paidUsage.outputTokens
    const due = { calls: calls - paid, usage: { inputTokens, outputTokens }, redactions: 0 }
    addTally(budget.tally, due)
    addTally(this.#charged, due)
  }

  get #first(): TaskBudget | undefined {
    const [first] = this.#waiters
    return first
  }

  /** Calls back when the work is done; failed work leaves no result. */
  onDone(keep: (value: T, redactions: number) => void, forget: () => void): void {
    this.#outcome
      ?.then((value) => keep(value, this.#tally.redactions))
      // Waiters see the rejection in `waitFor`; without waiters it can be ignored.
      .catch(() => undefined)
      .finally(forget)
  }

  #budgetOfAll(first: TaskBudget): TaskBudget {
    const waiters = this.#waiters
    const payer = (): TaskBudget | undefined => this.#first
    return {
      ...first,
      signal: this.#abandoned.signal,
      wanted: first.wanted && this.#wanted.signal,
      tally: this.#tally,
      get deadlineAt() {
        return Array.from(waiters).reduce((latest, { deadlineAt }) => Math.max(latest, deadlineAt), first.deadlineAt)
      },
      onProgress(progress) {
        for (const { onProgress } of waiters) onProgress?.(progress)
      },
      onCall(call) {
        const one = payer()
        for (const waiter of waiters) waiter.onCall?.(waiter === one ? call : { ...call, isJoined: true })
      },
    }
  }
}
