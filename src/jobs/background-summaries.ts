import { Problem } from '../errors.ts'
import type { Admission } from '../http/admission.ts'
import type { CutStore, StoredCut } from '../model/sharing/cut-store.ts'
import type { Summarizer } from '../model/summarizer.ts'
import type { PrefixReply } from '../pipelines/summarize-prefix.ts'
import { anyOf, openController, startTimer as startRealTimer, untilAborted, type StartTimer } from '../runtime/abort.ts'
import { byteLengthOf } from '../runtime/frames.ts'
import type { HookRunner } from './hook-runner.ts'
import type { FinalStep, JobRunner, ReceivedRequest } from './job-runner.ts'
import { runRequest } from './run-request.ts'

export interface BackgroundOptions {
  jobs: JobRunner
  /** The operator's hooks, if there are any. */
  hooks?: HookRunner | undefined
  summarizer: Summarizer
  admission: Admission
  store: CutStore
  /** The time limit of a summary. */
  deadlineMs: number
  /** The memory that all summaries in the background may take. */
  maxHeldBytes: number
  onPrepared: (summary: PreparedSummary) => void
  startTimer?: StartTimer | undefined
}

/** How a summary in the background has ended, for the log and the metrics. */
export interface PreparedSummary {
  outcome: 'ready' | 'failed' | 'cancelled'
  ms: number
  reported?: FinalStep['reported']
  /** The type of the problem. */
  problem?: string
  /** An error of this service. Its message may quote the conversation. */
  error?: unknown
}

/** A summary that is to be written. */
export interface SummaryCall {
  key: string
  received: ReceivedRequest
  budget: { owner: string; caller: string }
}

/** Writes summaries for later requests: each within the share of its caller, with a time limit, and until the service stops. */
export class BackgroundSummaries {
  readonly #options: BackgroundOptions
  readonly #stopped = openController()
  /** The summaries that are being written, by their keys. */
  readonly #running = new Map<string, Promise<void>>()
  #heldBytes = 0

  constructor(options: BackgroundOptions) {
    this.#options = options
  }

  /** Returns how many summaries are being written. */
  count(): number {
    return this.#running.size
  }

  /** Starts a summary, unless it is being written already, or the bodies of the running summaries fill `maxHeldBytes`. */
  start({ received, ...call }: SummaryCall): void {
    const chunks = [...received.chunks]
    const bytes = byteLengthOf(chunks)
    const isTooMuch = this.#heldBytes + bytes > this.#options.maxHeldBytes
    if (isTooMuch || this.#stopped.signal.aborted || this.#running.has(call.key)) return
    const hold = this.#hold(bytes)
    const onHeld = (now: number): void => {
      // A job has read the body, which is not needed any more while the model works.
      chunks.splice(0)
      hold(now)
    }
    const run = this.#summarize({ ...call, received: { ...received, chunks } }, onHeld).finally(() => {
      onHeld(0)
      this.#running.delete(call.key)
    })
    this.#running.set(call.key, run)
  }

  /** Returns whether one of some summaries is being written here. */
  isWriting(keys: readonly string[]): boolean {
    return keys.some((key) => this.#running.has(key))
  }

  /** Waits until one of some summaries has ended; forever if none of them is being written here. */
  ended(keys: readonly string[]): Promise<void> {
    const runs = keys.flatMap((key) => this.#running.get(key) ?? [])
    return runs.length === 0 ? new Promise(() => undefined) : Promise.race(runs)
  }

  /** Ends all summaries. */
  async stop(): Promise<void> {
    this.#stopped.abort(new Problem('draining', 'This replica is shutting down.'))
    await Promise.all(this.#running.values())
  }

  /** Returns a function that replaces the number of bytes held. */
  #hold(bytes: number): (bytes: number) => void {
    let held = 0
    const replace = (now: number): void => {
      this.#heldBytes += now - held
      held = now
    }
    replace(bytes)
    return replace
  }

  async #summarize(call: SummaryCall, onHeld: (bytes: number) => void): Promise<void> {
    const startedAt = performance.now()
    const ended = await this.#write(call, onHeld)
    if (ended !== undefined) this.#options.onPrepared({ ...ended, ms: Math.round(performance.now() - startedAt) })
  }

  /** @returns how it ended; undefined if the summary is known, or another replica is writing it */
  async #write(call: SummaryCall, onHeld: (bytes: number) => void): Promise<Omit<PreparedSummary, 'ms'> | undefined> {
    const { store } = this.#options
    const { key } = call
    try {
      if (!(await store.claim(key))) return undefined
      const step = await this.#runInBackground(call, onHeld)
      await store.fetch([key])
      // Meanwhile the conversation may have exceeded its limit, and begin with an extract in this place.
      if (store.get(key)?.state !== 'active') store.put(key, readCut(step))
      return { outcome: 'ready', ...(step.reported && { reported: step.reported }) }
    } catch (error) {
      const isCancelled = this.#stopped.signal.aborted
      if (isCancelled) store.release(key)
      const outcome = isCancelled ? 'cancelled' : 'failed'
      return error instanceof Problem ? { outcome, problem: error.type } : { outcome, problem: 'internal', error }
    }
  }

  /** Runs in the share of the caller, as a request of its own. */
  async #runInBackground({ received, budget }: SummaryCall, onHeld: (bytes: number) => void): Promise<FinalStep> {
    const { deadlineMs, admission, startTimer = startRealTimer } = this.#options
    const timeout = openController()
    const stopTimer = startTimer(() => {
      timeout.abort(new Problem('deadline-exceeded', `Timed out: no summary after ${deadlineMs} ms.`))
    }, deadlineMs)
    const { owner, caller } = budget
    const job = admission.open(owner)
    const signal = anyOf(this.#stopped.signal, timeout.signal)
    const deadlineAt = Date.now() + deadlineMs
    try {
      const limits = { signal, replySignal: signal, owner, caller, job, deadlineAt }
      return await untilAborted(runRequest(received, { ...this.#options, onHeld }, limits), signal)
    } finally {
      job.release()
      stopTimer()
    }
  }
}

/** Returns the summary in the reply of a job. */
export function readCut({ body }: FinalStep): StoredCut {
  const { summary, tokens, model } = JSON.parse(body.toString()) as PrefixReply
  return { state: 'ready', summary, tokens, model }
}
