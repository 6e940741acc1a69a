import type { SummaryTask } from '../summarizer.ts'
import type { Answer, Asking } from './asking.ts'
import { callOnce } from './call-once.ts'
import { decideRetry, isLastTry, type Change } from './decide-retry.ts'
import type { Failure } from './failure.ts'
import { shareOfTimeMs } from './share-of-time.ts'

export interface CandidateQuestion {
  model: string
  task: SummaryTask
  /** True where no other candidate could be asked instead. */
  isLast: boolean
}

/** Asks one candidate until it has answered, or there is no sense in going on. The tally counts each call. */
export async function askCandidate({ model, task, isLast }: CandidateQuestion, asking: Asking): Promise<Answer> {
  const { budget, limit, maxSummaryTokens, now, random, wait } = asking
  const leftMs = (): number => Math.max(1, budget.deadlineAt - now())
  const canRaiseLimit = maxSummaryTokens > task.maxTokens
  const failures: Failure[] = []
  const changes = new Set<Change>()
  for (;;) {
    const answer = await limit(() => {
      const shareMs = shareOfTimeMs({ leftMs: leftMs(), isLast, isLastTry: isLastTry(failures) })
      return callOnce({ model, task, changes, shareMs }, asking)
    }, budget.signal)
    if (answer.ok) return answer
    failures.push(answer.failure)
    const next = decideRetry({ failures, changes, canRaiseLimit, isLast, leftMs: leftMs(), random: random() })
    if (!next.retry) return answer
    if (next.change !== undefined) changes.add(next.change)
    if (next.waitMs > 0) await wait(next.waitMs, budget.signal)
  }
}
