import { Cancelled } from '../sharing/single-flight.ts'
import type { SummaryTask } from '../../prompt/task.ts'
import type { Answer, CallContext } from './call-context.ts'
import { callOnce } from './call-once.ts'
import { decideRetry, isLastTry, type Change, type NextStep } from './decide-retry.ts'
import type { Failure } from './failure.ts'

export interface CandidateCall {
  model: string
  task: SummaryTask
  /** True where no other candidate could be asked instead. */
  isLast: boolean
}

interface Tries {
  failures: Failure[]
  changes: Set<Change>
}

/**
 * Asks one candidate until it has answered, or there is no sense in going on. The tally counts each call.
 * @throws Cancelled where another part of the same task has failed before a call began
 */
export async function callWithRetry(question: CandidateCall, context: CallContext): Promise<Answer> {
  const signal = AbortSignal.any([context.budget.signal, context.failed.signal])
  const tries: Tries = { failures: [], changes: new Set() }
  for (;;) {
    const { answer, next } = await context.limit(() => tryOnce(question, tries, context), {
      signal,
      owner: context.failed,
    })
    if (answer.ok || !next.retry) return answer
    if (next.change !== undefined) tries.changes.add(next.change)
    context.observer.retried(question.model)
    if (next.waitMs > 0) await context.wait(next.waitMs, signal)
  }
}

async function tryOnce(
  { model, task, isLast }: CandidateCall,
  { failures, changes }: Tries,
  context: CallContext,
): Promise<{ answer: Answer; next: NextStep }> {
  const { budget, failed, maxSummaryTokens, now, random } = context
  const leftMs = (): number => Math.max(1, budget.deadlineAt - now())
  const timeoutMs = attemptTimeoutMs({ leftMs: leftMs(), isLast, isLastTry: isLastTry(failures) })
  const answer = await callOnce({ model, task, changes, timeoutMs }, context)
  if (answer.ok) return { answer, next: { retry: false } }
  failures.push(answer.failure)
  const canRaiseLimit = maxSummaryTokens > task.maxTokens
  const next = decideRetry({ failures, changes, canRaiseLimit, isLast, leftMs: leftMs(), random: random() })
  // Told while the call still has its place, so that no other part's takes it. What is too long may be cut smaller.
  if (!next.retry && isLast && answer.failure.kind !== 'too-long') failed.abort(new Cancelled())
  return { answer, next }
}
export interface Prospects {
  /** Milliseconds until the deadline. */
  leftMs: number
  /** True where no other candidate could be asked instead. */
  isLast: boolean
  /** True where no retry would follow on this candidate. */
  isLastTry: boolean
}

/**
 * How long a call may take before it counts as stalled. An answer that is not streamed shows no sign of life until it
 * is whole, so a stalled call looks like a slow one, and all that can be judged is whether waiting on is the better
 * bet: a summary takes some 10 to 60 s of the usual 170 s, so three quarters lose hardly any that would have come,
 * and leave time for a call that is not stuck. With another candidate to ask, half is left to it. The last call that
 * can be made may take all there is: only the deadline ends it.
 * @returns milliseconds, or undefined for all the time there is
 */
export function attemptTimeoutMs({ leftMs, isLast, isLastTry }: Prospects): number | undefined {
  if (!isLast) return leftMs / 2
  return isLastTry ? undefined : (leftMs * 3) / 4
}
