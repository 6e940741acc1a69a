import { setImmediate } from 'node:timers/promises'
import { fitWindow, withTranscript, type Fit } from '../../prompt/chunk-prompt.ts'
import type { Chunk } from '../../prompt/split-conversation.ts'
import type { ChunkPlace, SummaryTask } from '../../prompt/task.ts'
import type { Candidate } from '../../model-settings.ts'
import { cacheKey } from '../sharing/result-store.ts'
import { Cancelled } from '../sharing/single-flight.ts'
import type { TaskBudget } from '../summarizer.ts'
import { learnerOf, type CallContext, type ModelAnswer } from './call-context.ts'
import { callWithRetry } from './call-with-retry.ts'
import { type Failure, modelProblem, type CandidateFailure } from './failure.ts'

const SMALL_WINDOW: Failure = { kind: 'small-window' }

interface CandidateTask {
  task: SummaryTask
  candidate: Candidate
  isLast: boolean
}

type SplitFit = Extract<Fit, { kind: 'split' }>

type Outcome = { answer: ModelAnswer } | { failure: Failure } | { fit: SplitFit }

/**
 * Calls the candidates in order until one has returned a checked summary. A task that is larger than a candidate's
 * window is split into chunks. Equal tasks run once (see `createSingleFlight`).
 * @returns the answer, or those to the chunks in their order
 * @throws Problem that names every candidate, when all have failed; the reason of the budget's signal when that aborts
 */
export function tryCandidates(
  task: SummaryTask,
  candidates: readonly Candidate[],
  context: CallContext,
): Promise<ModelAnswer[]> {
  const key = cacheKey(task, { cacheNamespace: context.cacheNamespace, tokenDigest: context.budget.tokenDigest })
  const run = (budget: TaskBudget): Promise<ModelAnswer[]> => tryInOrder(task, candidates, { ...context, budget })
  return context.singleFlight({ key, run }, context.budget)
}

async function tryInOrder(
  task: SummaryTask,
  candidates: readonly Candidate[],
  context: CallContext,
): Promise<ModelAnswer[]> {
  const failures: CandidateFailure[] = []
  let rejectedWindowTokens = 0
  for (const [index, candidate] of candidates.entries()) {
    const isLast = index === candidates.length - 1
    const outcome =
      candidate.contextWindow < rejectedWindowTokens
        ? { failure: SMALL_WINDOW }
        : await callCandidate({ task, candidate, isLast }, context)
    if ('answer' in outcome) return [outcome.answer]
    if ('fit' in outcome) return summarizeChunks({ task, ...outcome, candidates: candidates.slice(index) }, context)
    failures.push({ model: candidate.model, failure: outcome.failure })
    // A candidate with an equal window is called: all may be configured with one number, whatever their real windows
    // are.
    if (outcome.failure.kind === 'too-long')
      rejectedWindowTokens = Math.max(rejectedWindowTokens, candidate.contextWindow)
  }
  throw modelProblem(failures, context.server.unreachable())
}

/** Calls one candidate, and again each time its server has shown that its window is smaller than was known. */
async function callCandidate({ task, candidate, isLast }: CandidateTask, context: CallContext): Promise<Outcome> {
  const { model } = candidate
  const { windows } = context
  const learner = learnerOf(context)
  const fitNow = (): Fit => fitWindow(task, windows.of(candidate, learner))
  for (let failure: Failure | undefined; ;) {
    const fit = fitNow()
    if (fit.kind === 'none') return { failure: failure ?? smallWindow(candidate, windows.of(candidate, learner)) }
    if (fit.kind === 'split') return { fit }
    const { maxTokens } = fit
    const result = await callWithRetry({ model, task: { ...task, maxTokens }, isLast }, context)
    if (result.ok) {
      windows.learnFromAnswer(candidate, () => task.promptTokens)
      return { answer: { text: result.text, model } }
    }
    failure = result.failure
    if (failure.kind !== 'too-long') return { failure }
    const triedTokens = task.promptTokens + maxTokens
    const { reportedWindowTokens: reportedTokens } = failure
    if (!windows.learnFromRejection(candidate, { learner, triedTokens, reportedTokens })) return { failure }
    const learnedWindowTokens = windows.of(candidate, learner)
    context.budget.onCall?.({ model, outcome: failure.kind, status: failure.status, learnedWindowTokens })
    if (isSameRequest(fit, fitNow())) return { failure }
  }
}

