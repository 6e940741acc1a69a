import { bashExecutionText, wrapBranchSummary, wrapCompactionSummary } from '../session/message-text.ts'
import type { ContentBlock, Message } from '../session/message.ts'
import { sumBoundaries } from './estimate-text.ts'

/** The tokens of one image: the fixed number that pi and oh-my-pi use. */
const IMAGE_TOKENS = 1200

/**
 * Returns an estimate of a text's tokens in OpenAI's o200k_base: within a few percent for prose, code, tool output,
 * JSON, Chinese, Japanese and Russian (bench/RESULTS.md, "tokens"), about fifty times as fast as a tokenizer. All other
 * counts are sums of this one.
 * @returns tokens, an integer of at least 0, and at least 1 for a text that is not empty
 */
export function estimateTextTokens(text: string): number {
  return text === '' ? 0 : Math.max(1, Math.round(sumBoundaries(text)))
}

/**
 * Returns an estimate of a message's tokens in a model's context, as `/context` writes it there: its text, thinking,
 * tool names, arguments as JSON, a summary with the words around it, and 1200 tokens for each image.
 * @returns tokens, an integer of at least 0; the message's own number where it has one
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
    // `JSON.parse` reads any depth; `JSON.stringify` is limited by the stack. Only a hostile body is nested so deeply.
    return 0
  }
}
