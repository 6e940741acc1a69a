import { untilAborted } from './abort.ts'
import { createFairLimit, type FairLimit, type Turn } from './fair-limit.ts'
import type { Frame, OutgoingFrame } from './frames.ts'
import { WorkerProcess, type WorkerOptions } from './worker-process.ts'

interface WorkerPoolOptions extends WorkerOptions {
  /** Workers at the same time. */
  workers: number
  /** How long an abandoned job may go on, in milliseconds. */
  graceMs?: number
}

/**
 * How long a job may go on when nobody waits for its result any more. Most jobs end by themselves within it: a caller that
 * hangs up again and again must not make the service start a worker each time.
 */
const GRACE_MS = 250

/** Workers that had nothing to do for so long are ended, except for one. */
const IDLE_MS = 30_000

/**
 * Runs jobs in isolated worker processes: a job that is slow, huge or hostile costs its own caller an error, and the others
 * nothing. After the first job, one worker is always kept warm, since a start takes some 0.3 s.
 */
export class WorkerPool {
  readonly #options: WorkerOptions
  readonly #limit: FairLimit
  readonly #graceMs: number
  readonly #workers = new Set<WorkerProcess>()
  /** Free workers, the one that was used last at the end. */
  readonly #free: WorkerProcess[] = []
  #isClosed = false

  constructor({ workers, graceMs = GRACE_MS, ...options }: WorkerPoolOptions) {
    this.#options = options
    this.#graceMs = graceMs
    this.#limit = createFairLimit(workers)
  }

  /** Returns how many jobs are running and waiting, and how many workers there are. */
  counts(): { inFlight: number; waiting: number; workers: number } {
    return { ...this.#limit.counts(), workers: this.#workers.size }
  }

  /**
   * Runs a job in a worker. When the signal aborts, the caller gets its reason at once; the worker is killed unless it
   * finishes within a short time.
   * @param job the header is plain data; the bytes are what the job works on
   * @param onBegin called when a worker is ready for the job
   * @throws WorkerDied; the signal's reason
   */
  run(job: OutgoingFrame, turn: Turn, onBegin?: () => void): Promise<Frame> {
    return untilAborted(
      this.#limit.run(() => this.#runNow(job, turn.signal, onBegin), turn),
      turn.signal,
    )
  }

  /** Starts a worker if there is none, so that the next job need not wait for its start. */
  keepOneWarm(): void {
    if (!this.#isClosed && this.#workers.size === 0) this.#free.push(this.#start())
  }

  /** Starts a worker, and returns what it has sent when it was ready. @throws WorkerDied */
  async open(): Promise<unknown> {
    const worker = this.#start()
    const { header } = await worker.ready()
    this.#free.push(worker)
    return header
  }

  /** Kills all workers. */
  close(): void {
    this.#isClosed = true
    for (const worker of this.#workers) worker.kill()
  }

  /** Keeps its place until the worker is free again, however long the caller waits. */
  async #runNow(job: OutgoingFrame, signal: AbortSignal, onBegin?: () => void): Promise<Frame> {
    signal.throwIfAborted()
    const worker = this.#take()
    let grace: NodeJS.Timeout | undefined
    const onAbort = (): void => {
      grace = setTimeout(() => {
        worker.kill()
      }, this.#graceMs)
    }
    signal.addEventListener('abort', onAbort, { once: true })
    try {
      return await worker.run(job, onBegin)
    } finally {
      clearTimeout(grace)
      signal.removeEventListener('abort', onAbort)
      this.#giveBack(worker)
    }
  }

  /** A free worker may have died meanwhile. */
  #take(): WorkerProcess {
    for (let free = this.#free.pop(); free !== undefined; free = this.#free.pop()) if (free.isAlive) return free
    return this.#start()
  }

  #giveBack(worker: WorkerProcess): void {
    if (!worker.isAlive) {
      this.keepOneWarm()
      return
    }
    this.#free.push(worker)
    setTimeout(() => {
      this.#endIdle()
    }, IDLE_MS).unref()
  }

  #start(): WorkerProcess {
    const worker = new WorkerProcess(this.#options, () => {
      this.#workers.delete(worker)
    })
    this.#workers.add(worker)
    return worker
  }

  /** Ends the worker that has been free for longest, if it has been for the whole time. */
  #endIdle(): void {
    const [oldest] = this.#free
    if (oldest === undefined || this.#workers.size === 1 || performance.now() - oldest.freeSince < IDLE_MS) return
    this.#free.shift()
    oldest.kill()
  }
}
