import { appendFileSync, readFileSync, writeSync } from 'node:fs'
import { getPriority } from 'node:os'
import { serveJobs } from '../../src/runtime/serve-jobs.ts'
import { CONNECTION_FD } from '../../src/runtime/worker-process.ts'

const priorityAtStart = getPriority()

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
  /** Writes bytes of its own to the main process, before its answer. */
  write: (body) => writeSync(CONNECTION_FD, body),
}

/** A file in which all workers count their jobs, the signal that they die of, and in how many jobs. */
const [file, signal, deaths] = process.argv.slice(2)

serveJobs(({ header, body }) => {
  if (file === undefined) return { header: jobs[header as string]?.(body), body: [body] }
  appendFileSync(file, '.')
  if (readFileSync(file).length <= Number(deaths)) process.kill(process.pid, signal)
  return { header: { kind: 'chunks', chunks: [] }, body: [] }
})
