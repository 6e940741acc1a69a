import { findConversation } from '../session/transcript.ts'
import { escapeTags, type PromptFrame } from './frame-prompt.ts'
import { splitHere } from './split-conversation.ts'
import {
  frameTokensOf,
  withPrompt,
  type ChunkFrame,
  type ChunkPlace,
  type PromptText,
  type SummaryTask,
} from './task.ts'
import { fillTemplate, type Templates } from './templates.ts'

/** An additional instruction: for a chunk, or for the summaries to be merged. Empty when the prompt is whole. */
export interface Remark {
  text: string
  isChunk: boolean
}

const NO_REMARK: Remark = { text: '', isChunk: false }

interface ChunkableText {
  /** The transcript, as it is in the prompt. */
  conversation: string
  unit: 'message' | 'text'
  /** Returns the text around a transcript, or around the summaries that replace it. */
  frame: (remark: Remark) => PromptFrame
}

/** Returns a prompt, and how it is split and merged when it is larger than a model's window. */
export function buildChunkablePrompt({ conversation, unit, frame }: ChunkableText, templates: Templates): PromptText {
  const whole = frame(NO_REMARK)
  return {
    prompt: whole.before + conversation + whole.after,
    split: {
      unit,
      transcript: { start: whole.before.length, end: whole.before.length + conversation.length },
      frame: frameChunks({ whole, frame }, templates),
    },
  }
}

/**
 * Returns how a client's own prompt is split: the transcript is, and what is before and after it (system notes,
 * `<previous-summary>`, instructions) is complete in every chunk and in the merge. A prompt without conversation tags is
 * not split, since it is unknown which part may be.
 */
export function chunkClientPrompt(prompt: string, templates: Templates): PromptText {
  const transcript = findConversation(prompt)
  if (transcript === undefined) return { prompt }
  const before = `${prompt.slice(0, transcript.start)}\n`
  const after = `\n${prompt.slice(transcript.end)}`
  const frame = ({ text }: Remark): PromptFrame => ({ before, after: [after, text].filter(Boolean).join('\n\n') })
  return { prompt, split: { unit: 'text', transcript, frame: frameChunks({ whole: { before }, frame }, templates) } }
}

/** The text before a transcript is the same in all prompts. */
function frameChunks(
  { whole, frame }: Pick<ChunkableText, 'frame'> & { whole: Pick<PromptFrame, 'before'> },
  templates: Templates,
): ChunkFrame {
  const place = (name: string): string =>
    frame({ text: fillTemplate(templates.chunk, { place: name }), isChunk: true }).after
  return {
    before: whole.before,
    after: {
      beginning: place('its beginning'),
      middle: place('a part from its middle'),
      end: place('its end'),
      merge: frame({ text: templates.merge, isChunk: false }).after,
    },
  }
}

interface Transcript {
  text: string
  /** Its estimated tokens. */
  tokens: number
  place: ChunkPlace
}

/** Returns a task with another transcript: one chunk of its own, or the summaries of all chunks. */
export function withTranscript(task: SummaryTask, { text, tokens, place }: Transcript): SummaryTask {
  const { chunking, systemPrompt } = task
  if (chunking === undefined) throw new Error('A task without a chunking has no chunks.')
  // Summaries that are too long are split in the same way, and each part of them is for the merge.
  const isMerge = place === 'merge'
  const frame = isMerge ? frameOfMerge(chunking.frame) : chunking.frame
  const frameTokens = isMerge ? frameTokensOf(frame, place, systemPrompt) : chunking.frameTokens
  const start = Buffer.byteLength(frame.before)
  return withPrompt(task, {
    prompt: Buffer.from(frame.before + text + frame.after[place]),
    promptTokens: frameTokens + tokens,
    chunking: {
      start,
      end: start + Buffer.byteLength(text),
      unit: isMerge ? 'text' : chunking.unit,
      frame,
      frameTokens,
    },
  })
}

const frameOfMerge = ({ before, after: { merge } }: ChunkFrame): ChunkFrame => ({
  before,
  after: { beginning: merge, middle: merge, end: merge, merge },
})

/**
 * Joins summaries, oldest first, to replace their transcript; their tags are escaped, so none closes the tags around
 * them.
 */
