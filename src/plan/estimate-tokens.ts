import { bashExecutionText } from '../session/bash-execution-text.ts'
import type { ContentBlock, Message } from '../session/message.ts'
import { wrapBranchSummary, wrapCompactionSummary } from '../session/wrap-summary.ts'

/** What one image costs: the fixed figure that pi and oh-my-pi count for it. */
export const IMAGE_TOKENS = 1200

/** Characters of ordinary text that make one token, by the rule of thumb that pi, oh-my-pi and OpenAI's help page share. */
const CHARACTERS_PER_TOKEN = 4

/**
 * Estimates the tokens of a text. The one place where the estimator lives: all other counts are sums of this.
 * @param text any text; its length is counted in UTF-16 units
 * @returns tokens, an integer of at least 0
 */
export function estimateTextTokens(text: string): number {
  return Math.ceil(text.length / CHARACTERS_PER_TOKEN)
}

/**
 * Estimates the tokens that a message takes in a model's context, as `/context` writes it there: its text, thinking,
 * tool names, arguments as JSON, a summary with the words around it, and 1200 for each image.
 * @returns tokens, an integer of at least 0
 */
export function estimateMessageTokens(message: Message): number {
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
