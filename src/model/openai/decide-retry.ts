import type { Failure, FailureKind } from './failure.ts'

/** What is different at the next try: the limit, or the prompt's end. */
export type Change = 'cap-as-limit' | 'brevity'

export type NextStep = { retry: false } | { retry: true; waitMs: number; change?: Change }

/** How context one candidate stands. */
export interface Situation {
  /** What each try came to, in order; the last one is what is decided on. */
  failures: readonly Failure[]
  /** Changes made so far. */
  changes: ReadonlySet<Change>
  /** True where the cap is above the task's own limit. */
  canRaiseLimit: boolean
  /** True where no other candidate could be asked instead. */
  isLast: boolean
  /** Milliseconds until the deadline. */
  leftMs: number
  /** At least 0 and under 1. */
  random: number
}

const MAX_RETRIES = 2
const MAX_HONOURED_WAIT_MS = 30_000
const FIRST_WAIT_MS = 500

/** Failures after which the same call may succeed. */
const PASSING = new Set<FailureKind>(['rate-limited', 'server-error', 'dropped', 'stalled', 'malformed', 'empty'])

/** Answers that held nothing: a model that does it twice does it always. */
const HOLLOW = new Set<FailureKind>(['malformed', 'empty'])

const NO_RETRY: NextStep = { retry: false }

const count = (failures: readonly Failure[], kinds: ReadonlySet<FailureKind>): number =>
  failures.filter(({ kind }) => kinds.has(kind)).length

const triesSpent = (failures: readonly Failure[]): boolean =>
  count(failures, PASSING) > MAX_RETRIES || count(failures, HOLLOW) > 1

const backOffMs = ({ failures, random }: Situation): number =>
  FIRST_WAIT_MS * 2 ** (count(failures, PASSING) - 1) * (1 + random / 2)

/**
 * Decides whether the same candidate is asked once more, and how:
 * - after a failure that passes at most twice, after an answer that held nothing at most once: when the server asks
 *   for it, else after half a second doubling, with up to half of that again as jitter. A wait of more than 30 s, or
 *   past the deadline, is not waited for, since the next candidate may answer at once;
 * - after a stall at once, but only where no other candidate could be asked;
 * - after an answer that ran out of room once for each change: a raised limit where thinking used it up, else a demand
 *   for brevity. The same call would only come to the same end.
 */
export function decideRetry(situation: Situation): NextStep {
  const { failures, isLast, leftMs } = situation
  const failure = failures.at(-1)
  if (failure === undefined) return NO_RETRY
  const change = chooseChange(failure.kind, situation)
  if (change !== undefined) return { retry: true, waitMs: 0, change }
  if (!PASSING.has(failure.kind) || triesSpent(failures)) return NO_RETRY
  if (failure.kind === 'stalled') return isLast ? { retry: true, waitMs: 0 } : NO_RETRY
  const waitMs = failure.retryAfterMs ?? backOffMs(situation)
  return waitMs > MAX_HONOURED_WAIT_MS || waitMs >= leftMs ? NO_RETRY : { retry: true, waitMs }
}

/** Tells whether a try that fails now, for a reason that passes, would be the candidate's last. */
export function isLastTry(failures: readonly Failure[]): boolean {
  // A stall is retried once: the retry gets all the time there is left.
  return count(failures, PASSING) >= MAX_RETRIES || failures.some(({ kind }) => kind === 'stalled')
}

function chooseChange(kind: FailureKind, { changes, canRaiseLimit }: Situation): Change | undefined {
  if (kind === 'truncated-thinking' && canRaiseLimit && !changes.has('cap-as-limit')) return 'cap-as-limit'
  const ranOut = kind === 'truncated-thinking' || kind === 'truncated' || kind === 'over-limit'
  // Thinking that used up the cap too would use it up again, however short the answer.
  const isHopeless = kind === 'truncated-thinking' && changes.has('cap-as-limit')
  return ranOut && !isHopeless && !changes.has('brevity') ? 'brevity' : undefined
}
