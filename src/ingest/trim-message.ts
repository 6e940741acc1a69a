import { readExitStatus } from '../extract/commands.ts'
import { textOf, type ContentBlock, type Message, type ToolResultMessage } from '../session/message.ts'
import { estimateMessageTokens } from '../tokens/estimate-tokens.ts'
import { shortenText, trimCall, trimOutput } from './trim-text.ts'

/**
 * Returns a message with only the parts that a plan and its prompts need: the parts of outputs, thinking and written files
 * that a prompt may show. The tokens of the whole message are added.
 */
export function trimMessage(message: Message): Message {
  return { ...trimParts(message), tokens: estimateMessageTokens(message) }
}

function trimParts(message: Message): Message {
  switch (message.role) {
    case 'branchSummary':
    case 'compactionSummary':
      return message
    case 'bashExecution':
      return { ...message, output: trimOutput(message.output, (message.exitCode ?? 0) !== 0) }
    case 'toolResult':
      return { ...message, content: trimResult(message) }
    default:
      return { ...message, content: message.content.map(trimBlock) }
  }
}

/** Trims a result of one text as an output. In a result of several texts, or with images, each text stays whole. */
function trimResult(message: ToolResultMessage): ContentBlock[] {
  const [only, ...others] = message.content
  if (only?.type !== 'text' || others.length > 0) return message.content.map(trimBlock)
  const hasFailed = readExitStatus(message, textOf(message.content)) !== undefined
  return [{ type: 'text', text: trimOutput(only.text, hasFailed) }]
}

function trimBlock(block: ContentBlock): ContentBlock {
  switch (block.type) {
    case 'thinking':
      return { type: block.type, thinking: shortenText(block.thinking) }
    case 'toolCall':
      return trimCall(block)
    default:
      return block
  }
}
