import { openController } from './open-controller.ts'
import type { CallBudget } from '../summarizer.ts'
import { addTally, emptyTally, type Tally } from '../tally.ts'

/** Why work ends that has ended: without a reason each abort would make an exception with a stack. */
const DONE = new Error('The work is done.')

/** Work that is under way for one or more who wait. It ends with the last of them; who leaves early ends only his waiting. */
export class SharedWork<T> {
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
    const release = job?.hold()
    this.#outcome = (async () => {
      try {
        await job?.enter(budget.signal)
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
