import { Problem } from '../errors.ts'
import type { Job } from '../model/summarizer.ts'

export interface Admission {
  /** Opens the job of a request; it takes no place before `acquire`. */
  open: () => OpenJob
  /** Returns true if a new job would be refused. */
  isFull: () => boolean
  /** Returns the numbers of running and of waiting jobs. */
  counts: () => { inFlight: number; waiting: number }
}

/** A job, with the function that ends the request's own part of it. */
export interface OpenJob extends Job {
  /** Ends the request's part. The place is free when all work of the request has ended. */
  release: () => void
}

interface AdmissionLimits {
  /** The maximum number of running jobs. */
  concurrency: number
  /** The maximum number of waiting jobs. */
  queue: number
  /** Called for each refused job. */
  onRefused?: OnRefused
}

/** Why a request was refused, whatever its content. */
export type Refusal = 'queue-full' | 'event-loop' | 'memory' | 'body-bytes' | 'draining' | 'rate-limit' | 'wrong-tokens'

export type OnRefused = (reason: Refusal) => void

/** Returns the problem of a request that finds the queue full. */
export function queueFull(): Problem {
  return new Problem('overloaded', 'The queue of this service is full. Try again later.')
}

/**
 * Limits the jobs that run at the same time and the jobs that wait, and refuses further ones. A job is a request with work
 * of its own: a request that joins an identical one, or is answered from the cache, takes no place.
 */
export function createAdmission({ concurrency, queue, onRefused }: AdmissionLimits): Admission {
  const waiting = new Set<() => void>()
  let inFlight = 0
  const isFull = (): boolean => inFlight >= concurrency && waiting.size >= queue

  const acquirePlace = (signal: AbortSignal): Promise<void> => {
    if (isFull()) {
      onRefused?.('queue-full')
      throw queueFull()
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

  const releasePlace = (): void => {
    inFlight -= 1
    const [begin] = waiting
    begin?.()
  }

  return {
    isFull,
    counts: () => ({ inFlight, waiting: waiting.size }),
    open: () => openJob(acquirePlace, releasePlace),
  }
}

function openJob(acquirePlace: (signal: AbortSignal) => Promise<void>, releasePlace: () => void): OpenJob {
  /** The request itself is the first user. */
  let users = 1
  let place: Promise<void> | undefined
  const release = (): void => {
    users -= 1
    if (users > 0) return
    // A job that was refused or gave up waiting has no place.
    place?.then(releasePlace, () => undefined)
  }
  return {
    async acquire(signal) {
      signal.throwIfAborted()
      place ??= acquirePlace(signal)
      await place
    },
    retain() {
      users += 1
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
