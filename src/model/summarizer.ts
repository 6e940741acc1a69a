import type { SummaryTask } from '../prompt/task.ts'

/** How long a task may take: it must end, with all of its work, when the signal aborts. */
export interface CallBudget {
  /** Carries the hang-up and the deadline; its reason is what is thrown then. */
  signal: AbortSignal
  /** When the signal will abort for the deadline, in milliseconds since the epoch. */
  deadlineAt: number
  /** Counts on, so that what was spent is known even where nothing came of it; left out, each task has its own. */
  tally?: Tally
  /** The request's place among those that may have work done; left out, nobody counts. */
  job?: Job
  /** Who asks: equal work is shared among the callers of one service token, and with nobody else. */
  caller?: string
  onProgress?: (progress: Progress) => void
  /** Told why the server of a model says that an answer ended. */
  onFinish?: (finishReason: string) => void
}

/** A request's place in the service. It is given back when the request has ended and nothing is held any more. */
export interface Job {
  /**
   * Waits for the place, once for all of the request's work.
   * @throws Problem `overloaded` where too many wait already; the signal's reason when that aborts first
   */
  acquire: (signal: AbortSignal) => Promise<void>
  /** Keeps the place while work is under way that others may wait for too; the returned function lets it go. */
  retain: () => () => void
}

/** How far a request's work is. */
export interface Progress {
  /** Model calls that are finished, and how many are known to be needed. */
  done: number
  total: number
  phase: 'summarize' | 'merge' | 'repair'
}

/** A checked answer: never blank, cut off or refused. */
export interface Draft extends Tally {
  text: string
  /** The candidate that answered, or `embedded`. */
  model: string
  /** Parts that the task was told in; merges do not count. */
  windows: number
  /** The prompt that was answered last, to build a repair on; left out by the embedded summarizer. */
  prompt?: string
  /** True where the embedded summarizer stood in for a model that had failed. */
  isDegraded?: boolean
}

/**
 * What writes summaries. Throws a `Problem` (`model-failed`, `model-misconfigured`, `prompt-too-large`) when no draft
 * can be had, and the signal's reason when that aborts: it must end all of its work then.
 */
export interface Summarizer {
  readonly name: 'embedded' | 'openai'
  /** The context window of the candidate that is asked first, in tokens. */
  windowTokens(): number
  summarize(task: SummaryTask, budget: CallBudget): Promise<Draft>
}
/** What was spent on a task, failed calls included. */
export interface Tally {
  calls: number
  usage: { inputTokens: number; outputTokens: number }
  /** Secrets that were replaced in what models wrote. */
  redactions: number
}

export const emptyTally = (): Tally => ({ calls: 0, usage: { inputTokens: 0, outputTokens: 0 }, redactions: 0 })

/** Adds what was spent to a tally. */
export function addTally(tally: Tally | undefined, { calls, usage, redactions }: Tally): void {
  if (tally === undefined) return
  tally.calls += calls
  tally.usage.inputTokens += usage.inputTokens
  tally.usage.outputTokens += usage.outputTokens
  tally.redactions += redactions
}

/** The context window that prompts must fit, in tokens; undefined where there is no limit. */
export const windowLimitOf = (summarizer: Pick<Summarizer, 'name' | 'windowTokens'>): number | undefined =>
  summarizer.name === 'embedded' ? undefined : summarizer.windowTokens()
