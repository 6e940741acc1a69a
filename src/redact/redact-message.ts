import { textOf, type ContentBlock, type Message, type UserAnswer } from '../session/message.ts'
import { printsSecret } from './commands/printed-secrets.ts'
import { redactArguments, type Redactor } from './redact-arguments.ts'
import { asksForSecret } from './sentences/reply-rule.ts'

/**
 * Returns a copy of a message with its secrets replaced, in texts, thinking, names of tools, arguments with their keys,
 * commands and outputs. Roles and ids never change, so that calls keep their results.
 */
export function redactMessage(message: Message, redactor: Redactor): Message {
  const { text: redact, printed = redact } = redactor
  switch (message.role) {
    case 'bashExecution':
      return { ...message, command: redact(message.command), output: printed(message.output) }
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
        content: redactBlocks(message.content, { ...redactor, text: printed }),
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

/**
 * Returns the messages that are the output of a command which prints a secret: only its command tells that.
 * @param messages calls stand before their results
 */
export function printedMessages(messages: readonly Message[]): Set<Message> {
  const ids = new Set<string>()
  return new Set(
    messages.filter((message) => {
      if (message.role === 'assistant')
        for (const block of message.content)
          if (block.type === 'toolCall' && isPrinting(block.arguments)) ids.add(block.id)
      return message.role === 'toolResult'
        ? ids.has(message.toolCallId)
        : message.role === 'bashExecution' && printsSecret(message.command)
    }),
  )
}

/** Returns the messages of the user behind one that asks for a secret. */
export const repliesWithSecrets = (messages: readonly Message[]): Message[] =>
  messages.filter((message, index) => {
    const asking = messages[index - 1]
    return message.role === 'user' && asking?.role === 'assistant' && asksForSecret(textOf(asking.content))
  })

/** @param argument a command line, the words of one, or an object that has one */
function isPrinting(argument: unknown): boolean {
  if (typeof argument === 'string') return printsSecret(argument)
  if (typeof argument !== 'object' || argument === null) return false
  const values: unknown[] = Object.values(argument)
  const words = values.flat().filter((word) => typeof word === 'string')
  return values.some((value) => typeof value === 'string' && printsSecret(value)) || printsSecret(words.join(' '))
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
