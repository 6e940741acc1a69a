import type { Message } from '../session/message.ts'

/** One value for each span of a compaction that has new text; a split turn has both. */
export interface Segments<T> {
  history?: T
  turnPrefix?: T
}

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

/** How a task is split into chunks when its transcript is larger than a model's window. */
export interface Chunking {
  /** The transcript: what is cut. All else of the prompt stands whole in every chunk. */
  conversation: string
  /** `message`: cut between labelled blocks alone. `text`: at blank lines, else at lines; its syntax is not known. */
  unit: 'message' | 'text'
  /** The prompt for one chunk of the transcript. */
  chunk: (conversation: string, place: Place) => string
  /** The prompt that makes one summary of those of consecutive chunks, joined by `joinSummaries`. */
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
  /** Left out where the prompt cannot be told in chunks. */
  chunking?: Chunking
}

/** The same task with another prompt: a part, a merge, a repair. */
export const retellTask = ({ turns: _turns, ...task }: SummaryTask, retold: Partial<SummaryTask>): SummaryTask => ({
  ...task,
  ...retold,
})
