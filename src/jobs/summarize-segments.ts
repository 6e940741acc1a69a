import { Problem } from '../errors.ts'
import type { CallBudget, ModelDraft, ModelSummarizer, Progress } from '../model/summarizer.ts'
import type { Segments, SummaryTask } from '../prompt/task.ts'
import { anyOf, startTimer as startRealTimer, type StartTimer } from '../runtime/abort.ts'
import { describeLateWriters } from '../text/late-writers.ts'

export type Drafts = Segments<ModelDraft | 'degraded'>

/** Failures of the model side. The deadline of the request or a disconnect is not one of them: no client waits for a reply then. */
const MODEL_PROBLEMS = new Set(['model-failed', 'model-misconfigured', 'prompt-too-large'])

/** The share of the remaining time, at most so many milliseconds, that is left for the embedded summarizer. */
const EXTRACT_SHARE = 0.25
const MAX_EXTRACT_MS = 10_000

interface SegmentServices {
  summarizer: ModelSummarizer
  startTimer?: StartTimer | undefined
}

/** Gives models less time than the request has: `stop` must be called at the end. */
interface ModelLimit {
  signal: AbortSignal
  deadlineAt: number
  stop: () => void
}

/**
 * Returns the time limit of models. If the embedded summarizer answers in their place, it has the rest of the time, so that a server
 * that never answers is a failure like any other.
 */
function limitModels(
  { signal, deadlineAt }: CallBudget,
  { onFailure, candidates = ['The model'] }: ModelSummarizer,
  startTimer: StartTimer,
): ModelLimit {
  if (onFailure !== 'embedded') return { signal, deadlineAt, stop: () => undefined }
  const leftMs = Math.max(0, deadlineAt - Date.now())
  const modelMs = leftMs - Math.min(MAX_EXTRACT_MS, leftMs * EXTRACT_SHARE)
  const late = new AbortController()
  const stop = startTimer(
    () => late.abort(new Problem('model-failed', describeLateWriters(candidates, `${Math.round(modelMs)} ms`))),
    modelMs,
  )
  return { signal: anyOf(signal, late.signal), deadlineAt: deadlineAt - leftMs + modelMs, stop }
}

/**
 * Summarizes the segments in parallel. If one fails for good, the other one is cancelled: it is of no use alone.
 * @throws the error of the first segment that failed
 */
export async function summarizeSegments(
  { summarizer, startTimer = startRealTimer }: SegmentServices,
  { history, turnPrefix }: Segments<SummaryTask>,
  budget: CallBudget,
): Promise<Drafts> {
  const failed = new AbortController()
  const limit = limitModels(budget, summarizer, startTimer)
  const signal = anyOf(limit.signal, failed.signal)
  const { deadlineAt } = limit
  const tasks = [history, turnPrefix].filter((task) => task !== undefined)
  const listen = joinProgress(tasks.length, budget.onProgress)
  const summarize = async (task: SummaryTask): Promise<ModelDraft | 'degraded'> => {
    const { onProgress, finish } = listen(tasks.indexOf(task))
    try {
      const draft = await summarizer.summarize(task, { ...budget, signal, deadlineAt, onProgress })
      finish()
      return draft
    } catch (error) {
      const isModelProblem = error instanceof Problem && MODEL_PROBLEMS.has(error.type)
      if (summarizer.onFailure === 'embedded' && isModelProblem) {
        summarizer.onDegraded?.(error.message)
        return 'degraded'
      }
      failed.abort(error)
      throw error
    }
  }
  // allSettled: a cancelled task must not become an unhandled rejection, nor outlive this call.
  const [first, second] = await Promise.allSettled([history && summarize(history), turnPrefix && summarize(turnPrefix)])
  limit.stop()
  if (failed.signal.aborted) throw failed.signal.reason
  return {
    ...(first.status === 'fulfilled' && first.value ? { history: first.value } : {}),
    ...(second.status === 'fulfilled' && second.value ? { turnPrefix: second.value } : {}),
  }
}

/**
 * Returns what makes the listeners of tasks that run at the same time: the client gets the sums, so that its progress never goes
 * back. A task counts as one call until it reports its parts; the end of a task is reported if there are several.
 * @param count the number of tasks
 */
export function joinProgress(count: number, onProgress: ((progress: Progress) => void) | undefined) {
  const parts: Progress[] = Array.from({ length: count }, () => ({ done: 0, total: 1, phase: 'summarize' }))
  const sum = (field: 'done' | 'total'): number => parts.reduce((total, part) => total + part[field], 0)
  const report = (task: number, progress: Progress): void => {
    parts[task] = progress
    onProgress?.({ done: sum('done'), total: sum('total'), phase: progress.phase })
  }
  return (task: number) => ({
    onProgress: (progress: Progress) => report(task, progress),
    finish: (): void => {
      const { total = 1 } = parts[task] ?? {}
      if (count > 1) report(task, { done: total, total, phase: 'summarize' })
    },
  })
}
