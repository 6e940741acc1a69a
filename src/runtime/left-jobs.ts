import { untilAborted } from './abort.ts'
import type { Ticket } from './fair-limit.ts'

/** A caller with more requests that wait is not kept waiting: each of them holds a connection. */
const MAX_WAITING = 64

/** Counts the jobs that go on although their callers have gone. */
export class LeftJobs {
  readonly #counts = new Map<unknown, number>()
  #waiting: (() => void)[] = []

  /** Returns whether a caller has left a job that has not ended, and a request may wait for it. */
  canAwait(caller: unknown): boolean {
    return this.#counts.has(caller) && this.#waiting.length < MAX_WAITING
  }

  /** Watches a job whose caller may leave it. Returns a function to call when the place of the job is free. */
  watch({ caller, signal }: Ticket): () => void {
    let isLeft = false
    const onLeave = (): void => {
      isLeft = true
      this.#counts.set(caller, (this.#counts.get(caller) ?? 0) + 1)
    }
    signal.addEventListener('abort', onLeave, { once: true })
    return () => {
      signal.removeEventListener('abort', onLeave)
      if (isLeft) this.#end(caller)
    }
  }

  /** Waits for the end of any of them. @throws the signal's reason when that aborts */
  nextEnd(signal: AbortSignal): Promise<void> {
    const end = new Promise<void>((resolve) => this.#waiting.push(resolve))
    return untilAborted(end, signal)
  }

  #end(caller: unknown): void {
    const count = (this.#counts.get(caller) ?? 0) - 1
    if (count > 0) this.#counts.set(caller, count)
    else this.#counts.delete(caller)
    for (const goOn of this.#waiting.splice(0)) goOn()
  }
}
