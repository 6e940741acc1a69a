import { Problem } from '../errors.ts'
import type { Slot } from '../model/summarizer.ts'
import { FairPlaces, type Ticket } from '../runtime/fair-limit.ts'

export interface Admission {
  /** Opens the slot of a caller's request; it takes no place before `acquire`. */
  open: (caller: string) => OpenSlot
  /** Returns true if a new request of the caller would be refused; without a caller: of one that has none. */
  isFull: (caller?: string) => boolean
  /** Returns how many requests have a place, and how many wait for one. */
  counts: () => { inFlight: number; waiting: number }
}

/** A slot, with the function that ends the request's own part of it. */
export interface OpenSlot extends Slot {
  /** Ends the request's part. The place is free when all work of the request has ended. */
  release: () => void
}

interface AdmissionLimits {
  /** The maximum number of requests that are worked on. */
  concurrency: number
  /** The maximum number of requests that wait. */
  queue: number
  /** Whether a caller without a place may have one more: for work that may take as long as a request. */
  hasSpare?: boolean
  /** Called for each refused request. */
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
 * Limits the requests that are worked on at the same time and those that wait, and refuses further ones. Only a request with
 * work of its own takes a place: not one that joins an identical one, or is answered from the cache.
 *
 * Places and waiting places are shared fairly between callers, and a caller that is alone has all of them. If the queue is
 * full, a new request takes the waiting place of the caller with the most requests, if that one still has as many afterwards as
 * the caller of the new one: so two callers never take the same place from each other again and again.
 *
 * Summaries that no request waits for are in no queue of requests: the memory for their bodies limits them.
 */
export function createAdmission({ concurrency, queue, hasSpare = false, onRefused }: AdmissionLimits): Admission {
  const places = new FairPlaces(concurrency)
  places.setSpare(hasSpare)
  const hasRoom = (caller?: unknown): boolean => places.hasPlaceFor(caller) || places.counts().waiting < queue
  const isFull = (caller?: string): boolean =>
    !hasRoom(caller) && places.sizeOf(places.findLargest()) < places.sizeOf(caller) + 2

  const acquirePlace = (ticket: Ticket): Promise<() => void> => {
    if (ticket.wanted === undefined && !hasRoom(ticket.caller)) {
      onRefused?.('queue-full')
      if (isFull(ticket.caller as string)) throw queueFull()
      places.refuseNewest(places.findLargest(), placeTaken())
    }
    return places.acquire(ticket)
  }

  return {
    isFull,
    counts: () => places.counts(),
    open: (caller) => openSlot((signal, wanted) => acquirePlace({ signal, caller, wanted })),
  }
}

function placeTaken(): Problem {
  return new Problem(
    'overloaded',
    'The queue of this service is full, and a caller with fewer requests has taken the place of this one. Try again later.',
  )
}

function openSlot(acquirePlace: (signal: AbortSignal, wanted?: AbortSignal) => Promise<() => void>): OpenSlot {
  /** The request itself is the first user. */
  let users = 1
  let place: Promise<() => void> | undefined
  const release = (): void => {
    users -= 1
    if (users > 0) return
    // A slot that was refused or gave up waiting has no place.
    place?.then(
      (releasePlace) => releasePlace(),
      () => undefined,
    )
  }
  return {
    async acquire(signal, wanted) {
      signal.throwIfAborted()
      place ??= acquirePlace(signal, wanted)
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
