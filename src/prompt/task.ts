import type { Message } from '../session/message.ts'

/** One value for each segment of a compaction that has new text; a split turn has both. */
export interface Segments<T> {
  history?: T
  turnPrefix?: T
}

/** The kind of text to write: it selects the prompt files and the embedded summarizer's layout. */
export type SummaryKind = 'history' | 'turn-prefix' | 'continuation' | 'branch' | 'handoff' | 'prompt'

/** The data that a task summarizes, for the embedded summarizer, which does not read prompts. */
export type SummarySource =
  { form: 'messages'; messages: readonly Message[]; previousSummary?: string } | { form: 'prompt'; prompt: string }

/** The position of a chunk in the whole transcript; a chunk in the middle is neither first nor last. */
export interface ChunkPosition {
  isFirst: boolean
  isLast: boolean
}

/** How a task is split into chunks when its transcript is larger than a model's window. */
export interface Chunking {
  /** The transcript, which is split. Every chunk's prompt contains the rest of the prompt completely. */
  conversation: string
  /**
   * `message`: split only between labelled blocks. `text`: at blank lines or else at lines, since the syntax is
   * unknown.
   */
  unit: 'message' | 'text'
  /** Returns the prompt for one chunk of the transcript. */
  chunk: (conversation: string, position: ChunkPosition) => string
  /** Returns the prompt that merges the summaries of consecutive chunks, joined by `joinSummaries`. */
  merge: (summaries: string) => string
}

/** A message of a chat, as it is sent to a model. */
export interface ChatTurn {
  role: 'system' | 'user' | 'assistant'
  content: string
}

/** One text to write. `prompt` is complete: a model gets nothing else but `systemPrompt`. */
export interface SummaryTask {
  kind: SummaryKind
  systemPrompt?: string
  prompt: string
  /** The prompt as separate messages, for a client's chat: sent in place of `prompt` unless the prompt is split. */
  turns?: readonly ChatTurn[]
  /** The output limit in tokens, at least 1. */
  maxTokens: number
  source: SummarySource
  /** Left out when the prompt cannot be split. */
  chunking?: Chunking
}

/** Returns a task with another prompt: for a chunk, a merge or a repair. */
export const withPrompt = ({ turns: _turns, ...task }: SummaryTask, changes: Partial<SummaryTask>): SummaryTask => ({
  ...task,
  ...changes,
})
