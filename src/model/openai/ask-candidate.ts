import type { SummaryTask } from '../summarizer.ts'
import type { Answer, Asking } from './asking.ts'
import { callOnce } from './call-once.ts'
import { decideRetry, isPassing, type Change } from './decide-retry.ts'

interface Question {
  model: string
  task: SummaryTask
  /** True where no other candidate could be asked instead: then a stalled call may take all the time there is. */
  isLast: boolean
}

/** Asks one candidate until it has answered, or there is no sense in going on. The tally counts each call. */
export async function askCandidate({ model, task, isLast }: Question, asking: Asking): Promise<Answer> {
  const { budget, limit, now, random, wait } = asking
  const changes = new Set<Change>()
  for (let passing = 0; ;) {
    const call = { model, task, changes, mayTakeAll: isLast && passing > 0 }
    const answer = await limit(() => callOnce(call, asking), budget.signal)
    if (answer.ok) return answer
    if (isPassing(answer.failure)) passing += 1
    const leftMs = budget.deadlineAt - now()
    const next = decideRetry(answer.failure, { passing, changes, leftMs, random: random() })
    if (!next.retry) return answer
    if (next.change !== undefined) changes.add(next.change)
    if (next.waitMs > 0) await wait(next.waitMs, budget.signal)
  }
}