/** Returns the failure of a candidate that is not called. @param tokens its window, as far as it is known now */
const smallWindow = ({ contextWindow }: Candidate, tokens: number): Failure =>
  tokens < contextWindow ? { ...SMALL_WINDOW, learnedWindowTokens: tokens } : SMALL_WINDOW

/** Returns whether a second call would send the same request. */
const isSameRequest = (before: Fit, after: Fit): boolean =>
  before.kind === 'whole' && after.kind === 'whole' && before.maxTokens === after.maxTokens

interface ChunkedTask {
  task: SummaryTask
  fit: SplitFit
  candidates: readonly Candidate[]
}

/**
 * Summarizes the chunks of a transcript in parallel. When one fails for good, no further call starts; calls in flight
 * finish, since a later equal request may use their results.
 * @returns the answers in the order of the chunks; more than one for a chunk that had to be split again
 * @throws what the first failed chunk threw
 */
async function summarizeChunks(
  { task, fit: { capacityTokens, maxTokens }, candidates }: ChunkedTask,
  context: CallContext,
): Promise<ModelAnswer[]> {
  const { chunking, prompt } = task
  if (chunking === undefined) throw new Error('A task without a chunking has no chunks.')
  const { start, end, unit } = chunking
  const { budget, failed, split } = context
  const chunks = await split(
    prompt.subarray(start, end),
    { capacityTokens, unit },
    { signal: budget.signal, caller: budget.tokenDigest ?? '' },
  )
  let done = 0
  const summarizeChunk = async (chunk: Chunk, place: ChunkPlace): Promise<ModelAnswer[]> => {
    const { text, tokens } = chunk
    const part = withTranscript(task, { text: text.toString().trim(), tokens, place })
    const answers = await tryCandidates({ ...part, maxTokens }, candidates, context)
    budget.onProgress?.({ done: ++done, total: chunks.length + 1, phase: 'summarize' })
    return answers
  }
  const settled = await settleInOrder(chunks, context.partsAtOnce, (chunk, index) =>
    summarizeChunk(chunk, placeOf(index, chunks.length)),
  )
  // A deadline or a disconnect takes precedence over the failures that it has caused.
  budget.signal.throwIfAborted()
  for (const result of settled)
    // Cancelled chunks never started: the chunk that failed has the reason.
    if (result.status === 'rejected' && !(result.reason instanceof Cancelled)) throw result.reason
  failed.signal.throwIfAborted()
  return settled.flatMap((result) => (result.status === 'fulfilled' ? result.value : []))
}

/**
 * Works on items, so many at the same time: one that waits before it repeats a call lets no other begin, so a server that fails
 * gets a few calls, however many items there are.
 */
async function settleInOrder<T, R>(
  items: readonly T[],
  atOnce: number,
  work: (item: T, index: number) => Promise<R>,
): Promise<PromiseSettledResult<R>[]> {
  const settled: PromiseSettledResult<R>[] = []
  const queue = items.entries()
  const workThrough = async (): Promise<void> => {
    for (const [index, item] of queue) {
      // Each prompt is as large as a window: sockets are served between two of them.
      await setImmediate()
      const [result] = await Promise.allSettled([work(item, index)])
      settled[index] = result
    }
  }
  await Promise.all(Array.from({ length: Math.min(atOnce, items.length) }, workThrough))
  return settled
}

/** Returns the place of a chunk. The first piece of a chunk that is split again is called the beginning, too. */
function placeOf(index: number, count: number): ChunkPlace {
  if (index === 0) return 'beginning'
  return index === count - 1 ? 'end' : 'middle'
}
