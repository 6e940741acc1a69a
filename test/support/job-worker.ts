import { serveJobs } from '../../src/runtime/serve-jobs.ts'

/** A worker for tests: each job does what its header names. */
const jobs: Record<string, (body: Buffer) => unknown> = {
  echo: (body) => body.toString(),
  pid: () => process.pid,
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
}

serveJobs(({ header, body }) => ({ header: jobs[header as string]?.(body), body: [body] }))
