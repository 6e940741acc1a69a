import { readFile } from 'node:fs/promises'
import type { Readable } from 'node:stream'

/** Linux counts CPU time in ticks of this length for programs (proc(5): `sysconf(_SC_CLK_TCK)` is 100 on all its platforms). */
const TICK_MS = 10

const CHECK_MS = 50

interface Usage {
  residentBytes: number
  /** The CPU time of all threads. */
  cpuMs: number
}

/**
 * Watches what a process uses: all its memory, which the limit of its heap is not (Buffers and large strings), and CPU time from
 * now on. On other systems than Linux, it finds nothing.
 * @returns a function that ends the watch
 */
export function watchUsage(
  pid: number | undefined,
  limits: Usage,
  onExceeded: (exceeded: 'memory' | 'cpu-time') => void,
): () => void {
  let before: Usage | undefined
  let isOver = false
  const check = async (): Promise<void> => {
    const usage = await readUsage(pid)
    if (usage === undefined || isOver) return
    before ??= usage
    if (usage.residentBytes > limits.residentBytes) onExceeded('memory')
    else if (usage.cpuMs - before.cpuMs > limits.cpuMs) onExceeded('cpu-time')
  }
  const timer = setInterval(() => {
    void check()
  }, CHECK_MS)
  return () => {
    isOver = true
    clearInterval(timer)
  }
}

/** Returns what a process uses; undefined on other systems than Linux, or when the process has ended. */
async function readUsage(pid: number | undefined): Promise<Usage | undefined> {
  try {
    const [status, stat] = await Promise.all([
      readFile(`/proc/${pid}/status`, 'utf8'),
      readFile(`/proc/${pid}/stat`, 'utf8'),
    ])
    const residentKb = Number(/^VmRSS:\s*(\d+) kB$/m.exec(status)?.[1] ?? 0)
    // The name of the program, in parentheses, may have blanks. utime and stime are the 12th and 13th field after it.
    const [utime = 0, stime = 0] = stat
      .slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .slice(11, 13)
      .map(Number)
    return { residentBytes: residentKb * 1024, cpuMs: (utime + stime) * TICK_MS }
  } catch {
    return undefined
  }
}

/** The messages that Node and V8 write before they abort because the heap, or the process, has no memory left (Node 20 to 24). */
const WORDS = 'out of memory'

/** How long the end of the error output may take. It may never come: a process that the ended one has started may have it too. */
const END_MS = 1000

/**
 * Reads the error output of a process, and keeps nothing of it: an error may quote a session.
 * @returns a function to call when the process has ended: whether it has written that its memory is full
 */
export function watchForFullMemory(output: Readable): () => Promise<boolean> {
  let isFull = false
  let last = ''
  output.on('data', (chunk: Buffer) => {
    const text = last + chunk.toString('latin1')
    isFull ||= text.includes(WORDS)
    last = text.slice(1 - WORDS.length)
  })
  output.on('error', () => undefined)
  // Its output may be read after its exit.
  return () =>
    new Promise((resolve) => {
      const limit = setTimeout(() => output.destroy(), END_MS)
      const finish = (): void => {
        clearTimeout(limit)
        resolve(isFull)
      }
      if (output.closed) finish()
      else output.once('close', finish)
    })
}
