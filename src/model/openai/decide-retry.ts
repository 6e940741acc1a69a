import type { Failure, FailureKind } from './failure.ts'

/** The change of the next attempt: the output limit, or the end of the prompt. */
export type Change = 'cap-as-limit' | 'brevity'

export type NextStep = { retry: false } | { retry: true; waitMs: number; change?: Change }

/** The state of one candidate. */
export interface RetryState {
  /** The failures of its attempts, oldest first; the last one is to be decided on. */
  failures: readonly Failure[]
  /** The changes made so far. */
  changes: ReadonlySet<Change>
  /** True when the cap is above the task's own limit. */
  canRaiseLimit: boolean
  /** True for the last candidate. */
  isLast: boolean
  /** Milliseconds until the deadline. */
  leftMs: number
  /** A random number from 0 up to, but not including, 1. */
  random: number
}

const MAX_RETRIES = 2
const MAX_WAIT_MS = 30_000
const FIRST_WAIT_MS = 500

/** Replies without a usable content: a model that sends two sends them always. */
const WITHOUT_CONTENT = new Set<FailureKind>([
  'malformed',
  'command-failed',
  'wrong-output',
  'reply-too-large',
  'empty',
  'refused-in-words',
  'asked-back',
  'repetitive',
  'unrelated',
  'no-summary',
])

/** Failures after which the same call may succeed. */
const TRANSIENT = new Set<FailureKind>(['rate-limited', 'server-error', 'dropped', 'stalled', ...WITHOUT_CONTENT])

const NO_RETRY: NextStep = { retry: false }

/**
 * Decides whether the same candidate is called again, and how:
 * - after a transient failure at most twice, after a reply without content at most once: after the wait that the server
 *   asks for, otherwise after 500 ms, doubled for each retry, plus up to half of that as jitter. There is no retry when
 *   the wait is longer than 30 s or passes the deadline, since the next candidate may answer at once;
 * - after a stall at once, but only on the last candidate;
 * - after a reply that reached its output limit, once for each change: a raised limit when thinking used it up,
 *   otherwise a demand for brevity. The same call would only end in the same way.
 */
export function decideRetry(state: RetryState): NextStep {
  const { failures, isLast, leftMs } = state
  const failure = failures.at(-1)
  if (failure === undefined) return NO_RETRY
  const change = chooseChange(failure.kind, state)
  if (change !== undefined) return { retry: true, waitMs: 0, change }
  if (!TRANSIENT.has(failure.kind) || areRetriesUsedUp(failures)) return NO_RETRY
  if (failure.kind === 'stalled') return isLast ? { retry: true, waitMs: 0 } : NO_RETRY
  const waitMs = failure.retryAfterMs ?? backoffMs(state)
  return waitMs > MAX_WAIT_MS || waitMs >= leftMs ? NO_RETRY : { retry: true, waitMs }
}

/** Returns whether no retry would follow a transient failure of the next attempt. */
export function isLastAttempt(failures: readonly Failure[]): boolean {
  // A stall is retried once: the retry gets all of the remaining time.
  return count(failures, TRANSIENT) >= MAX_RETRIES || failures.some(({ kind }) => kind === 'stalled')
}

const count = (failures: readonly Failure[], kinds: ReadonlySet<FailureKind>): number =>
  failures.filter(({ kind }) => kinds.has(kind)).length

const areRetriesUsedUp = (failures: readonly Failure[]): boolean =>
  count(failures, TRANSIENT) > MAX_RETRIES || count(failures, WITHOUT_CONTENT) > 1

const backoffMs = ({ failures, random }: RetryState): number =>
  FIRST_WAIT_MS * 2 ** (count(failures, TRANSIENT) - 1) * (1 + random / 2)

function chooseChange(kind: FailureKind, { changes, canRaiseLimit }: RetryState): Change | undefined {
  if (kind === 'truncated-thinking' && canRaiseLimit && !changes.has('cap-as-limit')) return 'cap-as-limit'
  const isTruncated = kind === 'truncated-thinking' || kind === 'truncated' || kind === 'over-limit'
  // Thinking that has used up the cap too would use it up again, however short the answer.
  const isHopeless = kind === 'truncated-thinking' && changes.has('cap-as-limit')
  return isTruncated && !isHopeless && !changes.has('brevity') ? 'brevity' : undefined
}
