import { Socket } from 'node:net'
import { Worker } from 'node:worker_threads'
import { encodeFrame, FrameReader, type Frame, type OutgoingFrame } from './frames.ts'
import { CONNECTION_FD, READY } from './worker-process.ts'

/** Does a job. The process gets the next one when it has answered. */
type RunJob = (frame: Frame) => OutgoingFrame | Promise<OutgoingFrame>

/**
 * Serves jobs over the connection to the main process, one after another, until that process ends.
 * @param ready what the main process gets as soon as jobs can be done; left out if they can be at once
 */
export function serveJobs(run: RunJob, ready?: Promise<unknown>): void {
  // Ctrl-C and some service managers signal all processes: the main process drains, and ends this one at the end.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => undefined)
  const connection = new Socket({ fd: CONNECTION_FD })
  const reader = new FrameReader(Infinity)
  const send = (frame: OutgoingFrame, job: number): void => {
    for (const chunk of encodeFrame(frame, job)) connection.write(chunk)
  }
  const parent = process.ppid
  let isWatched = ready !== undefined
  if (isWatched) endWith(parent)
  connection.on('data', (chunk: Buffer) => {
    for (const frame of reader.push(chunk)) {
      if (!isWatched) endWith(parent)
      isWatched = true
      const answer = run(frame)
      if (answer instanceof Promise) void answer.then((answered) => send(answered, frame.job))
      else send(answer, frame.job)
    }
  })
  connection.on('close', () => process.exit(0))
  connection.on('error', () => process.exit(0))
  void Promise.resolve(ready ?? 'ready').then((header) => send({ header, body: [] }, READY))
}

const PARENT_CHECK_MS = 1000

/**
 * Ends this process with the main process, also in the middle of a job or of an operator's module that never ends: then nothing
 * but another thread can see that the connection has closed. A worker without a job sees it itself, and takes 8 MiB less.
 */
function endWith(parent: number): void {
  const check = `if (process.ppid !== ${parent}) process.kill(process.pid, 'SIGKILL')`
  const watchdog = new Worker(`setInterval(() => { ${check} }, ${PARENT_CHECK_MS})`, {
    eval: true,
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: 8, maxYoungGenerationSizeMb: 1, codeRangeSizeMb: 8 },
  })
  watchdog.unref()
}
