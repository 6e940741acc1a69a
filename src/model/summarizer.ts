import { repeatedParameter, wrongParameter } from '../errors.ts'
import type { SummaryTask } from '../prompt/task.ts'

/** The limits and listeners of one request. All work for a task must end when the signal aborts. */
export interface CallBudget {
  /** Aborts on a disconnect or at the deadline; its reason is what the summarizer throws then. */
  signal: AbortSignal
  /** When the signal will abort for the deadline, in milliseconds since the epoch. */
  deadlineAt: number
  /** Counts the request's calls, so that they are known even when the task fails; without it, each task has its own. */
  tally?: Tally
  /** The request's slot in the service's admission; without it, no slot is needed. */
  slot?: Slot
  /** Of a summary that no request waits for: it has the places that requests leave. Aborts once a request waits for it. */
  wanted?: AbortSignal | undefined
  /** Identifies the service token: equal work is shared only among requests with the same one. */
  tokenDigest?: string
  onProgress?: (progress: Progress) => void
  /** Replaces the secrets of the request in texts that a model wrote, before they go into another prompt. */
  redact?: (texts: readonly string[]) => Promise<RedactedTexts>
  /** Receives each call of a model when it begins, as one that was aborted, and when it has ended. */
  onCall?: (call: CallFacts) => void
}

/** How a call of a model ended, for the log line of its request. */
export interface CallFacts {
  model: string
  /** `begun`, or as in the metrics. */
  outcome: string
  /** Whether another request with equal work has caused it. */
  isJoined?: boolean
  /** The HTTP status of a failure. */
  status?: number | undefined
  /** The smaller window that the server has shown, in tokens. */
  learnedWindowTokens?: number
  /** Why the answer ended, as the model server reports it. */
  finishReason?: string
}

/** The budget of one task. Its tally counts calls and tokens over all candidates, failed calls included. */
export type TaskBudget = CallBudget & Required<Pick<CallBudget, 'tally'>>

/** Texts without secrets, and how many were replaced. */
export interface RedactedTexts {
  texts: readonly string[]
  redactions: number
}

/** A request's slot in the service. It is free again when the request has ended and no work retains it. */
export interface Slot {
  /**
   * Waits for the slot, once for all of the request's work.
   * @param wanted as in `CallBudget`
   * @throws Problem `overloaded` when the queue is full; the signal's reason when that aborts first
   */
  acquire: (signal: AbortSignal, wanted?: AbortSignal) => Promise<void>
  /** Keeps the slot while shared work is in flight; the returned function releases it. */
  retain: () => () => void
}

/** The progress of a request. */
export interface Progress {
  /** Finished model calls. */
  done: number
  /** Model calls that are known to be needed. */
  total: number
  phase: 'summarize' | 'merge' | 'repair'
}

/** A text for an assignment, not yet compared with its input. */
export interface Draft extends Tally {
  text: string
  /** The candidate that wrote it, or `embedded`. */
  model: string
  /** Number of chunks that were summarized; merges do not count. */
  chunks: number
  /** True when the embedded summarizer wrote it because the model had failed. */
  isDegraded?: boolean
}

/** A model's text: never blank, cut off or refused. */
export interface ModelDraft extends Draft {
  /** The prompt of the last call, on which a repair is built, and its estimated tokens; without it, none is tried. */
  lastPrompt?: Pick<SummaryTask, 'prompt' | 'promptTokens'>
}

/**
 * The port of model servers. `summarize` throws a `Problem` (`model-failed`, `model-misconfigured`, `prompt-too-large`)
 * when it has no draft, and the signal's reason when that aborts; all of its work must end then.
 */
export interface ModelSummarizer {
  readonly name: 'openai'
  /** `embedded`: code writes an extract when every candidate has failed, which is marked as degraded. */
  readonly onFailure: 'error' | 'embedded'
  /** Receives why every candidate has failed, as a sentence, when code writes instead. */
  readonly onDegraded?: ((why: string) => void) | undefined
  /** The names of the candidates, in their order. */
  readonly candidates?: readonly string[]
  /** Returns the context window of the first candidate, in tokens. */
  windowTokens(): number
  /** Returns the summarizer that asks one candidate only; undefined if it is not configured. */
  only?(model: string): ModelSummarizer | undefined
  summarize(task: SummaryTask, budget: CallBudget): Promise<ModelDraft>
  /** Returns the model server if the last call did not reach it. */
  unreachable?(): UnreachableServer | undefined
}

/** A model server to which no connection was established. */
export interface UnreachableServer {
  /** Its name or address, with the port if the URL has one. */
  host: string
  /** The code of the error, such as `ECONNREFUSED`. */
  cause: string
}

/** No model: code writes extracts (`embedded/`), where the session is read. */
interface EmbeddedSummarizer {
  readonly name: 'embedded'
  /** Returns the window that a plan shows, in tokens; extracts have no limit. */
  windowTokens(): number
}

export type Summarizer = ModelSummarizer | EmbeddedSummarizer

/** The calls and tokens of a task, with those of failed calls. */
export interface Tally {
  calls: number
  usage: { inputTokens: number; outputTokens: number }
  /** Secrets that were replaced in what models wrote. */
  redactions: number
}

export const emptyTally = (): Tally => ({ calls: 0, usage: { inputTokens: 0, outputTokens: 0 }, redactions: 0 })

/** Adds one tally to another. */
export function addTally(tally: Tally, { calls, usage, redactions }: Tally): void {
  tally.calls += calls
  tally.usage.inputTokens += usage.inputTokens
  tally.usage.outputTokens += usage.outputTokens
  tally.redactions += redactions
}

/**
 * Returns the context window that prompts must fit, in tokens; undefined for the embedded summarizer, which has none.
 */
export const windowLimitOf = (summarizer: Pick<Summarizer, 'name' | 'windowTokens'>): number | undefined =>
  summarizer.name === 'embedded' ? undefined : summarizer.windowTokens()

/**
 * Returns the summarizer that a request chooses: a candidate of the configuration, or `embedded`.
 * @throws Problem `invalid-request` if there is no such candidate
 */
export function chooseSummarizer(summarizer: Summarizer, candidate: unknown): Summarizer {
  if (candidate === undefined) return summarizer
  if (candidate === 'embedded') return { name: 'embedded', windowTokens: () => summarizer.windowTokens() }
  const chosen =
    summarizer.name === 'embedded' || typeof candidate !== 'string' ? undefined : summarizer.only?.(candidate)
  if (chosen !== undefined) return chosen
  if (Array.isArray(candidate)) throw repeatedParameter('candidate', candidate)
  throw wrongParameter('candidate', 'must be a model of PRECIS_MODEL, or `embedded`')
}
