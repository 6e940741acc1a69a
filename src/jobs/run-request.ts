import { Problem } from '../errors.ts'
import {
  emptyTally,
  type CallBudget,
  type Draft,
  type ModelDraft,
  type ModelSummarizer,
  type Summarizer,
} from '../model/summarizer.ts'
import type { Answers, RepairDemand } from '../use-cases/shared/pipeline.ts'
import type { SentPlan } from '../use-cases/shared/services.ts'
import { withPrompt, type Segments, type SummaryTask } from '../prompt/task.ts'
import { anyOf, startTimer as startRealTimer, type StartTimer } from '../runtime/abort.ts'
import type { Turn } from '../runtime/fair-limit.ts'
import type { HookRunner } from './hook-runner.ts'
import { joinProgress } from './join-progress.ts'
import { notifyHooks, startWithHooks } from './start-with-hooks.ts'
import type { CallStep, FinalStep, JobRunner, ReceivedRequest } from './job-runner.ts'

/** A request's budget and its listener. */
export interface JobBudget extends CallBudget {
  /** Aborts when the client is gone, or a moment after the deadline: an answer that has been paid for is still sent. */
  replySignal: AbortSignal
  /** Whose work it is: callers are served in turn. */
  owner: string
  /** Receives the plan event, before anything is sent to the summarizer. */
  onPlan?: (plan: SentPlan) => void
}

interface RequestTools {
  jobs: JobRunner
  summarizer: Summarizer
  /** The operator's hooks, if there are any. */
  hooks?: HookRunner | undefined
  /** Called with the bytes that the request takes in memory from now on. */
  onHeld?: (bytes: number) => void
  startTimer?: StartTimer | undefined
}

/**
 * Runs a request to its reply: reads it, calls the model, checks the answer, and has the model fix its faults once. The work
 * between the calls is done by jobs.
 * @throws Problem; the reason of the budget's signals when they abort
 */
export async function runRequest(request: ReceivedRequest, tools: RequestTools, budget: JobBudget): Promise<FinalStep> {
  const { hooks } = tools
  const step = await runToReply(request, tools, budget)
  notifyHooks(step, request, { hooks, owner: budget.owner })
  return step
}

async function runToReply(
  request: ReceivedRequest,
  { jobs, summarizer, hooks, onHeld, startTimer = startRealTimer }: RequestTools,
  budget: JobBudget,
): Promise<FinalStep> {
  const { signal, replySignal, owner } = budget
  // Without a model server, the work of a request is its job.
  if (summarizer.name === 'embedded') await budget.job?.acquire(signal)
  const step = await startWithHooks(request, { jobs, hooks }, { signal, owner })
  if (step.plan !== undefined) budget.onPlan?.(step.plan)
  if (step.kind === 'reply') return step
  if (summarizer.name === 'embedded') throw new Error('Without a model, a job needs no answer.')
  onHeld?.(step.heldBytes)
  return answerWithModel(step, { summarizer, turn: { signal: replySignal, owner }, startTimer }, budget)
}

interface ModelTools {
  summarizer: ModelSummarizer
  turn: Turn
  startTimer: StartTimer
}

async function answerWithModel(
  { tasks, redact, proceed }: CallStep,
  { summarizer, turn, startTimer }: ModelTools,
  limits: JobBudget,
): Promise<FinalStep> {
  const budget = { ...limits, redact: (texts: readonly string[]) => redact(texts, turn) }
  const drafts = await summarizeSegments(summarizer, tasks, budget)
  const answers: Answers = { drafts: withoutPrompts(drafts), mayRepair: Object.values(drafts).every(hasPrompt) }
  const checked = await proceed(answers, turn)
  if (checked.kind === 'reply') return checked
  const { segment } = checked.demand
  const repair = repairTask(tasks[segment], drafts[segment], checked.demand)
  const tally = emptyTally()
  const draft = await tryInTime({ ...budget, tally }, startTimer, (within) => summarizer.summarize(repair, within))
  const final = await proceed({ ...answers, repair: { segment, draft: draft && withoutPrompt(draft), tally } }, turn)
  if (final.kind === 'reply') return final
  throw new Error('A draft is repaired once.')
}

