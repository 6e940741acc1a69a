import { spawn } from 'node:child_process'
import { appendFileSync, readFileSync, writeSync } from 'node:fs'
import { getPriority } from 'node:os'
import { serveJobs } from '../../src/runtime/serve-jobs.ts'
import { CONNECTION_FD } from '../../src/runtime/worker-process.ts'

const priorityAtStart = getPriority()

/** Longer than the service waits for the end of the error output. */
const LEFT_MS = 5000

/** A worker for tests: each job does what its header names. */
const jobs: Record<string, (body: Buffer) => unknown> = {
  echo: (body) => body.toString(),
  pid: () => process.pid,
  priority: () => priorityAtStart,
  flags: () => process.execArgv,
  environment: () => ({ ...process.env }),
  loop: () => {
    for (;;);
  },
  backtrack: () => /^(a+)+$/.test(`${'a'.repeat(60)}!`),
  heap: () => {
    const kept: unknown[] = []
    for (;;) kept.push(Array.from({ length: 1000 }, () => ({})))
  },
  buffers: () => {
    const kept: Buffer[] = []
    for (;;) kept.push(Buffer.alloc(16 * 1024 * 1024, 1))
  },
  exit: () => process.exit(3),
  /** Dies of a signal, and leaves a process that has its error output, as one that an operator's hook has started may. */
  'signal with a process left': () => {
    const wait = `setTimeout(() => undefined, ${LEFT_MS})`
    spawn(process.execPath, ['-e', wait], { stdio: ['ignore', 'ignore', 'inherit'], detached: true }).unref()
    process.kill(process.pid, 'SIGABRT')
  },
  /** Writes bytes of its own to the main process, before its answer. */
  write: (body) => writeSync(CONNECTION_FD, body),
}

/** A file in which all workers count their jobs, what they die of (a signal, or the heap), and in how many jobs. */
const [file, cause = '', deaths] = process.argv.slice(2)

serveJobs(({ header, body }) => {
  if (file === undefined) return { header: jobs[header as string]?.(body), body: [body] }
  appendFileSync(file, '.')
  const die = jobs[cause] ?? (() => process.kill(process.pid, cause))
  if (readFileSync(file).length <= Number(deaths)) die(body)
  return { header: { kind: 'chunks', chunks: [] }, body: [] }
})
