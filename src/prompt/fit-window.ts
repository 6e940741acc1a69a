import type { SummaryTask } from '../model/summarizer.ts'
import { estimateTextTokens } from '../plan/estimate-tokens.ts'
import type { Steps } from '../steps.ts'
import { splitConversation } from './split-conversation.ts'

/** How a task is told to a model with a certain window. */
export type Fit =
  | { kind: 'whole'; maxTokens: number }
  /** `parts` are cut from the transcript; each may be answered with `maxTokens`. */
  | { kind: 'parts'; parts: string[]; maxTokens: number }
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

/**
 * Fits a task into a model's context window, which holds prompt and answer.
 * @param windowTokens of the model, in tokens
 */
export function* fitWindow(task: SummaryTask, windowTokens: number): Steps<Fit> {
  const roomForAnswer = windowTokens - promptTokensOf(task)
  const leastForAnswer = Math.min(task.maxTokens, Math.floor(windowTokens * OUTPUT_SHARE))
  if (roomForAnswer >= leastForAnswer && roomForAnswer > 0)
    return { kind: 'whole', maxTokens: Math.min(task.maxTokens, roomForAnswer) }
  if (task.division === undefined) return { kind: 'none' }
  const { conversation, unit, part } = task.division
  const maxTokens = Math.max(1, Math.floor(leastForAnswer * PART_OUTPUT_SHARE))
  const around = promptTokensOf({ ...task, prompt: part('', { isFirst: false, isLast: false }) })
  const usable = windowTokens - around - maxTokens
  if (usable < MIN_USABLE_TOKENS) return { kind: 'none' }
  const parts = yield* splitConversation(conversation, { capacityTokens: Math.floor(usable * FILL), unit })
  return { kind: 'parts', parts, maxTokens }
}

/** What a task's prompt takes of a window, the answer apart. */
export const promptTokensOf = ({ systemPrompt = '', prompt }: Pick<SummaryTask, 'systemPrompt' | 'prompt'>): number =>
  estimateTextTokens(systemPrompt) + estimateTextTokens(prompt)
