import type { ContentBlock, Message } from './message.ts'

/** All texts of a message, word for word: what was said and thought, names and values of arguments, outputs. */
export function textsOf(message: Message): string[] {
  switch (message.role) {
    case 'bashExecution':
      return [message.command, message.output]
    case 'branchSummary':
    case 'compactionSummary':
      return [message.summary]
    case 'assistant':
      return [
        ...message.content.flatMap(textsOfBlock),
        ...(message.errorMessage === undefined ? [] : [message.errorMessage]),
      ]
    default:
      return message.content.flatMap(textsOfBlock)
  }
}

function textsOfBlock(block: ContentBlock): string[] {
  switch (block.type) {
    case 'text':
      return [block.text]
    case 'thinking':
      return [block.thinking]
    case 'toolCall':
      return [block.name, ...leavesOf(block.arguments)]
    case 'image':
      return []
  }
}

/** The strings in a value, with its numbers; a list of what is left to read, since a hostile value is nested deeply. */
function leavesOf(value: unknown): string[] {
  const texts: string[] = []
  const left = [value]
  while (left.length > 0) {
    const next = left.pop()
    if (typeof next === 'string') texts.push(next)
    else if (typeof next === 'number') texts.push(String(next))
    else if (typeof next === 'object' && next !== null) for (const child of Object.values(next)) left.push(child)
  }
  return texts
}
