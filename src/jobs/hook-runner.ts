import { startTimer as startRealTimer, untilAborted, type StartTimer } from '../runtime/abort.ts'
import { WorkerPool } from '../runtime/worker-pool.ts'
import type { HookName } from '../schemas/hooks.ts'
import type { HookRun } from '../schemas/rules.ts'
import {
  HOOK_FAULTS,
  MAX_RESULT_BYTES,
  readHookAnswer,
  readHookResult,
  readHooksReady,
  type HookAnswer,
  type HookResult,
  type HooksReady,
} from './hook-job.ts'

interface HookOptions {
  /** The script of a hook process, and the operator's module. */
  script: URL
  file: string
  env: Readonly<Record<string, string>>
  /** Processes at the same time: each runs one hook at a time. */
  processes: number
  /** The time limit of a hook; and of the wait for a process. */
  limitMs: number
  startTimer?: StartTimer
}

/** How a hook has ended, for the log: without content. */
export interface LoggedRun extends HookRun, Omit<Ended, 'outcome' | 'result'> {
  requestId: string
}

interface Ended extends Omit<HookAnswer, 'outcome' | 'fault'> {
  outcome: HookRun['outcome']
  /** The fault of the result. */
  detail?: string
  result?: HookResult
}

/** A hook that is to run. */
interface HookCall {
  hook: HookName
  /** Without its type, as JSON. */
  event: Buffer
  requestId: string
  /** Whose request it is: callers are served in turn. */
  caller: string
}

/** How long the operator's module may take to be loaded at the start of the service. */
const LOAD_MS = 30_000

/** The memory of one process, in MiB. */
const MEMORY_MB = 256

/** A result, and the header of its answer. */
const MAX_ANSWER_BYTES = MAX_RESULT_BYTES + 65_536

/**
 * Runs the operator's hooks in processes of their own. A hook that hangs costs its own time limit: its process is killed, and
 * no other hook runs there.
 */
export class HookRunner {
  readonly names: readonly HookName[]
  /** A hash of the module, for the keys of stored summaries. */
  readonly digest: string
  readonly #pool: WorkerPool
  readonly #fileName: string
  readonly #limitMs: number
  readonly #startTimer: StartTimer
  readonly #notified = new Set<Promise<unknown>>()
  #onRun: (run: LoggedRun) => void = () => undefined

  private constructor(
    pool: WorkerPool,
    { names, digest }: Exclude<HooksReady, { fault: string }>,
    { file, limitMs, startTimer = startRealTimer }: HookOptions,
  ) {
    this.#pool = pool
    this.#fileName = file.split(/[/\\]/).at(-1) ?? ''
    this.names = names
    this.digest = digest
    this.#limitMs = limitMs
    this.#startTimer = startTimer
  }

  /** Starts the first process. @throws Error that names the variable, the module and its fault */
  static async open(options: HookOptions): Promise<HookRunner> {
    const { script, file, env, processes } = options
    const job = { script, args: [file], env, memoryMb: MEMORY_MB, maxAnswerBytes: MAX_ANSWER_BYTES }
    const pool = new WorkerPool({ ...job, workers: processes, graceMs: 0, isUrgent: true })
    const ready = await openWithin(pool, options)
    if (!('fault' in ready)) return new HookRunner(pool, ready, options)
    pool.close()
    throw new Error(`Invalid configuration:\nPRECIS_HOOKS ${ready.fault}`)
  }

  /** Sets what is called after each hook. */
  listen(onRun: (run: LoggedRun) => void): void {
    this.#onRun = onRun
  }

  /**
   * Runs a hook that is exported. It throws nothing that the hook has done: then there is no result.
   * @throws the signal's reason
   */
  run(call: HookCall, signal: AbortSignal): Promise<{ run: HookRun; result: HookResult }> {
    return untilAborted(this.#run(call), signal)
  }

  /** Runs a hook for which nothing waits. */
  notify(call: HookCall): void {
    const running = this.#run(call).finally(() => this.#notified.delete(running))
    this.#notified.add(running)
  }

  /** Waits for the hooks for which nothing else waits, and ends the processes. */
  async close(): Promise<void> {
    await Promise.all(this.#notified)
    this.#pool.close()
  }

  async #run({ hook, event, requestId, caller }: HookCall): Promise<{ run: HookRun; result: HookResult }> {
    const startedAt = performance.now()
    const { result = {}, ...answer } = await this.#ask(hook, event, caller)
    const run = { hook, outcome: answer.outcome, ms: Math.round(performance.now() - startedAt) }
    this.#onRun({ ...answer, ...run, requestId })
    return { run, result }
  }

  async #ask(hook: HookName, event: Buffer, caller: string): Promise<Ended> {
    const limit = new AbortController()
    const progress = { hasBegun: false }
    const startTimer = (): (() => void) => this.#startTimer(() => limit.abort(), this.#limitMs)
    let stopTimer = startTimer()
    const onBegin = (): void => {
      stopTimer()
      stopTimer = startTimer()
      progress.hasBegun = true
    }
    try {
      const frame = await this.#pool.run(
        { header: { hook }, body: [event] },
        { signal: limit.signal, caller },
        { onBegin },
      )
      return readAnswer(hook, readHookAnswer(frame.header, this.#fileName), frame.body.toString())
    } catch {
      // Its process has been killed at the limit, has ended by itself, or has written something else than an answer.
      return { outcome: !progress.hasBegun ? 'unavailable' : limit.signal.aborted ? 'timeout' : 'failed' }
    } finally {
      stopTimer()
    }
  }
}

function readAnswer(hook: HookName, { fault, ...answer }: HookAnswer, json: string): Ended {
  if (answer.outcome !== 'ok') return { ...answer, ...(fault && { detail: HOOK_FAULTS[fault] }) }
  const read = readHookResult(hook, json)
  return 'detail' in read ? { outcome: 'invalid', detail: read.detail } : { outcome: 'ok', result: read.result }
}

async function openWithin(pool: WorkerPool, { file, startTimer = startRealTimer }: HookOptions): Promise<HooksReady> {
  const limit = new AbortController()
  const stopTimer = startTimer(() => limit.abort(), LOAD_MS)
  try {
    return readHooksReady(await untilAborted(pool.open(), limit.signal))
  } catch {
    return {
      fault: limit.signal.aborted
        ? `${file} was not loaded within ${LOAD_MS / 1000} s. It must not wait at its top level`
        : `${file} ended its process while it was loaded`,
    }
  } finally {
    stopTimer()
  }
}
