import type { WorkerProcess } from './worker-process.ts'

/** The workers that have no job. */
export class FreeWorkers {
  /** The one that was used last at the end. */
  #workers: WorkerProcess[] = []

  add(worker: WorkerProcess): void {
    this.#workers.push(worker)
  }

  /**
   * Takes the worker that was used last; undefined if a new one must be started. A free worker may have died meanwhile. One that is
   * too old may have too, unseen: the new one replaces it.
   */
  take(startedAfter: number): WorkerProcess | undefined {
    const alive = this.#workers.filter(({ isAlive }) => isAlive)
    const worker = alive.findLast(({ startedAt }) => startedAt >= startedAfter)
    if (worker === undefined) alive.shift()?.kill()
    this.#workers = alive.filter((free) => free !== worker)
    return worker
  }

  /** Takes the worker that has been free for longest, if it has been for a time. */
  takeIdle(idleMs: number): WorkerProcess | undefined {
    const [oldest] = this.#workers
    return oldest === undefined || performance.now() - oldest.freeSince < idleMs ? undefined : this.#workers.shift()
  }
}
