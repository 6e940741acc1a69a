import { Problem } from '../../errors.ts'
import type { ReceivedRequest } from '../../jobs/job-runner.ts'
import type { Reply } from '../../jobs/protocol.ts'
import { runRequest } from '../../jobs/run-request.ts'
import type { Services } from '../../jobs/services.ts'
import type { CutStore } from '../../model/sharing/cut-store.ts'
import { anyOf, openController, startTimer as startRealTimer, untilAborted } from '../../runtime/abort.ts'
import { byteLengthOf } from '../../runtime/frames.ts'
import type { Settings } from '../../settings.ts'
import { readCut } from './steps.ts'

/** The parts that the summaries of this service have in common. */
export interface BackgroundOptions {
  store: CutStore
  onPrepared: (summary: PreparedSummary) => void
}

/** The services that summaries need. */
export type SummaryServices = Pick<Services, 'jobs' | 'summarizer' | 'hooks' | 'admission' | 'startTimer'> & {
  settings: Pick<Settings, 'deadlineMs' | 'bodyLimitBytes'>
}

/** How a summary in the background has ended, for the log and the metrics. */
export interface PreparedSummary {
  outcome: 'ready' | 'failed' | 'cancelled' | 'refused'
  ms: number
  reported?: Reply['reported']
  /** The type of the problem. */
  problem?: string
  /** An error of this service. Its message may quote the conversation. */
  error?: unknown
}

/** A summary that is to be written. */
export interface SummaryCall {
  key: string
  received: ReceivedRequest
  budget: { caller: string; tokenDigest: string }
}

/** A summary that is being written. */
interface Running {
  caller: string
  /** The memory that it takes. */
  memory: { bytes: number }
  /** Aborts if another caller needs the memory. */
  refused: AbortController
  ended: Promise<void>
}

/** Writes summaries for later requests: each within the share of its caller, with a time limit, and until the service stops. */
export class BackgroundSummaries {
  readonly #services: SummaryServices
  readonly #preparing: BackgroundOptions
  readonly #stopped = openController()
  /** The summaries that are being written, by their keys, in the order in which they were started. */
  readonly #running = new Map<string, Running>()

  constructor(services: SummaryServices, preparing: BackgroundOptions) {
    this.#services = services
    this.#preparing = preparing
  }

  /** Returns how many summaries are being written. */
  count(): number {
    return this.#running.size
  }

  /**
   * Starts a summary, unless it is being written already. If those that are being written fill the room of one body, the newest one of
   * the caller with the most bytes ends, as long as that caller has more than this one would have; otherwise this one is refused.
   */
  start({ received, ...call }: SummaryCall): void {
    if (this.#stopped.signal.aborted || this.#running.has(call.key)) return
    const memory = { bytes: byteLengthOf(received.chunks) }
    const { caller } = call.budget
    if (!this.#makeRoom(caller, memory.bytes)) {
      this.#preparing.onPrepared({ outcome: 'refused', ms: 0 })
      return
    }
    const refused = openController()
    const summary = { ...call, received: { ...received, chunks: [...received.chunks] } }
    const ended = this.#summarize(summary, { memory, refused }).finally(() => {
      if (this.#running.get(call.key) === running) this.#running.delete(call.key)
    })
    const running: Running = { caller, memory, refused, ended }
    this.#running.set(call.key, running)
  }

  /** Returns whether one of some summaries is being written here. */
  isWriting(keys: readonly string[]): boolean {
    return keys.some((key) => this.#running.has(key))
  }

  /** Waits until one of some summaries has ended; forever if none of them is being written here. */
  ended(keys: readonly string[]): Promise<void> {
    const runs = keys.flatMap((key) => this.#running.get(key)?.ended ?? [])
    return runs.length === 0 ? new Promise(() => undefined) : Promise.race(runs)
  }

  /** Ends all summaries. */
  async stop(): Promise<void> {
    this.#stopped.abort(new Problem('draining', 'This replica is shutting down.'))
    await Promise.all(Array.from(this.#running.values(), ({ ended }) => ended))
  }

  /** Ends summaries of larger callers until the bytes fit. @returns whether they fit now */
  #makeRoom(caller: string, bytes: number): boolean {
    for (;;) {
      const shares = new Map<string, number>([[caller, bytes]])
      let total = 0
      for (const running of this.#running.values()) {
        shares.set(running.caller, (shares.get(running.caller) ?? 0) + running.memory.bytes)
        total += running.memory.bytes
      }
      if (total + bytes <= this.#services.settings.bodyLimitBytes) return true
      const [largest] = [...shares].reduce((one, other) => (other[1] > one[1] ? other : one))
      if (largest === caller) return false
      const newest = [...this.#running].findLast(
        ([, running]) => running.caller === largest && running.memory.bytes > 0,
      )
      if (newest === undefined) return false
      const [key, { refused }] = newest
      this.#running.delete(key)
      refused.abort(new Problem('overloaded', 'The summaries of this caller use more memory than those of others.'))
    }
  }

  /** Writes a summary, unless it is known, or another replica is writing it. */
  async #summarize(call: BackgroundCall, { memory, refused }: Pick<Running, 'memory' | 'refused'>): Promise<void> {
    const startedAt = performance.now()
    const { store, onPrepared } = this.#preparing
    const { key } = call
    const end = (prepared: Omit<PreparedSummary, 'ms'>): void => {
      onPrepared({ ...prepared, ms: Math.round(performance.now() - startedAt) })
    }
    try {
      if (!(await store.claim(key))) return
      const signal = anyOf(this.#stopped.signal, refused.signal)
      const step = await runInBackground(call, this.#services, { signal, memory })
      await store.fetch([key])
      // Meanwhile the conversation may have exceeded its limit, and begin with an extract in this place.
      if (store.get(key)?.state !== 'active') store.put(key, readCut(step))
      end({ outcome: 'ready', ...(step.reported && { reported: step.reported }) })
    } catch (error) {
      const outcome = this.#stopped.signal.aborted ? 'cancelled' : refused.signal.aborted ? 'refused' : 'failed'
      if (outcome !== 'failed') store.release(key)
      end(error instanceof Problem ? { outcome, problem: error.type } : { outcome, problem: 'internal', error })
    }
  }
}

/** The chunks of its body are its own. */
interface BackgroundCall extends SummaryCall {
  received: ReceivedRequest & { chunks: Buffer[] }
}

/** Runs a summary in the share of its caller, as a request of its own. */
async function runInBackground(
  { received, budget: { caller, tokenDigest } }: BackgroundCall,
  services: SummaryServices,
  { signal: stopped, memory }: { signal: AbortSignal; memory: Running['memory'] },
): Promise<Reply> {
  const { settings, admission, startTimer = startRealTimer } = services
  const { deadlineMs } = settings
  const timeout = openController()
  const stopTimer = startTimer(() => {
    timeout.abort(new Problem('deadline-exceeded', `Timed out: no summary after ${deadlineMs} ms.`))
  }, deadlineMs)
  const onHeld = (bytes: number): void => {
    // A job has read the body, which is not needed any more while the model works.
    received.chunks.splice(0)
    memory.bytes = bytes
  }
  const slot = admission.open(caller)
  const signal = anyOf(stopped, timeout.signal)
  const deadlineAt = Date.now() + deadlineMs
  try {
    const limits = { signal, replySignal: signal, caller, tokenDigest, slot, deadlineAt, onHeld }
    return await untilAborted(runRequest(received, services, limits), signal)
  } finally {
    slot.release()
    stopTimer()
  }
}
