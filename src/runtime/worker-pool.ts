import { untilAborted } from './abort.ts'
import { FairPlaces, type Ticket } from './fair-limit.ts'
import type { Frame, OutgoingFrame } from './frames.ts'
import { FreeWorkers } from './free-workers.ts'
import { LeftJobs } from './left-jobs.ts'
import { WorkerDied } from './worker-died.ts'
import { WorkerProcess, type WorkerOptions } from './worker-process.ts'

interface WorkerPoolOptions extends WorkerOptions {
  /** Workers at the same time. */
  workers: number
  /** Whether there is one worker more while it is needed, for callers that have none: no caller ever has the last one. */
  hasSpare?: boolean
  /** How long an abandoned job may go on, in milliseconds. */
  graceMs?: number
}

/**
 * How long a job may go on after its caller has gone. Most jobs end by themselves within it: a caller that
 * hangs up again and again must not make the service start a worker each time, which takes 0.3 to 0.5 s of CPU time.
 */
const GRACE_MS = 1000

/** Most jobs end earlier: then their worker is free before a spare one would have started. */
const SPARE_AFTER_MS = 100

/** How long a worker may take to start; the operator's module, which a hook process loads, may wait for something. */
const START_MS = 120_000

/** Workers that had nothing to do for so long are ended, except for one. */
const IDLE_MS = 30_000

/** How a job is run. */
interface JobChoice {
  /** Called when a worker is ready for the job. */
  onBegin?: (() => void) | undefined
  /** Only a worker that was started later gets the job, by the monotonic clock, in milliseconds. */
  startedAfter?: number
}

type RunOptions = JobChoice & Pick<Ticket, 'signal'>

/**
 * Runs jobs in isolated worker processes: a job that is slow, huge or hostile costs its own caller an error, and the others
 * nothing. After the first job, one worker is always kept warm, since a start takes some 0.3 s.
 */
export class WorkerPool {
  readonly #options: WorkerOptions
  readonly #places: FairPlaces
  readonly #hasSpare: boolean
  readonly #graceMs: number
  readonly #workers = new Set<WorkerProcess>()
  readonly #free = new FreeWorkers()
  readonly #left = new LeftJobs()
  #spare: 'none' | 'starting' | 'open' = 'none'
  #isClosed = false

  constructor({ workers, hasSpare = false, graceMs = GRACE_MS, ...options }: WorkerPoolOptions) {
    this.#options = options
    this.#graceMs = graceMs
    this.#places = new FairPlaces(workers)
    this.#hasSpare = hasSpare
  }

