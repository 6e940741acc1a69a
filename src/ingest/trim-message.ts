import { isPathArgument } from '../files/paths.ts'
import { isWriteTool } from '../files/tools.ts'
import { CHARACTERS_PER_TOKEN } from '../prompt/fit-budget.ts'
import { LEAST_BUDGET_TOKENS } from '../prompt/transcript-budget.ts'
import { isPlainObject } from '../session/entry.ts'
import type { ContentBlock, Message, ToolCallBlock } from '../session/message.ts'
import { withoutMiddleLines } from '../text/shorten.ts'
import { estimateMessageTokens } from '../tokens/estimate-tokens.ts'

/**
 * Returns a message with only those parts of outputs, thinking and written files that a transcript may show: both ends of
 * texts that are several times larger than the whole transcript. The tokens of the whole message are added.
 * @param transcriptTokens the budget of the transcript; one that grows leaves less to one text than the least budget
 */
export function trimMessage(message: Message, transcriptTokens = LEAST_BUDGET_TOKENS): Message {
  const endCharacters = Math.max(MIN_END_CHARACTERS, transcriptTokens * CHARACTERS_PER_TOKEN)
  const trim = (text: string): string => keepEnds(text, endCharacters)
  return { ...trimTexts(message, trim), tokens: message.tokens ?? estimateMessageTokens(message) }
}

/** As much as is searched for error lines (prompt/cut-output.ts). */
const MIN_END_CHARACTERS = 64_000

type Trim = (text: string) => string

function trimTexts(message: Message, trim: Trim): Message {
  switch (message.role) {
    case 'branchSummary':
    case 'compactionSummary':
    case 'user':
      return message
    case 'bashExecution':
      return { ...message, output: trim(message.output) }
    case 'toolResult':
      return { ...message, content: message.content.map((block) => trimText(block, trim)) }
    default:
      return { ...message, content: message.content.map((block) => trimBlock(block, trim)) }
  }
}

const trimText = (block: ContentBlock, trim: Trim): ContentBlock =>
  block.type === 'text' ? { type: block.type, text: trim(block.text) } : block

function trimBlock(block: ContentBlock, trim: Trim): ContentBlock {
  switch (block.type) {
    case 'thinking':
      return { type: block.type, thinking: trim(block.thinking) }
    case 'toolCall':
      // A patch stays whole, since it names the files that it changes.
      return isWriteTool(block.name, block.arguments)
        ? { ...block, arguments: trimValues(block.arguments, trim) }
        : block
    default:
      return block
  }
}

function trimValues(values: ToolCallBlock['arguments'], trim: Trim): unknown {
  if (!isPlainObject(values)) return values
  return Object.fromEntries(
    Object.entries(values).map(([key, value]: [string, unknown]) => [
      key,
      typeof value === 'string' && !isPathArgument(key) ? trim(value) : value,
    ]),
  )
}

/** Returns both ends of a long text, with a note for its middle. Secrets are replaced later: a text with a private key stays whole. */
export const keepEnds = (text: string, endCharacters: number): string =>
  text.length > 2 * endCharacters && !text.includes('PRIVATE KEY') ? withoutMiddleLines(text, endCharacters) : text
