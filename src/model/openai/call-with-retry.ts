import type { SummaryTask } from '../../prompt/task.ts'
import { Cancelled } from '../sharing/single-flight.ts'
import type { CallContext, CallResult } from './call-context.ts'
import { callOnce } from './call-once.ts'
import { decideRetry, isLastAttempt, type Change, type NextStep } from './decide-retry.ts'
import type { Failure } from './failure.ts'

interface CandidateCall {
  model: string
  task: SummaryTask
  isLast: boolean
}

interface Attempts {
  failures: Failure[]
  changes: Set<Change>
}

/**
 * Calls one candidate until it has answered or a retry is of no use. The tally counts each call.
 * @throws Cancelled when another chunk of the same task has failed before a call starts
 */
export async function callWithRetry(call: CandidateCall, context: CallContext): Promise<CallResult> {
  const signal = AbortSignal.any([context.budget.signal, context.failed.signal])
  const attempts: Attempts = { failures: [], changes: new Set() }
  for (;;) {
    const { result, next } = await context.limit(() => tryOnce(call, attempts, context), {
      signal,
      caller: context.failed,
      wanted: context.budget.wanted,
    })
    if (result.ok || !next.retry) return result
    if (next.change !== undefined) attempts.changes.add(next.change)
    context.observer.callRetried(call.model)
    if (next.waitMs > 0) await context.wait(next.waitMs, signal)
  }
}

async function tryOnce(
  { model, task, isLast }: CandidateCall,
  { failures, changes }: Attempts,
  context: CallContext,
): Promise<{ result: CallResult; next: NextStep }> {
  const { budget, failed, maxSummaryTokens, now, random } = context
  const leftMs = (): number => Math.max(1, budget.deadlineAt - now())
  const timeoutMs = attemptTimeoutMs({ leftMs: leftMs(), isLast, isLastAttempt: isLastAttempt(failures) })
  const result = await callOnce({ model, task, changes, timeoutMs }, context)
  if (result.ok) return { result, next: { retry: false } }
  failures.push(result.failure)
  const canRaiseLimit = maxSummaryTokens > task.maxTokens
  const next = decideRetry({ failures, changes, canRaiseLimit, isLast, leftMs: leftMs(), random: random() })
  // Aborts while the call still has its slot, so that no other chunk's call takes it. A chunk that is too long may
  // still be split.
  if (!next.retry && isLast && result.failure.kind !== 'too-long') failed.abort(new Cancelled())
  return { result, next }
}

export interface AttemptState {
  /** Milliseconds until the deadline. */
  leftMs: number
  /** True for the last candidate. */
  isLast: boolean
  /** True when no retry of this candidate would follow. */
  isLastAttempt: boolean
}

/**
 * Returns how long a call may take before it counts as stalled, in milliseconds; undefined for no limit but the
 * deadline. A reply that is not streamed shows nothing until it is complete, so a stalled call looks like a slow one. A
 * summary takes 10 to 60 s of the usual 170 s: three quarters of the remaining time lose hardly any reply and leave
 * time for another call. When other candidates follow, half of the time is left to them. The last possible call may
 * take all of it.
 */
export function attemptTimeoutMs({ leftMs, isLast, isLastAttempt }: AttemptState): number | undefined {
  if (!isLast) return leftMs / 2
  return isLastAttempt ? undefined : (leftMs * 3) / 4
}