export const joinSummaries = (summaries: readonly string[]): string =>
  summaries
    .map((summary, index) => `--- Part ${index + 1} of ${summaries.length} ---\n\n${escapeTags(summary.trim())}`)
    .join('\n\n')

/** How a task fits into a model's window. */
export type Fit =
  | { kind: 'whole'; maxTokens: number }
  /** The transcript is split into chunks of at most `capacityTokens`; each answer has the limit `maxTokens`. */
  | { kind: 'split'; capacityTokens: number; maxTokens: number }
  /** The window is too small, even for a chunk. */
  | { kind: 'none' }

/** The share of the usable tokens that a transcript or a chunk takes: token estimates may be too low by the rest. */
const FILL_SHARE = 0.85

/** The share of the window that an answer always gets: a higher limit is lowered when the prompt needs the room. */
const OUTPUT_SHARE = 1 / 4

/** Chunks get half of the output limit, since their summaries are merged into one of the whole limit. */
const CHUNK_OUTPUT_SHARE = 1 / 2

/** A window that leaves less than this to the transcript is not worth a call. */
const MIN_USABLE_TOKENS = 64

/** More parts of a transcript than these cost more for their instructions, and for their merge, than they add. */
const MAX_CHUNKS = 8

/**
 * Returns the tokens that a transcript may have for a context window, in which it is read in parts.
 * @param task the task with an empty transcript
 * @param windowTokens default: no limit
 */
export const roomForTranscript = (task: SummaryTask, windowTokens = Infinity): number =>
  Math.max(MIN_USABLE_TOKENS, MAX_CHUNKS * roomForChunk(task, windowTokens).capacityTokens)

/** Returns how large the chunks of a task and their summaries may be, by its empty prompt or by that of a chunk. */
function roomForChunk(
  { promptTokens, maxTokens, chunking }: SummaryTask,
  windowTokens: number,
): { capacityTokens: number; maxTokens: number } {
  const leastForAnswer = Math.min(maxTokens, Math.floor(windowTokens * OUTPUT_SHARE))
  const chunkTokens = Math.max(1, Math.floor(leastForAnswer * CHUNK_OUTPUT_SHARE))
  const usable = windowTokens - (chunking?.frameTokens ?? promptTokens) - chunkTokens
  return { capacityTokens: usable < MIN_USABLE_TOKENS ? 0 : Math.floor(usable * FILL_SHARE), maxTokens: chunkTokens }
}

/**
 * Returns how a task fits into a model's context window, which prompt and answer share.
 * @param windowTokens the window
 */
export function fitWindow(task: SummaryTask, windowTokens: number): Fit {
  const { promptTokens, maxTokens, chunking } = task
  const roomForAnswer = windowTokens - promptTokens
  const leastForAnswer = Math.min(maxTokens, Math.floor(windowTokens * OUTPUT_SHARE))
  if (roomForAnswer >= leastForAnswer && roomForAnswer > 0)
    return { kind: 'whole', maxTokens: Math.min(maxTokens, roomForAnswer) }
  if (chunking === undefined) return { kind: 'none' }
  const chunk = roomForChunk(task, windowTokens)
  return chunk.capacityTokens === 0 ? { kind: 'none' } : { kind: 'split', ...chunk }
}

/**
 * Measures what will be sent to a summarizer.
 * @param windowTokens its context window; undefined when it has no limit (the embedded summarizer)
 * @returns `windows`: the number of chunks, without merges; `promptTokens`: the tokens of the prompts before splitting
 */
export function measureTasks(
  tasks: readonly SummaryTask[],
  windowTokens: number | undefined,
): { windows: number; promptTokens: number } {
  const sum = (count: (task: SummaryTask) => number): number => tasks.reduce((total, task) => total + count(task), 0)
  return {
    windows: windowTokens === undefined ? 1 : sum((task) => countChunks(task, windowTokens)),
    promptTokens: sum(({ promptTokens }) => promptTokens),
  }
}

function countChunks(task: SummaryTask, windowTokens: number): number {
  const fit = fitWindow(task, windowTokens)
  if (fit.kind !== 'split' || task.chunking === undefined) return 1
  const { start, end, unit } = task.chunking
  return splitHere(task.prompt.subarray(start, end), { capacityTokens: fit.capacityTokens, unit }).length
}