  /** Returns how many jobs are running and waiting, and how many workers there are. */
  counts(): { inFlight: number; waiting: number; workers: number } {
    return { ...this.#places.counts(), workers: this.#workers.size }
  }

  /**
   * Runs a job in a worker. When the signal aborts, the caller gets its reason at once; the worker is killed unless it
   * finishes within a short time.
   * @param job the header is plain data; the bytes are what the job works on
   * @throws WorkerDied; the signal's reason
   */
  run(job: OutgoingFrame, ticket: Ticket, choice: JobChoice = {}): Promise<Frame> {
    return untilAborted(this.#runInPlace(job, ticket, choice), ticket.signal)
  }

  /**
   * Waits while a caller has no place for another job, and one of them has a job that it has left behind. A request that is read
   * meanwhile would be read for nothing if its caller leaves it too.
   * @throws the signal's reason
   */
  async whenNoneLeft({ caller, signal }: Ticket): Promise<void> {
    while (this.#left.canAwait(caller) && !this.#places.hasPlaceFor(caller)) await this.#left.nextEnd(signal)
  }

  /** Starts a worker, and returns what it has sent when it was ready. @throws WorkerDied */
  async open(): Promise<unknown> {
    const worker = this.#start()
    const { header } = await worker.ready()
    this.#free.add(worker)
    return header
  }

  close(): void {
    this.#isClosed = true
    for (const worker of this.#workers) worker.kill()
  }

  /** Keeps its place until a worker is free again, however long the caller waits. */
  async #runInPlace(job: OutgoingFrame, ticket: Ticket, { onBegin, startedAfter = 0 }: JobChoice): Promise<Frame> {
    const { signal } = ticket
    signal.throwIfAborted()
    const release = await this.#acquire(ticket)
    let worker: WorkerProcess | undefined
    const endWatch = this.#left.watch(ticket)
    try {
      signal.throwIfAborted()
      worker = this.#free.take(startedAfter) ?? this.#start()
      return await this.#runOn(worker, job, { signal, onBegin })
    } finally {
      void this.#giveBack(worker).then(() => {
        release()
        endWatch()
      })
    }
  }

  /** Waits for a place. A caller that has none gets that of a spare worker, if others keep all places for some time. */
  async #acquire(ticket: Ticket): Promise<() => void> {
    const isShutOut = this.#hasSpare && this.#places.isShutOut(ticket)
    const timer = isShutOut ? setTimeout(() => void this.#openSpare(), SPARE_AFTER_MS) : undefined
    try {
      return await this.#places.acquire(ticket)
    } finally {
      clearTimeout(timer)
    }
  }

  /** Adds the place of a spare worker as soon as that is ready: meanwhile, another place may have become free. */
  async #openSpare(): Promise<void> {
    if (this.#isClosed || this.#spare !== 'none') return
    this.#spare = 'starting'
    const isReady = await this.#startFree({ isUrgent: true })
    this.#spare = isReady ? 'open' : 'none'
    this.#places.setSpare(isReady)
  }

  /** A worker that is still starting when the signal aborts is not killed: it is for the next job. */
  async #runOn(worker: WorkerProcess, job: OutgoingFrame, { signal, onBegin }: RunOptions): Promise<Frame> {
    let grace: NodeJS.Timeout | undefined
    const onAbort = (): void => {
      grace = setTimeout(() => worker.kill(), this.#graceMs)
    }
    try {
      return await worker.run(job, () => {
        signal.throwIfAborted()
        signal.addEventListener('abort', onAbort, { once: true })
        onBegin?.()
      })
    } finally {
      clearTimeout(grace)
      signal.removeEventListener('abort', onAbort)
    }
  }

  /**
   * Makes a worker free, or starts another one in its place. The caller whose job has ended the worker waits for it: a caller
   * whose jobs must be killed again and again would take the workers of others otherwise, and leave them the starts. A start
   * has no precedence then: it would take the cores from the jobs of others.
   */
  async #giveBack(worker: WorkerProcess | undefined): Promise<void> {
    if (worker?.isAlive === true) this.#addFree(worker)
    else if (worker !== undefined && !this.#isClosed) await this.#startFree({ isUrgent: false })
  }

  /** Starts a worker, and returns whether it has become ready. */
  async #startFree({ isUrgent }: { isUrgent: boolean }): Promise<boolean> {
    const worker = this.#start()
    if (!isUrgent) worker.yieldToService()
    await worker.ready().catch(() => undefined)
    if (worker.isAlive) this.#addFree(worker)
    return worker.isAlive
  }

  #addFree(worker: WorkerProcess): void {
    this.#free.add(worker)
    setTimeout(() => this.#endIdle(), IDLE_MS).unref()
  }

  #start(): WorkerProcess {
    if (this.#isClosed) throw new WorkerDied('other')
    const worker = new WorkerProcess(this.#options, () => {
      this.#workers.delete(worker)
    })
    this.#workers.add(worker)
    const limit = setTimeout(() => worker.kill(), START_MS)
    const onStarted = (): void => clearTimeout(limit)
    worker.ready().then(onStarted, onStarted)
    return worker
  }

  /** Ends the worker that has been free for longest, if it has been for the whole time. */
  #endIdle(): void {
    const oldest = this.#workers.size === 1 ? undefined : this.#free.takeIdle(IDLE_MS)
    oldest?.kill()
    if (oldest === undefined || this.#spare !== 'open') return
    this.#spare = 'none'
    this.#places.setSpare(false)
  }
}
