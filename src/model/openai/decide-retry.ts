import type { Failure, FailureKind } from './failure.ts'

/** What is different at the next try. */
export type Change = 'cap-as-limit' | 'brevity'

export type NextStep = { retry: false } | { retry: true; waitMs: number; change?: Change }

/** What has happened on this candidate so far. */
export interface Attempts {
  /** Failures of the kind that passes by itself. */
  passing: number
  changes: ReadonlySet<Change>
  /** Milliseconds until the deadline. */
  leftMs: number
  /** Between 0 and 1. */
  random: number
}

const MAX_PASSING_RETRIES = 2
const MAX_HONOURED_WAIT_MS = 30_000
const FIRST_WAIT_MS = 500

/** Failures after which the same call may succeed. */
const PASSING = new Set<FailureKind>(['rate-limited', 'server-error', 'dropped', 'stalled', 'malformed', 'empty'])

/** What a retry changes, for failures after which the same call would fail again. */
const CHANGES: Partial<Record<FailureKind, Change>> = {
  'truncated-thinking': 'cap-as-limit',
  truncated: 'brevity',
  'over-limit': 'brevity',
}

export const isPassing = ({ kind }: Failure): boolean => PASSING.has(kind)

/**
 * Decides whether the same candidate is asked once more: at most twice after failures that pass, waiting as long as the
 * server asks or half a second doubling, with jitter; once with each change after an answer that ran out of room. A wait
 * of more than 30 s, or past the deadline, is not waited: the next candidate may answer at once.
 */
export function decideRetry(failure: Failure, { passing, changes, leftMs, random }: Attempts): NextStep {
  const change = CHANGES[failure.kind]
  if (change !== undefined) return changes.has(change) ? { retry: false } : { retry: true, waitMs: 0, change }
  if (!isPassing(failure) || passing > MAX_PASSING_RETRIES) return { retry: false }
  const waitMs = failure.retryAfterMs ?? backOffMs(failure, passing, random)
  return waitMs > MAX_HONOURED_WAIT_MS || waitMs >= leftMs ? { retry: false } : { retry: true, waitMs }
}

/** A stalled call has waited enough. */
const backOffMs = ({ kind }: Failure, passing: number, random: number): number =>
  kind === 'stalled' ? 0 : FIRST_WAIT_MS * 2 ** (passing - 1) * (1 + random / 2)
