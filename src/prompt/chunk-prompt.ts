import type { Chunking, ChunkPosition, SummaryTask } from './task.ts'
import { escapeTags } from './frame-prompt.ts'
import { fillTemplate, type Templates } from './templates.ts'
import { findConversation } from '../session/transcript.ts'
import { estimateTextTokens } from '../tokens/estimate-tokens.ts'
import { splitConversation } from './split-conversation.ts'

/** An additional instruction: for a chunk, or for the summaries to be merged. Empty when the prompt is whole. */
export interface Remark {
  text: string
  isChunk: boolean
}

interface ChunkableText extends Pick<Chunking, 'conversation' | 'unit'> {
  /** Returns the prompt around a transcript, or around the summaries that replace it. */
  write: (conversation: string, remark: Remark) => string
}

/**
 * Joins summaries, oldest first, to replace their transcript; their tags are escaped, so none closes the tags around
 * them.
 */
export const joinSummaries = (summaries: readonly string[]): string =>
  summaries
    .map((summary, index) => `--- Part ${index + 1} of ${summaries.length} ---\n\n${escapeTags(summary.trim())}`)
    .join('\n\n')

/** Returns a prompt, and how it is split and merged when it is larger than a model's window. */
export function buildChunkablePrompt(
  { conversation, unit, write }: ChunkableText,
  templates: Templates,
): { prompt: string; chunking: Chunking } {
  const chunking: Chunking = {
    conversation,
    unit,
    chunk: (text, position) =>
      write(text, { text: fillTemplate(templates.chunk, { place: nameOf(position) }), isChunk: true }),
    merge: (summaries) => write(summaries, { text: templates.merge, isChunk: false }),
  }
  return { prompt: write(conversation, { text: '', isChunk: false }), chunking }
}

/** Returns the words for a position. The first piece of a chunk that is split again is called the beginning, too. */
function nameOf({ isFirst, isLast }: ChunkPosition): string {
  if (isFirst) return 'its beginning'
  return isLast ? 'its end' : 'a part from its middle'
}

/**
 * Returns how a client's own prompt is split: the transcript is, and what is before and after it (system notes,
 * `<previous-summary>`, instructions) is complete in every chunk and in the merge.
 * @returns undefined for a prompt without conversation tags, since it is unknown what may be split
 */
export function chunkClientPrompt(prompt: string, templates: Templates): Chunking | undefined {
  const found = findConversation(prompt)
  if (found === undefined) return undefined
  const before = prompt.slice(0, found.start)
  const after = prompt.slice(found.end)
  const write = (text: string, remark: { text: string }): string =>
    [`${before}\n${text.trim()}\n${after}`, remark.text].filter(Boolean).join('\n\n')
  const conversation = prompt.slice(found.start, found.end)
  return buildChunkablePrompt({ conversation, unit: 'text', write }, templates).chunking
}

/** How a task fits into a model's window. */
export type Fit =
  | { kind: 'whole'; maxTokens: number }
  /** `chunks` of the transcript; each has the output limit `maxTokens`. */
  | { kind: 'chunks'; chunks: string[]; maxTokens: number }
  /** The window is too small, even for a chunk. */
  | { kind: 'none' }

/** The share of the usable tokens that a chunk takes: token estimates may be too low by the rest. */
const FILL_SHARE = 0.85

/** The share of the window that an answer always gets: a higher limit is lowered when the prompt needs the room. */
const OUTPUT_SHARE = 1 / 4

/** Chunks get half of the output limit, since their summaries are merged into one of the whole limit. */
const CHUNK_OUTPUT_SHARE = 1 / 2

/** A window that leaves less than this to the transcript is not worth a call. */
const MIN_USABLE_TOKENS = 64

/** Returns the estimated tokens of a task's prompts, without the answer. */
export const promptTokensOf = ({ systemPrompt = '', prompt }: Pick<SummaryTask, 'systemPrompt' | 'prompt'>): number =>
  estimateTextTokens(systemPrompt) + estimateTextTokens(prompt)

/**
 * Returns how a task fits into a model's context window, which prompt and answer share.
 * @param windowTokens the window
 */
export function fitWindow(task: SummaryTask, windowTokens: number): Fit {
  const roomForAnswer = windowTokens - promptTokensOf(task)
  const leastForAnswer = Math.min(task.maxTokens, Math.floor(windowTokens * OUTPUT_SHARE))
  if (roomForAnswer >= leastForAnswer && roomForAnswer > 0)
    return { kind: 'whole', maxTokens: Math.min(task.maxTokens, roomForAnswer) }
  if (task.chunking === undefined) return { kind: 'none' }
  const { conversation, unit, chunk } = task.chunking
  const maxTokens = Math.max(1, Math.floor(leastForAnswer * CHUNK_OUTPUT_SHARE))
  const around = promptTokensOf({ ...task, prompt: chunk('', { isFirst: false, isLast: false }) })
  const usable = windowTokens - around - maxTokens
  if (usable < MIN_USABLE_TOKENS) return { kind: 'none' }
  const chunks = splitConversation(conversation, { capacityTokens: Math.floor(usable * FILL_SHARE), unit })
  return { kind: 'chunks', chunks, maxTokens }
}
