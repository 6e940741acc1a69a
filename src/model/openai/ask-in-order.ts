import type { Candidate } from '../../config.ts'
import type { Draft, SummaryTask } from '../summarizer.ts'
import { askCandidate } from './ask-candidate.ts'
import type { Asking } from './asking.ts'
import { modelProblem, type CandidateFailure } from './model-problem.ts'

/**
 * Asks the candidates in order, the next when one has failed, until one has given a checked summary. After one that
 * called the prompt too long, those with smaller windows are passed over; an equal one is asked, since one number for
 * all candidates says nothing of which is larger.
 * @throws Problem that tells of every candidate, when all have failed; the budget's signal's reason when that aborts
 */
export async function askInOrder(task: SummaryTask, candidates: readonly Candidate[], asking: Asking): Promise<Draft> {
  const failures: CandidateFailure[] = []
  let tooSmall = 0
  for (const [index, { model, contextWindow }] of candidates.entries()) {
    if (contextWindow < tooSmall) {
      failures.push({ model, failure: { kind: 'small-window' } })
      continue
    }
    const isLast = index === candidates.length - 1
    const answer = await askCandidate({ model, task, isLast }, asking)
    if (answer.ok) return { text: answer.text, model, ...asking.tally }
    failures.push({ model, failure: answer.failure })
    if (answer.failure.kind === 'too-long') tooSmall = Math.max(tooSmall, contextWindow)
  }
  throw modelProblem(failures)
}
