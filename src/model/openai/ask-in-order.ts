import type { Candidate } from '../../config.ts'
import { createPace } from '../../pace.ts'
import { fitWindow, promptTokensOf, type Fit } from '../../prompt/fit-window.ts'
import { runInTurns } from '../../steps.ts'
import { nameTask } from '../sharing/task-key.ts'
import type { CallBudget, SummaryTask } from '../summarizer.ts'
import { askCandidate } from './ask-candidate.ts'
import { askParts } from './ask-parts.ts'
import type { Answered, Asking } from './asking.ts'
import type { Failure } from './failure.ts'
import { modelProblem, type CandidateFailure } from './model-problem.ts'

/**
 * Asks the candidates in order, the next when one has failed, until one has given a checked summary. A task that is
 * larger than a candidate's window is told to it in parts. Equal tasks are asked for once (see `createWorkShare`).
 * @returns the answer, or those to the parts in their order
 * @throws Problem that tells of every candidate, when all have failed; the budget's signal's reason when that aborts
 */
export function askInOrder(task: SummaryTask, candidates: readonly Candidate[], asking: Asking): Promise<Answered[]> {
  const key = nameTask(task, { realm: asking.realm, caller: asking.budget.caller })
  const run = (budget: CallBudget): Promise<Answered[]> =>
    askEach(task, candidates, { ...asking, budget, tally: budget.tally ?? asking.tally })
  return asking.share({ key, run }, { ...asking.budget, tally: asking.tally })
}

async function askEach(task: SummaryTask, candidates: readonly Candidate[], asking: Asking): Promise<Answered[]> {
  const failures: CandidateFailure[] = []
  let tooSmall = 0
  for (const [index, candidate] of candidates.entries()) {
    const isLast = index === candidates.length - 1
    const asked =
      candidate.contextWindow < tooSmall ? { failure: SMALL_WINDOW } : await askOne({ task, candidate, isLast }, asking)
    if ('answered' in asked) return [asked.answered]
    if ('parts' in asked) return askParts({ task, ...asked, candidates: candidates.slice(index) }, asking)
    failures.push({ model: candidate.model, failure: asked.failure })
    // One number for all candidates says nothing of which is larger: an equal one is asked.
    if (asked.failure.kind === 'too-long') tooSmall = Math.max(tooSmall, candidate.contextWindow)
  }
  throw modelProblem(failures)
}

const SMALL_WINDOW: Failure = { kind: 'small-window' }

interface Question {
  task: SummaryTask
  candidate: Candidate
  isLast: boolean
}

type Outcome = { answered: Answered } | { failure: Failure } | Extract<Fit, { kind: 'parts' }>

/** Asks one candidate, again where its server has told that its window is smaller than was believed. */
async function askOne({ task, candidate, isLast }: Question, asking: Asking): Promise<Outcome> {
  const { model } = candidate
  const pace = createPace(asking.budget.signal)
  const fitNow = (): Promise<Fit> => runInTurns(fitWindow(task, asking.windows.of(candidate)), pace)
  for (let failure = SMALL_WINDOW; ;) {
    const fit = await fitNow()
    if (fit.kind === 'none') return { failure }
    if (fit.kind === 'parts') return fit
    const { maxTokens } = fit
    const answer = await askCandidate({ model, task: { ...task, maxTokens }, isLast }, asking)
    if (answer.ok) return { answered: { text: answer.text, model } }
    failure = answer.failure
    if (failure.kind !== 'too-long') return { failure }
    const tried = promptTokensOf(task) + maxTokens
    if (!asking.windows.refused(candidate, tried, failure.toldWindowTokens)) return { failure }
    if (isSame(fit, await fitNow())) return { failure }
  }
}

/** Asking the same once more would come to the same end. */
const isSame = (before: Fit, after: Fit): boolean =>
  before.kind === 'whole' && after.kind === 'whole' && before.maxTokens === after.maxTokens
