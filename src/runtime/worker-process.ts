import { spawn, type ChildProcess } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { constants, setPriority } from 'node:os'
import type { Duplex, Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { byteLengthOf, FrameConnection, type Frame, type NumberedFrame, type OutgoingFrame } from './frames.ts'
import { watchForFullMemory, watchUsage } from './watch-process.ts'
import { WorkerDied, type DeathReason } from './worker-died.ts'

export interface WorkerOptions {
  /** The module that the worker runs; it calls `serveJobs`. */
  script: URL
  /** The memory that the worker may use, in MiB: heap, buffers and code together. */
  memoryMb: number
  /** The CPU time that a job with a body of so many bytes may use, in milliseconds; without it, any. */
  cpuLimitMs?: (bodyBytes: number) => number
  /** The largest answer, in bytes; without it, the memory of the worker. */
  maxAnswerBytes?: number
  /** The arguments of the module in `process.argv`, after its own name. */
  args?: readonly string[]
  /** The environment of the process; without it, an empty one. */
  env?: Readonly<Record<string, string>>
  /** Whether its jobs have little time: the service has no precedence over it then. */
  isUrgent?: boolean
}

/** The file descriptor of the worker's end of the connection; 0 to 2 are the standard streams. */
export const CONNECTION_FD = 3

/** The job number of the frame that a worker sends when it is ready. */
export const READY = 0

/** The heap's share of the worker's memory: the rest is for buffers, strings outside of it and code. */
const HEAP_SHARE = 0.75

/** A quarter of V8's default: an idle worker takes 5 MiB less, and its jobs 2 % longer. */
const YOUNG_GENERATION = '--max-semi-space-size=4'

const MEBIBYTE = 1024 * 1024

/**
 * V8 aborts when its heap is full: SIGABRT, or SIGTRAP and SIGILL in some builds. Operators and other programs may send these too,
 * so that only what the worker has written tells the cause. SIGKILL is not among them: the kernel's OOM killer, which sends it,
 * may choose the worker of another request than the large one.
 */
const OUT_OF_HEAP_SIGNALS = new Set<NodeJS.Signals | null>(['SIGABRT', 'SIGTRAP', 'SIGILL'])

/**
 * A child process that does one job at a time. A thread would not do: V8 ends the whole process when some allocations fail in
 * a thread, `NODE_OPTIONS` overrides a thread's limits, and Buffers do not count towards them (seen on Node 20.20).
 */
export class WorkerProcess {
  readonly #child: ChildProcess
  readonly #connection: FrameConnection
  readonly #options: WorkerOptions
  readonly #ready: Promise<Frame>
  #pending: { job: number; resolve: (frame: Frame) => void; reject: (error: Error) => void } | undefined
  #job = READY
  #hasExited = false
  #killedFor: DeathReason | undefined
  readonly startedAt = performance.now()
  #freeSince = this.startedAt

  /** @param onEnd called once, when the process has ended for whatever reason */
  constructor(options: WorkerOptions, onEnd: () => void) {
    const { script, memoryMb, args = [], env = {} } = options
    this.#options = options
    const heapMb = Math.floor(memoryMb * HEAP_SHARE)
    // No variable of the service: the worker needs no key, and NODE_OPTIONS could lift its limit.
    this.#child = spawn(
      process.execPath,
      [...loaderOf(script), `--max-old-space-size=${heapMb}`, YOUNG_GENERATION, fileURLToPath(script), ...args],
      { env, stdio: ['ignore', 'ignore', 'pipe', 'pipe'] },
    )
    this.#connection = this.#connect()
    this.#awaitEnd(onEnd)
    this.#ready = this.#nextFrame(READY)
    const { pid } = this.#child
    if (pid === undefined) return
    endFirst(pid)
    // Not before: a caller waits for its start, and a machine with other work would stretch that to many seconds.
    const onReady = (): void => this.yieldToService()
    this.#ready.then(onReady, () => undefined)
  }

  /** Gives the service precedence: sockets are served first where all cores are busy. A ready worker has done so. */
  yieldToService(): void {
    const { pid } = this.#child
    if (pid === undefined || this.#options.isUrgent === true) return
    try {
      setPriority(pid, constants.priority.PRIORITY_BELOW_NORMAL)
    } catch {
      // It has ended already, or the system does not allow it.
    }
  }

  /** Whether it can do jobs. */
  get isAlive(): boolean {
    return !this.#hasExited && this.#killedFor === undefined
  }

  /** Returns what the process has sent when it was ready for its first job. @throws WorkerDied */
  ready(): Promise<Frame> {
    return this.#ready
  }

  /** When its last job ended, by the monotonic clock, in milliseconds. */
  get freeSince(): number {
    return this.#freeSince
  }

  /**
   * Runs one job. Never call it while another one is running.
   * @param onBegin called when the process is ready, before the job is sent
   * @throws WorkerDied
   */
  async run(job: OutgoingFrame, onBegin?: () => void): Promise<Frame> {
    await this.#ready
    onBegin?.()
    this.#job += 1
    const answer = this.#nextFrame(this.#job)
    const { memoryMb, cpuLimitMs = () => Infinity } = this.#options
    const limits = { residentBytes: memoryMb * MEBIBYTE, cpuMs: cpuLimitMs(byteLengthOf(job.body)) }
    const stopWatching = watchUsage(this.#child.pid, limits, (exceeded) => this.kill(exceeded))
    try {
      const [frame] = await Promise.all([answer, this.#connection.send(job, this.#job)])
      return frame
    } finally {
      stopWatching()
      this.#freeSince = performance.now()
    }
  }

  /** Ends the process at once, whatever it does. */
  kill(reason: DeathReason = 'other'): void {
    this.#killedFor ??= reason
    this.#child.kill('SIGKILL')
  }

  #connect(): FrameConnection {
    const { memoryMb, maxAnswerBytes = memoryMb * MEBIBYTE } = this.#options
    return new FrameConnection(this.#child.stdio[CONNECTION_FD] as Duplex, {
      maxBytes: maxAnswerBytes,
      onFrame: (frame) => this.#receive(frame),
      onBroken: () => this.kill(),
    })
  }

  #awaitEnd(onEnd: () => void): void {
    const hasFullMemory = watchForFullMemory(this.#child.stderr as Readable)
    const end = (signal: NodeJS.Signals | null): void => {
      this.#hasExited = true
      this.#connection.close()
      onEnd()
      const output = hasFullMemory()
      const reject = (reason: DeathReason): void => this.#pending?.reject(new WorkerDied(reason))
      if (this.#killedFor !== undefined || !OUT_OF_HEAP_SIGNALS.has(signal)) reject(this.#killedFor ?? 'other')
      else void output.then((isFull) => reject(isFull ? 'memory' : 'other'))
    }
    this.#child.once('exit', (_code, signal) => end(signal))
    this.#child.once('error', () => end(null))
  }

  /** Takes the answer of the job that is running. Another one would be taken for that of a later job. */
  #receive({ job, ...frame }: NumberedFrame): void {
    const pending = this.#pending
    if (pending?.job !== job) throw new Error('A process has answered a job that it does not have.')
    this.#pending = undefined
    pending.resolve(frame)
  }

  #nextFrame(job: number): Promise<Frame> {
    return new Promise<Frame>((resolve, reject) => {
      this.#pending = { job, resolve, reject }
      if (this.#hasExited) reject(new WorkerDied('other'))
    })
  }
}

/**
 * Returns the loader for a script in TypeScript. Other flags of the service are not for its workers: with `--inspect-brk`, each of
 * them would wait for a debugger.
 */
const loaderOf = ({ pathname }: URL): readonly string[] => (pathname.endsWith('.ts') ? process.execArgv : [])

/** Has the kernel end a worker before the service when a container runs out of memory (proc(5), `oom_score_adj`). */
function endFirst(pid: number): void {
  writeFile(`/proc/${pid}/oom_score_adj`, '1000').catch(() => undefined)
}
