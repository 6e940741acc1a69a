import { spawn, type ChildProcess } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { constants, setPriority } from 'node:os'
import type { Duplex } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { encodeFrame, FrameReader, type Frame, type OutgoingFrame } from './frames.ts'

export interface WorkerOptions {
  /** The module that the worker runs; it calls `serveJobs`. */
  script: URL
  /** The memory that the worker may use, in MiB: heap, buffers and code together. */
  memoryMb: number
  /** What the module finds in `process.argv` after its own name. */
  args?: readonly string[]
  /** The environment of the process; without it, an empty one. */
  env?: Readonly<Record<string, string>>
  /** Whether its jobs have little time: the service has no precedence over it then. */
  isUrgent?: boolean
}

/** A worker ended in the middle of a job. */
export class WorkerDied extends Error {
  /** True where it needed more memory than it may use. */
  readonly isOutOfMemory: boolean

  constructor(isOutOfMemory: boolean) {
    super(isOutOfMemory ? 'A worker ran out of memory.' : 'A worker ended unexpectedly.')
    this.name = 'WorkerDied'
    this.isOutOfMemory = isOutOfMemory
  }
}

/** The file descriptor of the worker's end of the connection; 0 to 2 are the standard streams. */
export const CONNECTION_FD = 3

/** What the heap may take of the worker's memory: the rest is for buffers, strings outside of it and code. */
const HEAP_SHARE = 0.75

/** A quarter of V8's default: an idle worker takes 5 MiB less, and its jobs 2 % longer. */
const YOUNG_GENERATION = '--max-semi-space-size=4'

const MEMORY_CHECK_MS = 50

const MEBIBYTE = 1024 * 1024

/** V8 aborts when its heap is full (SIGABRT, or SIGTRAP and SIGILL in some builds); the kernel's OOM killer sends SIGKILL. */
const OUT_OF_MEMORY_SIGNALS = new Set<NodeJS.Signals | null>(['SIGABRT', 'SIGTRAP', 'SIGILL', 'SIGKILL', 'SIGSEGV'])

/**
 * A child process that does one job at a time. A thread would not do: V8 ends the whole process when some allocations fail in
 * a thread, `NODE_OPTIONS` overrides a thread's limits, and Buffers do not count towards them (seen on Node 20.20).
 */
export class WorkerProcess {
  readonly #child: ChildProcess
  readonly #connection: Duplex
  readonly #memoryBytes: number
  readonly #ready: Promise<Frame>
  #pending: { resolve: (frame: Frame) => void; reject: (error: Error) => void } | undefined
  #isAlive = true
  #freeSince = performance.now()

  /** @param onEnd called once, when the process has ended for whatever reason */
  constructor({ script, memoryMb, args = [], env = {}, isUrgent = false }: WorkerOptions, onEnd: () => void) {
    this.#memoryBytes = memoryMb * MEBIBYTE
    const heapMb = Math.floor(memoryMb * HEAP_SHARE)
    // No variable of the service: the worker needs no key, and NODE_OPTIONS could lift its limit.
    this.#child = spawn(
      process.execPath,
      [...loaderOf(script), `--max-old-space-size=${heapMb}`, YOUNG_GENERATION, fileURLToPath(script), ...args],
      { env, stdio: ['ignore', 'ignore', 'ignore', 'pipe'] },
    )
    this.#connection = this.#child.stdio[CONNECTION_FD] as Duplex
    this.#listen(onEnd)
    this.#ready = this.#nextFrame()
    this.#ready.catch(() => undefined)
    if (this.#child.pid !== undefined) yieldToService(this.#child.pid, isUrgent)
  }

  get isAlive(): boolean {
    return this.#isAlive
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
    const answer = this.#nextFrame()
    const stopWatching = this.#watchMemory()
    try {
      const [frame] = await Promise.all([answer, this.#send(job)])
      return frame
    } finally {
      stopWatching()
      this.#freeSince = performance.now()
    }
  }

  /** Ends the process at once, whatever it does. */
  kill(): void {
    this.#child.kill('SIGKILL')
  }

  #listen(onEnd: () => void): void {
    const reader = new FrameReader()
    this.#connection.on('data', (chunk: Buffer) => {
      for (const frame of reader.push(chunk)) this.#pending?.resolve(frame)
    })
    // Writing to a process that has just ended fails; `exit` says so.
    this.#connection.on('error', () => undefined)
    const end = (isOutOfMemory: boolean): void => {
      this.#isAlive = false
      this.#pending?.reject(new WorkerDied(isOutOfMemory))
      this.#connection.destroy()
      onEnd()
    }
    this.#child.once('exit', (_code, signal) => {
      end(OUT_OF_MEMORY_SIGNALS.has(signal))
    })
    this.#child.once('error', () => {
      end(false)
    })
  }

  #nextFrame(): Promise<Frame> {
    return new Promise<Frame>((resolve, reject) => {
      this.#pending = { resolve, reject }
      if (!this.#isAlive) reject(new WorkerDied(false))
    })
  }

  async #send(job: OutgoingFrame): Promise<void> {
    for (const chunk of encodeFrame(job)) {
      if (!this.#isAlive) return
      if (!this.#connection.write(chunk)) await this.#drained()
    }
  }

  /** Waits until more can be written, or the connection is closed. */
  #drained(): Promise<void> {
    return new Promise((resolve) => {
      const stop = (): void => {
        this.#connection.off('drain', stop)
        this.#connection.off('close', stop)
        resolve()
      }
      this.#connection.on('drain', stop)
      this.#connection.on('close', stop)
    })
  }

  /** Ends the process when it uses more memory than it may: the heap's limit does not count Buffers and large strings. */
  #watchMemory(): () => void {
    const { pid } = this.#child
    const timer = setInterval(() => {
      void residentBytesOf(pid).then((bytes) => {
        if (bytes > this.#memoryBytes) this.kill()
      })
    }, MEMORY_CHECK_MS)
    return () => {
      clearInterval(timer)
    }
  }
}

/**
 * Returns the loader for a script in TypeScript. Other flags of the service are not for its workers: with `--inspect-brk`, each of
 * them would wait for a debugger.
 */
const loaderOf = ({ pathname }: URL): readonly string[] => (pathname.endsWith('.ts') ? process.execArgv : [])

/** Returns the resident memory of a process; 0 where the system does not tell (other systems than Linux). */
async function residentBytesOf(pid: number | undefined): Promise<number> {
  try {
    // proc(5)
    const status = await readFile(`/proc/${pid}/status`, 'utf8')
    return Number(/^VmRSS:\s*(\d+) kB$/m.exec(status)?.[1] ?? 0) * 1024
  } catch {
    return 0
  }
}

/**
 * Gives the service precedence over a worker: sockets are served first where all cores are busy, and the kernel ends a worker
 * first when a container runs out of memory (proc(5), `oom_score_adj`).
 */
function yieldToService(pid: number, isUrgent: boolean): void {
  try {
    if (!isUrgent) setPriority(pid, constants.priority.PRIORITY_BELOW_NORMAL)
  } catch {
    // It has ended already, or the system does not allow it.
  }
  writeFile(`/proc/${pid}/oom_score_adj`, '1000').catch(() => undefined)
}
