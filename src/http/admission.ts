import { Problem } from '../errors.ts'
import type { Job } from '../model/summarizer.ts'

export interface Admission {
  /** Opens a request's job; it takes no place before it has something to do. */
  open: () => OpenJob
  /** True where a new job would be refused. */
  isFull: () => boolean
  /** Jobs that have a place, and jobs that wait for one. */
  counts: () => { inFlight: number; waiting: number }
}

/** A job and the request's own end of it. */
export interface OpenJob extends Job {
  /** The request has ended: its place is free once no work of it is under way any more. */
  release: () => void
}

interface AdmissionLimits {
  /** Jobs that may be under way at once. */
  concurrency: number
  /** Jobs that may wait. */
  queue: number
  /** Told of a job that found no place to wait in. */
  onRefused?: OnRefused
}

const overloaded = (): Problem =>
  new Problem('overloaded', 'As much work as this service takes is under way or waits already.')

/**
 * Admits jobs: as many as there may be at once, some that wait, and no more. A job is a request with work of its own:
 * one that joins equal work, or is answered from what is kept, never enters.
 */
export function createAdmission({ concurrency, queue, onRefused }: AdmissionLimits): Admission {
  const waiting = new Set<() => void>()
  let inFlight = 0
  const isFull = (): boolean => inFlight >= concurrency && waiting.size >= queue

  const takePlace = (signal: AbortSignal): Promise<void> => {
    if (isFull()) {
      onRefused?.('queue-full')
      throw overloaded()
    }
    if (inFlight < concurrency) {
      inFlight += 1
      return Promise.resolve()
    }
    return new Promise((resolve, reject) => {
      const begin = (): void => {
        waiting.delete(begin)
        signal.removeEventListener('abort', giveUp)
        inFlight += 1
        resolve()
      }
      const giveUp = (): void => {
        waiting.delete(begin)
        reject(signal.reason as Error)
      }
      waiting.add(begin)
      signal.addEventListener('abort', giveUp, { once: true })
    })
  }

  const givePlace = (): void => {
    inFlight -= 1
    const [begin] = waiting
    begin?.()
  }

  return {
    isFull,
    counts: () => ({ inFlight, waiting: waiting.size }),
    open: () => openJob(takePlace, givePlace),
  }
}

function openJob(takePlace: (signal: AbortSignal) => Promise<void>, givePlace: () => void): OpenJob {
  /** The request itself is the first hold. */
  let holds = 1
  let place: Promise<void> | undefined
  const release = (): void => {
    holds -= 1
    if (holds > 0) return
    // What was refused or given up has no place to give back.
    place?.then(givePlace, () => undefined)
  }
  return {
    async acquire(signal) {
      signal.throwIfAborted()
      place ??= takePlace(signal)
      await place
    },
    retain() {
      holds += 1
      return once(release)
    },
    release: once(release),
  }
}

function once(run: () => void): () => void {
  let isDone = false
  return () => {
    if (isDone) return
    isDone = true
    run()
  }
}
/** Why a request was refused because of load, whatever it holds. */
export type Refusal = 'queue-full' | 'event-loop' | 'memory' | 'body-bytes' | 'draining' | 'rate-limit'

export type OnRefused = (reason: Refusal) => void
