import { bashExecutionText, wrapBranchSummary, wrapCompactionSummary } from '../session/message-text.ts'
import type { ContentBlock, Message } from '../session/message.ts'
import { sumBoundaries } from './estimate-text.ts'

/** What one image costs: the fixed figure that pi and oh-my-pi count for it. */
const IMAGE_TOKENS = 1200

/**
 * Estimates the tokens of a text, as OpenAI's o200k_base would cut it: within a few percent for prose, code, tool output,
 * JSON, Chinese, Japanese and Russian (bench/RESULTS.md, "tokens"), at some fifty times a tokenizer's speed. The one place
 * where the estimator lives: all other counts are sums of this.
 * @param text any text
 * @returns tokens, an integer of at least 0, and at least 1 for a text that is not empty
 */
export function estimateTextTokens(text: string): number {
  return text === '' ? 0 : Math.max(1, Math.round(sumBoundaries(text)))
}

/**
 * Estimates the tokens that a message takes in a model's context, as `/context` writes it there: its text, thinking,
 * tool names, arguments as JSON, a summary with the words around it, and 1200 for each image.
 * @returns tokens, an integer of at least 0; those that the message carries, where it does
 */
export function estimateMessageTokens(message: Message): number {
  if (message.tokens !== undefined) return message.tokens
  switch (message.role) {
    case 'bashExecution':
      return estimateTextTokens(bashExecutionText(message))
    case 'branchSummary':
      return estimateTextTokens(wrapBranchSummary(message.summary))
    case 'compactionSummary':
      return estimateTextTokens(wrapCompactionSummary(message.summary))
    default:
      return message.content.reduce((sum, block) => sum + estimateBlockTokens(block), 0)
  }
}

function estimateBlockTokens(block: ContentBlock): number {
  switch (block.type) {
    case 'text':
      return estimateTextTokens(block.text)
    case 'thinking':
      return estimateTextTokens(block.thinking)
    case 'toolCall':
      return estimateTextTokens(block.name) + estimateArgumentTokens(block.arguments)
    case 'image':
      return IMAGE_TOKENS
  }
}

function estimateArgumentTokens(value: unknown): number {
  try {
    return estimateTextTokens(JSON.stringify(value))
  } catch {
    // Reading JSON has no limit of depth, writing it has the stack's: only a hostile body comes here.
    return 0
  }
}
