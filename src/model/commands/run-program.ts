import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process'
import { constants } from 'node:os'
import { CommandFault } from './command-fault.ts'

export interface ProgramRun {
  file: string
  args: readonly string[]
  folder: string
  env: Readonly<Record<string, string>>
  input: string
  signal: AbortSignal
  /** How long it may take, and how long it may then take to end. */
  limitMs: number
  graceMs: number
}

/** The largest summaries have some 100 KB. */
const MAX_OUTPUT_BYTES = 4 * 1024 * 1024

/** The beginning and the end of what a program prints as an error. */
const FIRST_ERROR_CHARACTERS = 4096
const LAST_ERROR_CHARACTERS = 16_384

/**
 * Runs a program to its end, and returns what it has printed. It is in a group of processes of its own, with all that it starts:
 * the group ends with the signal, with the time limit, and with this process.
 * @throws CommandFault; the reason of the signal when that aborts
 */
export async function runProgram(run: ProgramRun): Promise<string> {
  run.signal.throwIfAborted()
  const { file, args, folder: cwd, env } = run
  const child = spawn(file, args, { cwd, env, detached: true, stdio: 'pipe' })
  const group = new ProcessGroup(child, run.graceMs)
  const onAbort = (): void => group.stop()
  run.signal.addEventListener('abort', onAbort, { once: true })
  const late = new AbortController()
  const timer = setTimeout(() => {
    late.abort()
    group.stop()
  }, run.limitMs)
  try {
    const ended = await readToEnd(child, run, onAbort)
    run.signal.throwIfAborted()
    if (late.signal.aborted) throw new CommandFault('timeout', ended.errors)
    return outputOf(ended)
  } finally {
    clearTimeout(timer)
    run.signal.removeEventListener('abort', onAbort)
    group.end()
  }
}

interface Ended {
  output: string
  errors: string
  exit: number | NodeJS.Signals | NodeJS.ErrnoException
  isTooLarge: boolean
  isRead: boolean
}

/** Writes the input, and reads what is printed until the process has ended. */
async function readToEnd(
  child: ChildProcessWithoutNullStreams,
  { input, graceMs }: ProgramRun,
  stop: () => void,
): Promise<Ended> {
  const chunks: Buffer[] = []
  let [length, first, last, isRead] = [0, '', '', false]
  child.stdout.on('data', (chunk: Buffer) => {
    length += chunk.length
    if (length <= MAX_OUTPUT_BYTES) chunks.push(chunk)
    else stop()
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    const room = FIRST_ERROR_CHARACTERS - first.length
    first += text.slice(0, room)
    last = (last + text.slice(room)).slice(-LAST_ERROR_CHARACTERS)
  })
  // A program that ends without reading its input breaks the pipe: its end says more.
  child.stdin.on('error', () => undefined)
  child.stdin.end(input, (error?: Error | null) => {
    isRead = !error
  })
  const exit = await new Promise<Ended['exit']>((resolve) => {
    child.on('error', resolve)
    let timer: NodeJS.Timeout | undefined
    child.on('exit', () => {
      // What the program has left running may keep its output open.
      timer = setTimeout(() => {
        child.stdout.destroy()
        child.stderr.destroy()
      }, graceMs)
    })
    child.on('close', (code, signal) => {
      clearTimeout(timer)
      resolve(code ?? signal ?? 0)
    })
  })
  const output = Buffer.concat(chunks).toString()
  return { output, errors: first + last, exit, isTooLarge: length > MAX_OUTPUT_BYTES, isRead }
}

function outputOf({ output, errors, exit, isTooLarge, isRead }: Ended): string {
  if (typeof exit === 'object') throw new CommandFault('no-program', '', exit.code)
  if (isTooLarge) throw new CommandFault('too-large')
  // Claude Code prints its errors on stdout.
  if (exit !== 0)
    throw new CommandFault('exit', `${errors}\n${output}`.trim(), typeof exit === 'number' ? `code ${exit}` : exit)
  if (!isRead) throw new CommandFault('unread-prompt', errors)
  if (output.trim() === '') throw new CommandFault('empty', errors)
  return output
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** A program and all processes that it has started. */
class ProcessGroup {
  readonly #child: ChildProcessWithoutNullStreams
  readonly #graceMs: number
  #timer: NodeJS.Timeout | undefined
  readonly #kill = (): void => this.#send('SIGKILL')
  readonly #endWithUs = (signal: NodeJS.Signals): void => {
    this.#kill()
    // Without another listener, the signal would have ended this process.
    if (process.listenerCount(signal) <= 1) process.exit(128 + constants.signals[signal])
  }

  constructor(child: ChildProcessWithoutNullStreams, graceMs: number) {
    this.#child = child
    this.#graceMs = graceMs
    process.on('exit', this.#kill)
    for (const signal of SIGNALS) process.on(signal, this.#endWithUs)
  }

  /** Asks the group to end, and kills it if it does not. */
  stop(): void {
    this.#send('SIGTERM')
    this.#timer ??= setTimeout(this.#kill, this.#graceMs)
  }

  /** Kills what the program has left running, and forgets the group. */
  end(): void {
    clearTimeout(this.#timer)
    this.#kill()
    process.off('exit', this.#kill)
    for (const signal of SIGNALS) process.off(signal, this.#endWithUs)
  }

  #send(signal: NodeJS.Signals): void {
    const { pid } = this.#child
    if (pid === undefined) return
    try {
      process.kill(-pid, signal)
    } catch {
      // All of its processes have ended.
    }
  }
}
