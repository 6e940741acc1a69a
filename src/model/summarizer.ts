import type { Message } from '../session/message.ts'

/** Which kind of text is asked for: it decides the prompt files used, and the embedded summarizer's layout. */
export type SummaryKind = 'history' | 'turn-prefix' | 'continuation' | 'branch' | 'handoff' | 'prompt'

/** What a task summarizes, for a summarizer that works on data and not on a prompt. */
export type SummarySource =
  { form: 'messages'; messages: readonly Message[]; previousSummary?: string } | { form: 'prompt'; prompt: string }

/** Where a part stands in the whole transcript; one in the middle is neither. */
export interface Place {
  isFirst: boolean
  isLast: boolean
}

/** How a task is told in parts where its transcript is larger than a model's window. */
export interface Division {
  /** The transcript: what is cut. All else of the prompt stands whole in every part. */
  conversation: string
  /** `message`: cut between labelled blocks alone. `text`: at blank lines, else at lines; its syntax is not known. */
  unit: 'message' | 'text'
  /** The prompt for one part of the transcript. */
  part: (conversation: string, place: Place) => string
  /** The prompt that makes one summary of those of consecutive parts, joined by `joinSummaries`. */
  merge: (summaries: string) => string
}

/** One text to write. `prompt` is whole: all that a model is told beside `systemPrompt`. */
export interface SummaryTask {
  kind: SummaryKind
  systemPrompt?: string
  prompt: string
  /** The most tokens the answer may have, at least 1. */
  maxTokens: number
  source: SummarySource
  /** Left out where the prompt cannot be told in parts. */
  division?: Division
}

/** How long a task may take: it must end, with all of its work, when the signal aborts. */
export interface CallBudget {
  /** Carries the hang-up and the deadline; its reason is what is thrown then. */
  signal: AbortSignal
  /** When the signal will abort for the deadline, in milliseconds since the epoch. */
  deadlineAt: number
}

/** A checked answer: never blank, cut off or refused. */
export interface Draft {
  text: string
  /** The candidate that answered, or `embedded`. */
  model: string
  /** Upstream calls made for it, failed ones included; 0 for the embedded summarizer. */
  calls: number
  usage: { inputTokens: number; outputTokens: number }
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
