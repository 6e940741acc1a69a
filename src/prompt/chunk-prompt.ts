import type { Chunking, Place, SummaryTask } from './task.ts'
import { escapeTags } from './frame-prompt.ts'
import { fillTemplate, type Templates } from './templates.ts'
import { findConversation } from '../session/transcript.ts'
import { estimateTextTokens } from '../tokens/estimate-tokens.ts'
import type { Cooperative } from '../runtime/cooperative.ts'
import { splitConversation } from './split-conversation.ts'

/** What is told beside the usual: about the part it is, or about the summaries to be merged. Empty for the whole. */
export interface Remark {
  text: string
  isChunk: boolean
}

interface ChunkableText extends Pick<Chunking, 'conversation' | 'unit'> {
  /** Writes the prompt around a transcript, or around what stands for one. */
  write: (conversation: string, remark: Remark) => string
}

/** Writes summaries, oldest first, as what stands for their transcript; none can close the tags around them. */
export const joinSummaries = (summaries: readonly string[]): string =>
  summaries
    .map((summary, index) => `--- Part ${index + 1} of ${summaries.length} ---\n\n${escapeTags(summary.trim())}`)
    .join('\n\n')

/** Writes a prompt, and how it is told in parts and merged where it is larger than a model's window. */
export function buildChunkablePrompt(
  { conversation, unit, write }: ChunkableText,
  templates: Templates,
): { prompt: string; chunking: Chunking } {
  const chunking: Chunking = {
    conversation,
    unit,
    chunk: (text, place) =>
      write(text, { text: fillTemplate(templates.chunk, { place: nameOf(place) }), isChunk: true }),
    merge: (summaries) => write(summaries, { text: templates.merge, isChunk: false }),
  }
  return { prompt: write(conversation, { text: '', isChunk: false }), chunking }
}

/** A merge knows neither: what is first or last of a part that was cut again is told of the whole. */
function nameOf({ isFirst, isLast }: Place): string {
  if (isFirst) return 'its beginning'
  return isLast ? 'its end' : 'a part from its middle'
}

/**
 * Tells how a prompt that a client has written is told in chunks: its transcript is cut, and what stands before and
 * after it (system notes, `<previous-summary>`, instructions) is whole in every part and in the merge.
 * @returns undefined for a prompt without conversation tags: what in it may be cut is not known
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

/** How a task is told to a model with a certain window. */
export type Fit =
  | { kind: 'whole'; maxTokens: number }
  /** `parts` are cut from the transcript; each may be answered with `maxTokens`. */
  | { kind: 'chunks'; chunks: string[]; maxTokens: number }
  /** The window has no room for it, cut or not. */
  | { kind: 'none' }

/** How much of what is usable a part takes: an estimate of tokens may be short by the rest. */
const FILL = 0.85

/** What an answer may always claim of the window: a limit above it gives way where the prompt needs the room. */
const OUTPUT_SHARE = 1 / 4

/** Parts are summarized at half the length: what is said of them is merged into one summary of the whole one. */
const PART_OUTPUT_SHARE = 1 / 2

/** A window that leaves less than this to the transcript is too small to be worth a call. */
const MIN_USABLE_TOKENS = 64

/** What a task's prompt takes of a window, the answer apart. */
export const promptTokensOf = ({ systemPrompt = '', prompt }: Pick<SummaryTask, 'systemPrompt' | 'prompt'>): number =>
  estimateTextTokens(systemPrompt) + estimateTextTokens(prompt)

/**
 * Fits a task into a model's context window, which holds prompt and answer.
 * @param windowTokens of the model, in tokens
 */
export function* fitWindow(task: SummaryTask, windowTokens: number): Cooperative<Fit> {
  const roomForAnswer = windowTokens - promptTokensOf(task)
  const leastForAnswer = Math.min(task.maxTokens, Math.floor(windowTokens * OUTPUT_SHARE))
  if (roomForAnswer >= leastForAnswer && roomForAnswer > 0)
    return { kind: 'whole', maxTokens: Math.min(task.maxTokens, roomForAnswer) }
  if (task.chunking === undefined) return { kind: 'none' }
  const { conversation, unit, chunk } = task.chunking
  const maxTokens = Math.max(1, Math.floor(leastForAnswer * PART_OUTPUT_SHARE))
  const around = promptTokensOf({ ...task, prompt: chunk('', { isFirst: false, isLast: false }) })
  const usable = windowTokens - around - maxTokens
  if (usable < MIN_USABLE_TOKENS) return { kind: 'none' }
  const chunks = yield* splitConversation(conversation, { capacityTokens: Math.floor(usable * FILL), unit })
  return { kind: 'chunks', chunks, maxTokens }
}
