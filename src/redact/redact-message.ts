import type { ContentBlock, Message, UserAnswer } from '../session/message.ts'
import { redactArguments, type Redactor } from './redact-arguments.ts'

/**
 * Returns a copy of a message with its secrets replaced, in texts, thinking, names of tools, arguments with their keys,
 * commands and outputs. Roles and ids never change, so that calls keep their results.
 */
export function redactMessage(message: Message, redactor: Redactor): Message {
  const { text: redact } = redactor
  switch (message.role) {
    case 'bashExecution':
      return { ...message, command: redact(message.command), output: redact(message.output) }
    case 'branchSummary':
    case 'compactionSummary':
      return { ...message, summary: redact(message.summary) }
    case 'assistant': {
      const { errorMessage } = message
      const error = errorMessage === undefined ? {} : { errorMessage: redact(errorMessage) }
      return { ...message, content: redactBlocks(message.content, redactor), ...error }
    }
    case 'toolResult':
      return {
        ...message,
        toolName: redact(message.toolName),
        content: redactBlocks(message.content, redactor),
        ...(message.userAnswers && { userAnswers: redactAnswers(message.userAnswers, redact) }),
      }
    default:
      return { ...message, content: redactBlocks(message.content, redactor) }
  }
}

const redactAnswers = (answers: readonly UserAnswer[], redact: Redactor['text']): UserAnswer[] =>
  answers.map(({ question, answer }) => ({ question: redact(question), answer: redact(answer) }))

const redactBlocks = (blocks: readonly ContentBlock[], redactor: Redactor): ContentBlock[] =>
  blocks.map((block) => redactBlock(block, redactor))

function redactBlock(block: ContentBlock, redactor: Redactor): ContentBlock {
  const { text: redact } = redactor
  switch (block.type) {
    case 'text':
      return { ...block, text: redact(block.text) }
    case 'thinking':
      return { ...block, thinking: redact(block.thinking) }
    case 'toolCall':
      return { ...block, name: redact(block.name), arguments: redactArguments(block.arguments, redactor) }
    case 'image':
      return block
  }
}

/** Returns the texts of a message in which an identifier of the session may stand: all that are searched. */
export function searchedTextsOf(message: Message): string[] {
  const texts: string[] = []
  const text = (one: string): string => {
    texts.push(one)
    return one
  }
  redactMessage(message, { text, isNamed: false, tooDeep: () => '' })
  return texts
}
