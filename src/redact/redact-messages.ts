import type { ContentBlock, Message } from '../session/message.ts'
import { mapInSteps, runSteps, type Steps } from '../steps.ts'
import { redactText } from './redact-text.ts'
import { redactValue, type Redactor } from './redact-value.ts'

/**
 * Replaces the secrets in all that messages say: texts, thinking, arguments, commands, outputs. A message without one is
 * handed back as it is; names, roles and ids are never touched.
 */
export const redactMessages = (messages: readonly Message[]): RedactedMessages => runSteps(redactInSteps(messages))

export interface RedactedMessages {
  messages: readonly Message[]
  /** How many secrets were replaced. */
  redactions: number
}

/** The same, a message a step. */
export function* redactInSteps(messages: readonly Message[]): Steps<RedactedMessages> {
  let redactions = 0
  const redactor: Redactor = {
    text(text) {
      const redacted = redactText(text)
      redactions += redacted.redactions
      return redacted.text
    },
    unread() {
      redactions += 1
      return '[redacted:nested]'
    },
  }
  const result = yield* mapInSteps(messages, (message) => {
    const before = redactions
    const redacted = redactMessage(message, redactor)
    return redactions === before ? message : redacted
  })
  return redactions === 0 ? { messages, redactions } : { messages: result, redactions }
}

function redactMessage(message: Message, redactor: Redactor): Message {
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
      return { ...message, content: message.content.map((block) => redactBlock(block, redactor)), ...error }
    }
    default:
      return { ...message, content: message.content.map((block) => redactBlock(block, redactor)) }
  }
}

function redactBlock(block: ContentBlock, redactor: Redactor): ContentBlock {
  const { text: redact } = redactor
  switch (block.type) {
    case 'text':
      return { ...block, text: redact(block.text) }
    case 'thinking':
      return { ...block, thinking: redact(block.thinking) }
    case 'toolCall':
      return { ...block, arguments: redactValue(block.arguments, redactor) }
    case 'image':
      return block
  }
}
