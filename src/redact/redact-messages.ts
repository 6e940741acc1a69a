import type { ContentBlock, Message } from '../session/message.ts'
import { redactText } from './redact-text.ts'

/** No real arguments are nested deeper. Values below this depth are hostile: they are removed without a search. */
const MAX_DEPTH = 200

/** Names whose value is secret, whatever it looks like. */
const SECRET_NAME =
  /passw(?:or)?d|passphrase|secret|api[_-]?key|access[_-]?key|private[_-]?key|(?:^|[_-])token$|_KEY$|credential/i

interface RedactedMessages {
  messages: readonly Message[]
  /** How many secrets were replaced. */
  redactions: number
}

/**
 * Returns messages with their secrets replaced, in texts, thinking, arguments, commands and outputs. A message without
 * a secret is the same object; names, roles and ids never change.
 */
export function redactMessages(messages: readonly Message[]): RedactedMessages {
  let redactions = 0
  const redactor: Redactor = {
    text(text) {
      const redacted = redactText(text)
      redactions += redacted.redactions
      return redacted.text
    },
    tooDeep() {
      redactions += 1
      return '[redacted:nested]'
    },
  }
  const result = messages.map((message) => {
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

interface Redactor {
  text: (text: string) => string
  /** Returns the replacement of a value that is nested too deeply to be searched; it counts as a secret. */
  tooDeep: () => string
}

/** Replaces the secrets in a tool's arguments: those in every text, and a whole text whose name says that it is one. */
function redactValue(value: unknown, redactor: Redactor, { name = '', depth = 0 } = {}): unknown {
  if (typeof value === 'string') return redactNamed(name, value, redactor.text)
  if (typeof value !== 'object' || value === null) return value
  if (depth >= MAX_DEPTH) return redactor.tooDeep()
  const inside = (child: unknown, childName: string): unknown =>
    redactValue(child, redactor, { name: childName, depth: depth + 1 })
  if (Array.isArray(value)) return value.map((child: unknown) => inside(child, name))
  return Object.fromEntries(Object.entries(value).map(([key, child]) => [key, inside(child, key)]))
}

/** Searches a text together with its name, written as in JSON, so that the same rules decide as for other texts. */
function redactNamed(name: string, text: string, redact: (text: string) => string): string {
  const redacted = redact(text)
  if (redacted !== text || !SECRET_NAME.test(name)) return redacted
  const prefix = `"${name}": "`
  const named = redact(`${prefix}${text}"`)
  return named.startsWith(prefix) ? named.slice(prefix.length, -1) : redacted
}
