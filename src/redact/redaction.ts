import type { FileLists } from '../session/entry.ts'
import type { ContentBlock, Message } from '../session/message.ts'
import { redactText } from './redact-text.ts'

/** Replaces the secrets of one request and counts them. */
export interface Redaction {
  isOn: boolean
  text: (text: string) => string
  messages: (messages: readonly Message[]) => readonly Message[]
  /** Returns how many secrets were replaced so far. */
  count: () => number
}

const UNTOUCHED: Redaction = {
  isOn: false,
  text: (text) => text,
  messages: (messages) => messages,
  count: () => 0,
}

/**
 * Returns the redaction of one request. Switched off (`PRECIS_REDACT=false`), it returns everything unchanged.
 * @param count how many secrets of the request were replaced before
 */
export function startRedaction(isOn: boolean, count = 0): Redaction {
  if (!isOn) return UNTOUCHED
  return {
    isOn,
    text(text) {
      const redacted = redactText(text)
      count += redacted.redactions
      return redacted.text
    },
    messages(messages) {
      const redacted = redactMessages(messages)
      count += redacted.redactions
      return redacted.messages
    },
    count: () => count,
  }
}

/** Returns file lists with the secrets in their paths replaced. */
export const redactFiles = ({ readFiles, modifiedFiles }: FileLists, { text }: Redaction): FileLists => ({
  readFiles: readFiles.map(text),
  modifiedFiles: modifiedFiles.map(text),
})

/** No real arguments are nested deeper. Values below this depth are hostile: they are removed without a search. */
const MAX_DEPTH = 200

/** Names whose value is secret, whatever it looks like. */
const SECRET_NAME = /pass|pwd|secret|token|key|credential|cookie|authorization|^psk$/i

interface RedactedMessages {
  messages: readonly Message[]
  /** How many secrets were replaced. */
  redactions: number
}

/**
 * Returns messages with their secrets replaced, in texts, thinking, names of tools, arguments with their keys, commands
 * and outputs. A message without a secret is the same object; roles and ids never change, so that calls keep their
 * results.
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
      return { ...message, content: redactBlocks(message.content, redactor), ...error }
    }
    case 'toolResult':
      return { ...message, toolName: redact(message.toolName), content: redactBlocks(message.content, redactor) }
    default:
      return { ...message, content: redactBlocks(message.content, redactor) }
  }
}

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
      return { ...block, name: redact(block.name), arguments: redactValue(block.arguments, redactor) }
    case 'image':
      return block
  }
}

interface Redactor {
  text: (text: string) => string
  /** Returns the replacement of a value that is nested too deeply to be searched; it counts as a secret. */
  tooDeep: () => string
}

/**
 * Replaces the secrets in a tool's arguments: those in every text and key, and a whole text whose name says that it is
 * one.
 */
function redactValue(value: unknown, redactor: Redactor, { name = '', depth = 0 } = {}): unknown {
  if (typeof value === 'string') return redactNamed(name, value, redactor.text)
  if (typeof value !== 'object' || value === null) return value
  if (depth >= MAX_DEPTH) return redactor.tooDeep()
  const inside = (child: unknown, childName: string): unknown =>
    redactValue(child, redactor, { name: childName, depth: depth + 1 })
  if (Array.isArray(value)) return value.map((child: unknown) => inside(child, name))
  return redactObject(value, inside, redactor)
}

function redactObject(value: object, inside: (child: unknown, name: string) => unknown, { text }: Redactor): unknown {
  const entries = Object.entries(value)
  // `{"name": "DB_PASSWORD", "value": "x"}` is a variable of an environment.
  const { name, key: keyName } = value as { name?: unknown; key?: unknown }
  const nameOfValue = [name, keyName].find((one) => typeof one === 'string')
  const nextNumbers = new Map<string, number>()
  return Object.fromEntries(
    entries.map(([key, child]) => {
      const childName = key === 'value' && nameOfValue !== undefined ? nameOfValue : key
      return [uniqueKey(text(key), nextNumbers), inside(child, childName)]
    }),
  )
}

/**
 * Returns a key that no entry before has: two keys that are secrets must not become one, since that would lose a value.
 * @param nextNumbers the next number of each key: counting from 2 for each of many equal keys would take quadratic time
 */
function uniqueKey(key: string, nextNumbers: Map<string, number>): string {
  const numbered = (number: number): string => (number === 1 ? key : `${key} (${number})`)
  let number = nextNumbers.get(key) ?? 1
  while (nextNumbers.has(numbered(number))) number += 1
  nextNumbers.set(numbered(number), 2)
  nextNumbers.set(key, number + 1)
  return numbered(number)
}

/** Longer texts are documents: what is secret in them does not depend on the name of the whole. */
const MAX_NAMED_CHARACTERS = 1_000

/** Searches a text together with its name, written as in JSON, so that the same rules decide as for other texts. */
function redactNamed(name: string, text: string, redact: (text: string) => string): string {
  const redacted = redact(text)
  if (redacted !== text || text.length > MAX_NAMED_CHARACTERS || !SECRET_NAME.test(name)) return redacted
  const prefix = `"${name}": `
  const named = redact(prefix + JSON.stringify(text))
  return named.startsWith(`${prefix}"`) && named.endsWith('"') ? readJson(named.slice(prefix.length)) : redacted
}

/** Removes the quotes and escapes of JSON. Where a secret ended inside an escape, the whole text is replaced. */
function readJson(json: string): string {
  try {
    return String(JSON.parse(json))
  } catch {
    return '[redacted:secret]'
  }
}
