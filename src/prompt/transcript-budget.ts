import { estimateMessageTokens } from '../tokens/estimate-tokens.ts'
import { measureBlocks } from './fit-budget.ts'
import type { Segments, SummarySource } from './task.ts'
import type { Block } from './transcript-piece.ts'

/** How much of a session a prompt may have. */
export interface TranscriptLimits {
  /** The budget of the transcripts of one summary, in tokens; undefined: it depends on what is summarized. */
  transcriptTokens?: number | undefined
  /** The largest default budget, for messages that are a part of those that a summary is about. */
  partTokens?: number | undefined
  /** The context window that a prompt and its answer must fit, in tokens; undefined without a model. */
  windowLimitTokens: number | undefined
}

/** The budget of spans of usual size: what agents with windows of 128,000 tokens compact. */
export const LEAST_BUDGET_TOKENS = 40_000

/** Spans up to this size get the least budget. */
const USUAL_SPAN_TOKENS = 120_000

/**
 * How the budget grows with longer spans. With an equal budget, a span of 312,000 tokens lost a fifth of the answers that three
 * summaries of its parts gave. A longer session repeats itself, so a budget in proportion would pay for the same facts again.
 * With 3/4, the input stays below three quarters of what other compactors send: in real sessions, they send 41 % to 83 % of a span.
 */
const GROWTH = 3 / 4

const MOST_BUDGET_TOKENS = 200_000

/**
 * Returns the largest default budget of the transcripts of one summary, in tokens. It grows with what is summarized: 40,000 up to 120,000 tokens, 59,000 for 200,000, 134,000 for 600,000, and at most 200,000.
 * @param spanTokens the tokens of the messages to be summarized
 */
export const transcriptBudget = (spanTokens: number): number =>
  Math.min(MOST_BUDGET_TOKENS, Math.round(LEAST_BUDGET_TOKENS * Math.max(1, spanTokens / USUAL_SPAN_TOKENS) ** GROWTH))

/** Other compactors cut each output at so many characters and send all else (pi 1.5.2 and oh-my-pi 18.2.3 do). */
const USUAL_OUTPUT_CHARACTERS = 2000

/** By how much our instructions and the states of the work are longer than the instructions of others, in tokens. */
const OWN_WORDS_TOKENS = 2000

/** As much is always read: of a session of 36,000 tokens, it was worth 3 of 40 points, compared with 6400. */
const LEAST_USUAL_TOKENS = 12_000

/**
 * Returns the budget of transcripts where neither the operator nor the request sets one: with it, prompts are about as long as
 * those of other compactors, or shorter. What long outputs add beyond that is worth 1 of 40 points (eval/RESULTS.md, "The corpus").
 * @param mostTokens the budget of a span of this size (`transcriptBudget`)
 */
export function usualBudget({ history, turnPrefix }: Required<Segments<readonly Block[]>>, mostTokens: number): number {
  const blocks = [...history, ...turnPrefix]
  const tokens = measureBlocks(blocks, mostTokens + OWN_WORDS_TOKENS, USUAL_OUTPUT_CHARACTERS)
  return Math.min(mostTokens, Math.max(tokens - OWN_WORDS_TOKENS, LEAST_USUAL_TOKENS))
}

/** Returns the tokens of the messages that a text is written about. */
export const spanOf = (assignment: { source: SummarySource } | undefined): number =>
  assignment?.source.form === 'messages'
    ? assignment.source.messages.reduce((sum, message) => sum + estimateMessageTokens(message), 0)
    : 0

/** The beginning of a split turn gets what the history leaves, and at least half of the budget if it needs that. */
export function shareBudget(
  blocks: Required<Segments<readonly Block[]>>,
  budgetTokens: number,
): Required<Segments<number>> {
  const left = Math.max(budgetTokens / 2, budgetTokens - measureBlocks(blocks.history, budgetTokens))
  const turnPrefix = Math.min(left, measureBlocks(blocks.turnPrefix, left))
  return { history: budgetTokens - turnPrefix, turnPrefix }
}
