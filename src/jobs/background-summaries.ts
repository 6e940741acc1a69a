import { Problem, type ProblemFacts } from '../errors.ts'
import type { SummaryStore } from '../model/sharing/summary-store.ts'
import { anyOf, MAX_TIMER_MS, openController, wait } from '../runtime/abort.ts'
import { byteLengthOf } from '../runtime/frames.ts'
import type { Background, SummaryCall } from './background.ts'
import type { Reply } from './protocol.ts'
import { keepClaim, runInBackground, type BackgroundCall, type SummaryServices } from './run-in-background.ts'

/** The store of the summaries, and who is told how each has ended. */
interface BackgroundOptions {
  store: SummaryStore
  onPrepared: (summary: PreparedSummary) => void
}

/** How often other replicas are asked for a summary that they are writing. */
const POLL_MS = 200

/** How a summary in the background has ended, for the log and the metrics. */
export interface PreparedSummary {
  /** The path of the use case that has prepared it. */
  route: string
  /** The id of the request that has asked for it. */
  requestId: string
  outcome: 'ready' | 'failed' | 'cancelled' | 'refused'
  ms: number
  reported?: Reply['reported']
  /** The type of the problem, and its detail, which has no content. */
  problem?: string
  detail?: string
  /** What the log says of the failure, such as how the calls of models ended. */
  facts?: ProblemFacts
  /** An error of this service. Its message may quote the conversation. */
  error?: unknown
}

/** A summary that is being written. */
interface Running {
  caller: string
  /** The memory that it takes. */
  memory: { bytes: number }
  /** Aborts if another caller needs the memory. */
  refused: AbortController
  /** Aborts once a request waits for it. */
  wanted: AbortController
  ended: Promise<void>
}

/** Writes summaries for later requests: each within the share of its caller, with a time limit, and until the service stops. */
export class BackgroundSummaries implements Background {
  readonly store: SummaryStore
  readonly #services: SummaryServices
  readonly #onPrepared: BackgroundOptions['onPrepared']
  readonly #stopped = openController()
  /** The summaries that are being written, by their keys, in the order in which they were started. */
  readonly #running = new Map<string, Running>()

  constructor(services: SummaryServices, { store, onPrepared }: BackgroundOptions) {
    this.#services = services
    this.store = store
    this.#onPrepared = onPrepared
  }

  /** Returns how many summaries are being written. */
  count(): number {
    return this.#running.size
  }

  /**
   * Starts a summary, unless it is being written already. If those that are being written fill the room of one body, the newest one of
   * the caller with the most bytes ends, as long as that caller has more than this one would have; otherwise this one is refused.
   */
  start({ received, ...call }: SummaryCall): boolean {
    if (this.#stopped.signal.aborted) return false
    if (this.#running.has(call.key)) return true
    const memory = { bytes: byteLengthOf(received.chunks) }
    const { caller } = call.budget
    const { path: route, requestId } = received.head
    if (!this.#makeRoom(caller, memory.bytes)) {
      this.#onPrepared({ route, requestId, outcome: 'refused', ms: 0 })
      return false
    }
    const [refused, wanted] = [openController(), openController()]
    const summary = { ...call, received: { ...received, chunks: [...received.chunks] } }
    const ended = this.#summarize(summary, { memory, refused, wanted }).finally(() => {
      if (this.#running.get(call.key) === running) this.#running.delete(call.key)
    })
    const running: Running = { caller, memory, refused, wanted, ended }
    this.#running.set(call.key, running)
    return true
  }

  isWriting(keys: readonly string[]): boolean {
    return keys.some((key) => this.#running.has(key) || this.store.get(key)?.state === 'pending')
  }

  async whenEnded(keys: readonly string[], { signal, ms = MAX_TIMER_MS }: { signal: AbortSignal; ms?: number }) {
    const running = keys.flatMap((key) => this.#running.get(key) ?? [])
    for (const { wanted } of running) wanted.abort()
    const own = running.map((one) => one.ended)
    const ended = openController()
    const isOwn = own.length === keys.length
    try {
      await Promise.race([...own, wait(isOwn ? ms : Math.min(POLL_MS, ms), anyOf(signal, ended.signal))])
    } finally {
      ended.abort()
    }
    await this.store.fetch(keys)
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
  async #summarize(
    call: BackgroundCall,
    { memory, refused, wanted }: Omit<Running, 'caller' | 'ended'>,
  ): Promise<void> {
    const startedAt = performance.now()
    const { store } = this
    const { key, owner, received, read } = call
    const { path: route, requestId } = received.head
    const end = (prepared: Omit<PreparedSummary, 'ms' | 'route' | 'requestId'>): void =>
      this.#onPrepared({ route, requestId, ...prepared, ms: Math.round(performance.now() - startedAt) })
    let stopRenewing = (): void => undefined
    const onBegin = (): void => store.begin(key)
    try {
      if (!(await store.claim(key, owner))) return
      stopRenewing = keepClaim(() => store.renew(key), this.#services.startTimer)
      const signal = anyOf(this.#stopped.signal, refused.signal)
      const step = await runInBackground(
        call,
        { ...this.#services, background: this },
        { signal, memory, wanted: wanted.signal, onBegin },
      )
      await store.fetch([key])
      // Meanwhile the conversation may have exceeded its limit, and begin with an extract in this place.
      if (store.get(key)?.state !== 'active') store.put(key, read(step))
      end({ outcome: 'ready', ...(step.reported && { reported: step.reported }) })
    } catch (error) {
      const outcome = this.#stopped.signal.aborted ? 'cancelled' : refused.signal.aborted ? 'refused' : 'failed'
      if (outcome === 'failed') store.fail(key)
      else store.release(key)
      end(
        error instanceof Problem
          ? { outcome, problem: error.type, detail: error.message, facts: error.facts }
          : { outcome, problem: 'internal', error },
      )
    } finally {
      stopRenewing()
    }
  }
}
