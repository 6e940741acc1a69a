import { createHash } from 'node:crypto'
import type { PairedMessages } from '../extract/runs.ts'
import type { SessionWork } from '../extract/work-item.ts'
import type { ParsedSummary } from '../text/summary-parts.ts'
import { estimateTextTokens } from '../tokens/estimate-tokens.ts'

/** One value for each segment of a compaction that has new text; a split turn has both. */
export interface Segments<T> {
  history?: T
  turnPrefix?: T
}

/** Returns the segments that there are, each with another value. */
export const mapSegments = <T, R>({ history, turnPrefix }: Segments<T>, change: (value: T) => R): Segments<R> => ({
  ...(history !== undefined && { history: change(history) }),
  ...(turnPrefix !== undefined && { turnPrefix: change(turnPrefix) }),
})

/** The kind of text to write: it selects the prompt files and the embedded summarizer's layout. */
export type SummaryKind = 'history' | 'turn-prefix' | 'continuation' | 'branch' | 'handoff' | 'prompt'

/** The data that a task summarizes, for the embedded summarizer, which does not read prompts. */
export type SummarySource = MessagesSource | { form: 'prompt'; prompt: string }

interface MessagesSource extends PairedMessages {
  form: 'messages'
  previousSummary?: string
  /** Its statements, if they are known already. */
  previousParts?: ParsedSummary
  /** The parts of the previous summary that code adds to the text: the user's messages and evidence. */
  carriedTokens?: number
  work?: SessionWork
}

/** A message of a chat, as it is sent to a model. */
export interface ChatTurn {
  role: 'system' | 'user' | 'assistant'
  content: string
}

/** The place of a transcript in a prompt that does not have all of it: a chunk, or the summaries of all chunks. */
export type ChunkPlace = 'beginning' | 'middle' | 'end' | 'merge'

/** The text around a transcript in the prompts of its chunks and of their merge. */
export interface ChunkFrame {
  before: string
  after: Readonly<Record<ChunkPlace, string>>
}

/** How a task is split into chunks when its transcript is larger than a model's window. */
export interface Chunking {
  /** Where the transcript, which is split, begins and ends in the prompt: byte offsets. */
  start: number
  end: number
  /**
   * `message`: split only between labelled blocks. `text`: at blank lines or else at lines, since the syntax is
   * unknown.
   */
  unit: 'message' | 'text'
  frame: ChunkFrame
  /** The estimated tokens of a chunk's prompts without its transcript. */
  frameTokens: number
}

/**
 * One text to write, as plain data. `prompt` is complete: a model gets nothing else but `systemPrompt`. Long texts are
 * UTF-8: their size in memory is known, and they cross process boundaries without being parsed.
 */
export interface SummaryTask {
  kind: SummaryKind
  systemPrompt?: string
  prompt: Buffer
  /** The estimated tokens of `systemPrompt` and `prompt`. */
  promptTokens: number
  /** The prompt as separate messages, for a client's chat: `ChatTurn[]` as JSON, sent unless the prompt is split. */
  turns?: Buffer
  /** The output limit in tokens, at least 1. */
  maxTokens: number
  /** Left out when the prompt cannot be split. */
  chunking?: Chunking
  /** Whether the answer must have sections. A prompt of a client may ask for any form. */
  asksForSections?: boolean
  /** A hash of the texts: equal tasks have equal digests, and the texts cannot be read from it. */
  digest: string
}

export interface PromptText {
  prompt: string
  /** Left out when the prompt cannot be split. */
  split?: Pick<Chunking, 'unit' | 'frame'> & {
    /** Where the transcript is in the prompt: UTF-16 offsets. */
    transcript: { start: number; end: number }
  }
}

interface TaskText extends PromptText {
  kind: SummaryKind
  systemPrompt?: string | undefined
  turns?: readonly ChatTurn[]
  maxTokens: number
}

/** Creates a task from its texts. */
export function createTask({ kind, systemPrompt, prompt, split, turns, maxTokens }: TaskText): SummaryTask {
  const bytes = Buffer.from(prompt)
  const task = {
    kind,
    ...(systemPrompt === undefined ? {} : { systemPrompt }),
    prompt: bytes,
    promptTokens: promptTokensOf({ systemPrompt, prompt }),
    ...(turns === undefined ? {} : { turns: Buffer.from(JSON.stringify(turns)) }),
    maxTokens,
    ...(split === undefined ? {} : { chunking: chunkingOf({ prompt, bytes }, split, systemPrompt) }),
  }
  return { ...task, digest: digestOf(task) }
}

function chunkingOf(
  { prompt, bytes }: { prompt: string; bytes: Buffer },
  { unit, frame, transcript }: NonNullable<PromptText['split']>,
  systemPrompt: string | undefined,
): Chunking {
  const start = Buffer.byteLength(prompt.slice(0, transcript.start))
  const end = bytes.length - Buffer.byteLength(prompt.slice(transcript.end))
  return { start, end, unit, frame, frameTokens: frameTokensOf(frame, 'middle', systemPrompt) }
}

/** Returns the estimated tokens of a chunk's prompts without its transcript. */
export const frameTokensOf = ({ before, after }: ChunkFrame, place: ChunkPlace, systemPrompt?: string): number =>
  promptTokensOf({ systemPrompt, prompt: before + after[place] })

/** Returns the estimated tokens of a task's prompts, without the answer. */
export const promptTokensOf = ({ systemPrompt = '', prompt }: Pick<TaskText, 'systemPrompt' | 'prompt'>): number =>
  estimateTextTokens(systemPrompt) + estimateTextTokens(prompt)

/** A task with another prompt has no separate messages any more: for a chunk, a merge or a repair. */
export function withPrompt(
  { turns: _turns, ...task }: SummaryTask,
  changes: Pick<SummaryTask, 'prompt' | 'promptTokens'> & Partial<Pick<SummaryTask, 'chunking' | 'maxTokens'>>,
): SummaryTask {
  const changed = { ...task, ...changes }
  return { ...changed, digest: digestOf(changed) }
}

/** With their lengths, two different lists of texts never become the same input. */
function digestOf({ kind, systemPrompt = '', prompt, turns = EMPTY, chunking }: Omit<SummaryTask, 'digest'>): string {
  const hash = createHash('sha256')
  for (const text of [kind, chunking?.unit ?? '', systemPrompt, prompt, turns])
    hash.update(`${Buffer.byteLength(text)}:`).update(text)
  return hash.digest('base64url')
}

const EMPTY = Buffer.alloc(0)
