import { isPathArgument } from '../files/paths.ts'
import { isWriteTool } from '../files/tools.ts'
import { CHARACTERS_PER_TOKEN } from '../prompt/fit-budget.ts'
import { LEAST_BUDGET_TOKENS } from '../prompt/transcript-budget.ts'
import type { ContentBlock, Message, ToolCallBlock } from '../session/message.ts'
import { findLineStart, withoutMiddle } from '../text/shorten.ts'
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
  if (typeof values !== 'object' || values === null || Array.isArray(values)) return values
  return Object.fromEntries(
    Object.entries(values).map(([key, value]: [string, unknown]) => [
      key,
      typeof value === 'string' && !isPathArgument(key) ? trim(value) : value,
    ]),
  )
}

/** A shorter middle is not worth a note. */
const MIN_MIDDLE_CHARACTERS = 200

/**
 * Returns both ends of a long text, with a note for its middle. Secrets are replaced later, and a cut must not separate
 * the parts of one: the text is cut between lines, and stays whole where that is not possible or where it has a private
 * key.
 */
export function keepEnds(text: string, endCharacters: number): string {
  if (text.length <= 2 * endCharacters + MIN_MIDDLE_CHARACTERS || text.includes('PRIVATE KEY')) return text
  const headEnd = text.lastIndexOf('\n', endCharacters)
  const tailStart = findLineStart(text, text.length - endCharacters)
  if (headEnd < endCharacters / 2 || tailStart === undefined || text.length - tailStart < endCharacters / 2) return text
  return withoutMiddle(text, headEnd, tailStart)
}
