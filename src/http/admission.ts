import { Problem } from '../errors.ts'
import type { Job } from '../model/summarizer.ts'
import { FairPlaces, type Turn } from '../runtime/fair-limit.ts'

export interface Admission {
  /** Opens the job of an owner's request; it takes no place before `acquire`. */
  open: (owner: string) => OpenJob
  /** Returns true if a new job of the owner would be refused; without an owner: of one that has no jobs. */
  isFull: (owner?: string) => boolean
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
  /** Whether an owner without running jobs may have one place more: for jobs that may take as long as a request. */
  hasSpare?: boolean
  /** Called for each refused job. */
  onRefused?: OnRefused
}

/** Why a request was refused, whatever its content. */
export type Refusal = 'queue-full' | 'event-loop' | 'memory' | 'body-bytes' | 'draining' | 'rate-limit' | 'wrong-tokens'

export type OnRefused = (reason: Refusal) => void

/** Returns the problem of a request for which the queue has no place. */
export function queueFull(): Problem {
  return new Problem('overloaded', 'The queue of this service is full. Try again later.')
}

/**
 * Limits the jobs that run at the same time and the jobs that wait, and refuses further ones. A job is a request with work
 * of its own: a request that joins an identical one, or is answered from the cache, takes no place.
 *
 * Places and waiting places are shared fairly between owners, and an owner that is alone has all of them. If the queue is
 * full, a new job takes the waiting place of the owner with the most jobs, if that one still has as many jobs afterwards as
 * the new job's owner: so two owners never take the same place from each other again and again.
 */
export function createAdmission({ concurrency, queue, hasSpare = false, onRefused }: AdmissionLimits): Admission {
  const places = new FairPlaces(concurrency)
  places.setSpare(hasSpare)
  const hasRoom = (owner?: unknown): boolean => places.hasPlaceFor(owner) || places.counts().waiting < queue
  const isFull = (owner?: string): boolean =>
    !hasRoom(owner) && places.sizeOf(places.findLargest()) < places.sizeOf(owner) + 2

  const acquirePlace = (turn: Turn): Promise<void> => {
    if (!hasRoom(turn.owner)) {
      onRefused?.('queue-full')
      if (isFull(turn.owner as string)) throw queueFull()
      places.refuseNewest(places.findLargest(), placeTaken())
    }
    return places.acquire(turn)
  }

  return {
    isFull,
    counts: () => places.counts(),
    open: (owner) =>
      openJob(
        (signal) => acquirePlace({ signal, owner }),
        () => {
          places.release(owner)
        },
      ),
  }
}

function placeTaken(): Problem {
  return new Problem(
    'overloaded',
    'The queue of this service is full, and a caller with fewer requests has taken the place of this one. Try again later.',
  )
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
