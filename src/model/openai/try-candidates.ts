import type { Candidate } from '../../config.ts'
import { createYielder, runCooperatively } from '../../runtime/cooperative.ts'
import { fitWindow, promptTokensOf, type Fit } from '../../prompt/chunk-prompt.ts'
import { cacheKey } from '../sharing/result-store.ts'
import type { CallBudget } from '../summarizer.ts'
import { type SummaryTask, retellTask } from '../../prompt/task.ts'
import { callWithRetry } from './call-with-retry.ts'
import type { Answered, CallContext } from './call-context.ts'
import { type Failure, modelProblem, type CandidateFailure } from './failure.ts'
import { Cancelled } from '../sharing/single-flight.ts'

const SMALL_WINDOW: Failure = { kind: 'small-window' }

interface Question {
  task: SummaryTask
  candidate: Candidate
  isLast: boolean
}

type Outcome = { answered: Answered } | { failure: Failure } | Extract<Fit, { kind: 'chunks' }>

/** CallContext the same once more would come to the same end. */
const isSame = (before: Fit, after: Fit): boolean =>
  before.kind === 'whole' && after.kind === 'whole' && before.maxTokens === after.maxTokens

/**
 * Asks the candidates in order, the next when one has failed, until one has given a checked summary. A task that is
 * larger than a candidate's window is told to it in chunks. Equal tasks are asked for once (see `createSingleFlight`).
 * @returns the answer, or those to the parts in their order
 * @throws Problem that tells of every candidate, when all have failed; the budget's signal's reason when that aborts
 */
export function tryCandidates(
  task: SummaryTask,
  candidates: readonly Candidate[],
  context: CallContext,
): Promise<Answered[]> {
  const key = cacheKey(task, { cacheNamespace: context.cacheNamespace, caller: context.budget.caller })
  const run = (budget: CallBudget): Promise<Answered[]> =>
    tryEach(task, candidates, { ...context, budget, tally: budget.tally ?? context.tally })
  return context.share({ key, run }, { ...context.budget, tally: context.tally })
}

async function tryEach(task: SummaryTask, candidates: readonly Candidate[], context: CallContext): Promise<Answered[]> {
  const failures: CandidateFailure[] = []
  let tooSmall = 0
  for (const [index, candidate] of candidates.entries()) {
    const isLast = index === candidates.length - 1
    const asked =
      candidate.contextWindow < tooSmall
        ? { failure: SMALL_WINDOW }
        : await tryCandidate({ task, candidate, isLast }, context)
    if ('answered' in asked) return [asked.answered]
    if ('chunks' in asked) return summarizeChunks({ task, ...asked, candidates: candidates.slice(index) }, context)
    failures.push({ model: candidate.model, failure: asked.failure })
    // One number for all candidates says nothing of which is larger: an equal one is asked.
    if (asked.failure.kind === 'too-long') tooSmall = Math.max(tooSmall, candidate.contextWindow)
  }
  throw modelProblem(failures)
}

/** Asks one candidate, again where its server has told that its window is smaller than was believed. */
async function tryCandidate({ task, candidate, isLast }: Question, context: CallContext): Promise<Outcome> {
  const { model } = candidate
  const yieldIfDue = createYielder(context.budget.signal)
  const fitNow = (): Promise<Fit> => runCooperatively(fitWindow(task, context.windows.of(candidate)), yieldIfDue)
  for (let failure = SMALL_WINDOW; ;) {
    const fit = await fitNow()
    if (fit.kind === 'none') return { failure }
    if (fit.kind === 'chunks') return fit
    const { maxTokens } = fit
    const answer = await callWithRetry({ model, task: { ...task, maxTokens }, isLast }, context)
    if (answer.ok) return { answered: { text: answer.text, model } }
    failure = answer.failure
    if (failure.kind !== 'too-long') return { failure }
    const tried = promptTokensOf(task) + maxTokens
    if (!context.windows.refused(candidate, tried, failure.reportedWindowTokens)) return { failure }
    if (isSame(fit, await fitNow())) return { failure }
  }
}

export interface ChunksQuestion {
  task: SummaryTask
  /** Stretches of the task's transcript, in order. */
  chunks: readonly string[]
  /** Output limit of each. */
  maxTokens: number
  candidates: readonly Candidate[]
}

/**
 * Asks for the summaries of a transcript's chunks, side by side. When one fails for good, those under way are let
 * finish, since a later request of the same may use them, and none is started.
 * @returns the answers in the parts' order; more than there are parts where one had to be cut again
 * @throws what the first part to fail threw
 */
export async function summarizeChunks(
  { task, chunks, maxTokens, candidates }: ChunksQuestion,
  context: CallContext,
): Promise<Answered[]> {
  const { chunking } = task
  if (chunking === undefined) throw new Error('A task without a chunking has no chunks.')
  const summarizeChunk = async (conversation: string, index: number): Promise<Answered[]> => {
    const place = { isFirst: index === 0, isLast: index === chunks.length - 1 }
    const part = retellTask(task, {
      maxTokens,
      prompt: chunking.chunk(conversation, place),
      chunking: { ...chunking, conversation },
    })
    const answers = await tryCandidates(part, candidates, context)
    context.budget.onProgress?.({ done: ++done, total: chunks.length + 1, phase: 'summarize' })
    return answers
  }
  let done = 0
  const yieldIfDue = createYielder(context.budget.signal)
  const asked: Promise<PromiseSettledResult<Answered[]>[]>[] = []
  for (const [index, chunk] of chunks.entries()) {
    // Each prompt is as large as a window.
    await yieldIfDue()
    asked.push(Promise.allSettled([summarizeChunk(chunk, index)]))
  }
  const settled = (await Promise.all(asked)).flat()
  // A deadline or a hang-up comes before what it made fail.
  context.budget.signal.throwIfAborted()
  for (const result of settled)
    // Parts that were kept from starting are only withdrawn: the one that failed says why.
    if (result.status === 'rejected' && !(result.reason instanceof Cancelled)) throw result.reason
  context.failed.signal.throwIfAborted()
  return settled.flatMap((result) => (result.status === 'fulfilled' ? result.value : []))
}