type Drafts = Segments<ModelDraft | 'degraded'>

/** Failures of the model side. A deadline or a disconnect is not one of them: no client waits for a reply then. */
const MODEL_PROBLEMS = new Set(['model-failed', 'model-misconfigured', 'prompt-too-large'])

/**
 * Summarizes the segments in parallel. If one fails for good, the other one is cancelled: it is of no use alone.
 * @throws the error of the first segment that failed
 */
async function summarizeSegments(
  summarizer: ModelSummarizer,
  { history, turnPrefix }: Segments<SummaryTask>,
  budget: CallBudget,
): Promise<Drafts> {
  const failed = new AbortController()
  const signal = anyOf(budget.signal, failed.signal)
  const tasks = [history, turnPrefix].filter((task) => task !== undefined)
  const listen = joinProgress(tasks.length, budget.onProgress)
  const summarize = async (task: SummaryTask): Promise<ModelDraft | 'degraded'> => {
    const { onProgress, finish } = listen(tasks.indexOf(task))
    try {
      const draft = await summarizer.summarize(task, { ...budget, signal, onProgress })
      finish()
      return draft
    } catch (error) {
      const isModelProblem = error instanceof Problem && MODEL_PROBLEMS.has(error.type)
      if (summarizer.onFailure === 'embedded' && isModelProblem) return 'degraded'
      failed.abort(error)
      throw error
    }
  }
  // allSettled: a cancelled task must not become an unhandled rejection, nor outlive this call.
  const [first, second] = await Promise.allSettled([history && summarize(history), turnPrefix && summarize(turnPrefix)])
  if (failed.signal.aborted) throw failed.signal.reason
  return {
    ...(first.status === 'fulfilled' && first.value ? { history: first.value } : {}),
    ...(second.status === 'fulfilled' && second.value ? { turnPrefix: second.value } : {}),
  }
}

/** A job needs no prompts: they would only be copied. */
function withoutPrompts(drafts: Drafts): Answers['drafts'] {
  return Object.fromEntries(
    Object.entries(drafts).map(([segment, draft]: [string, ModelDraft | 'degraded']) => [
      segment,
      draft === 'degraded' ? draft : withoutPrompt(draft),
    ]),
  )
}

const withoutPrompt = ({ lastPrompt: _prompt, ...draft }: ModelDraft): Draft => draft

const hasPrompt = (draft: ModelDraft | 'degraded'): boolean => draft === 'degraded' || draft.lastPrompt !== undefined

/** Returns the task of a repair: the prompt of the draft, and after it the demand. */
function repairTask(
  task: SummaryTask | undefined,
  draft: ModelDraft | 'degraded' | undefined,
  { demand, demandTokens }: RepairDemand,
): SummaryTask {
  const last = typeof draft === 'object' ? draft.lastPrompt : undefined
  if (task === undefined || last === undefined) throw new Error('Only drafts of models are repaired.')
  const { chunking: _chunking, ...whole } = task
  return withPrompt(whole, {
    prompt: Buffer.concat([last.prompt, Buffer.from(demand)]),
    promptTokens: last.promptTokens + demandTokens,
  })
}

/** The share of the remaining time that a repair must leave for sending the reply. */
const RESERVED_SHARE = 0.1

/** @returns undefined when the call fails, or does not finish within the time that it may use */
async function tryInTime<T>(
  budget: CallBudget,
  startTimer: StartTimer,
  run: (within: CallBudget) => Promise<T>,
): Promise<T | undefined> {
  const leftMs = (budget.deadlineAt - Date.now()) * (1 - RESERVED_SHARE)
  const tooLate = new AbortController()
  const stop = startTimer(() => {
    tooLate.abort()
  }, leftMs)
  const signal = anyOf(budget.signal, tooLate.signal)
  try {
    return await run({ ...budget, signal, deadlineAt: Date.now() + leftMs })
  } catch {
    // The first draft stays, whatever failed, unless the client is gone. The time limit above keeps the deadline from passing here.
    budget.signal.throwIfAborted()
    return undefined
  } finally {
    stop()
  }
}
