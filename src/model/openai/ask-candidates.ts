import type { Candidate } from '../../config.ts'
import { createPace, runInTurns } from '../../runtime/cooperative.ts'
import { fitWindow, promptTokensOf, type Fit } from '../../prompt/divide-prompt.ts'
import { nameTask } from '../sharing/result-store.ts'
import type { CallBudget } from '../summarizer.ts'
import { type SummaryTask, retellTask } from '../../prompt/task.ts'
import { askCandidate } from './ask-candidate.ts'
import type { Answered, Asking } from './asking.ts'
import { type Failure, modelProblem, type CandidateFailure } from './failure.ts'
import { Withdrawn } from '../sharing/share-work.ts'

const SMALL_WINDOW: Failure = { kind: 'small-window' }

interface Question {
  task: SummaryTask
  candidate: Candidate
  isLast: boolean
}

type Outcome = { answered: Answered } | { failure: Failure } | Extract<Fit, { kind: 'parts' }>

/** Asking the same once more would come to the same end. */
const isSame = (before: Fit, after: Fit): boolean =>
  before.kind === 'whole' && after.kind === 'whole' && before.maxTokens === after.maxTokens

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

export interface PartsQuestion {
  task: SummaryTask
  /** Stretches of the task's transcript, in order. */
  parts: readonly string[]
  /** Output limit of each. */
  maxTokens: number
  candidates: readonly Candidate[]
}

/**
 * Asks for the summaries of a transcript's parts, side by side. When one fails for good, those under way are let
 * finish, since a later request of the same may use them, and none is started.
 * @returns the answers in the parts' order; more than there are parts where one had to be cut again
 * @throws what the first part to fail threw
 */
export async function askParts(
  { task, parts, maxTokens, candidates }: PartsQuestion,
  asking: Asking,
): Promise<Answered[]> {
  const { division } = task
  if (division === undefined) throw new Error('A task without a division has no parts.')
  const askPart = async (conversation: string, index: number): Promise<Answered[]> => {
    const place = { isFirst: index === 0, isLast: index === parts.length - 1 }
    const part = retellTask(task, {
      maxTokens,
      prompt: division.part(conversation, place),
      division: { ...division, conversation },
    })
    const answers = await askInOrder(part, candidates, asking)
    asking.budget.onProgress?.({ done: ++done, total: parts.length + 1, phase: 'summarize' })
    return answers
  }
  let done = 0
  const pace = createPace(asking.budget.signal)
  const asked: Promise<PromiseSettledResult<Answered[]>[]>[] = []
  for (const [index, part] of parts.entries()) {
    // Each prompt is as large as a window.
    await pace()
    asked.push(Promise.allSettled([askPart(part, index)]))
  }
  const settled = (await Promise.all(asked)).flat()
  // A deadline or a hang-up comes before what it made fail.
  asking.budget.signal.throwIfAborted()
  for (const result of settled)
    // Parts that were kept from starting are only withdrawn: the one that failed says why.
    if (result.status === 'rejected' && !(result.reason instanceof Withdrawn)) throw result.reason
  asking.failed.signal.throwIfAborted()
  return settled.flatMap((result) => (result.status === 'fulfilled' ? result.value : []))
}
