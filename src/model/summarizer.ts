import type { Message } from '../session/message.ts'
import type { Tally } from './tally.ts'

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

/** A message of a chat, as it goes to a model. */
export interface ChatTurn {
  role: 'system' | 'user' | 'assistant'
  content: string
}

/** One text to write. `prompt` is whole: all that a model is told beside `systemPrompt`. */
export interface SummaryTask {
  kind: SummaryKind
  systemPrompt?: string
  prompt: string
  /** The prompt as messages, where a client has sent several: a model that is asked for all at once is told these. */
  turns?: readonly ChatTurn[]
  /** The most tokens the answer may have, at least 1. */
  maxTokens: number
  source: SummarySource
  /** Left out where the prompt cannot be told in parts. */
  division?: Division
}

/** The same task with another prompt: a part, a merge, a repair. */
export const retellTask = ({ turns: _turns, ...task }: SummaryTask, retold: Partial<SummaryTask>): SummaryTask => ({
  ...task,
  ...retold,
})

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
  enter: (signal: AbortSignal) => Promise<void>
  /** Keeps the place while work is under way that others may wait for too; the returned function lets it go. */
  hold: () => () => void
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
