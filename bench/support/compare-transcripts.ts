import { estimateTextTokens } from '../../src/tokens/estimate-tokens.ts'
import { serializeConversation } from '../../test/support/serialize-conversation.ts'
import { textOf, type Message } from '../../src/session/message.ts'

/** The budget of our transcript: the service's default. */
const BUDGET_TOKENS = 40_000

/** The length of each output with plain head truncation. */
const HEAD_CHARACTERS = 2000

/** A line with a word of failure counts as an error line. This pattern is independent of the service's rules. */
const ERROR_LINE = /\b(?:error|failed|failure|exception|panic|fatal)\b|\w(?:Error|Exception)\b|\bFAIL\b/i
const LINE_CHARACTERS = 160

export interface Transcript {
  characters: number
  tokens: number
  /** The number of distinct error lines of failing commands in the transcript. */
  errorLines: number
}

export interface Comparison {
  errorLines: number
  chosen: Transcript
  head: Transcript
}

/** Writes a session's transcript in two ways, and counts characters, tokens and error lines in each. */
export function compareTranscripts(messages: readonly Message[]): Comparison {
  const lines = findErrorLines(messages)
  const measure = (text: string): Transcript => ({
    characters: text.length,
    tokens: estimateTextTokens(text),
    errorLines: lines.filter((line) => text.includes(line)).length,
  })
  return {
    errorLines: lines.length,
    chosen: measure(serializeConversation(messages, BUDGET_TOKENS)),
    head: measure(cutHeads(messages)),
  }
}

const outputOf = (message: Message): string | undefined =>
  message.role === 'bashExecution'
    ? message.output
    : message.role === 'toolResult'
      ? textOf(message.content)
      : undefined

/**
 * Writes the same transcript with only the first 2000 characters of each output; placeholders stand for them meanwhile.
 */
function cutHeads(messages: readonly Message[]): string {
  const outputs: string[] = []
  const named = messages.map((message): Message => {
    const output = outputOf(message)
    if (output === undefined || output.trim() === '') return message
    const name = `@@${outputs.push(output.slice(0, HEAD_CHARACTERS)) - 1}@@`
    if (message.role === 'bashExecution') return { ...message, output: name }
    return message.role === 'toolResult' ? { ...message, content: [{ type: 'text', text: name }] } : message
  })
  return serializeConversation(named, Infinity).replace(
    /@@(\d+)@@/g,
    (_name, index: string) => outputs[Number(index)] ?? '',
  )
}

function findErrorLines(messages: readonly Message[]): string[] {
  const lines = messages.filter(hasFailed).flatMap((message) => (outputOf(message) ?? '').split('\n'))
  const errorLines = lines.map((line) => line.trim()).filter((line) => ERROR_LINE.test(line))
  return [...new Set(errorLines.map((line) => line.slice(0, LINE_CHARACTERS)))]
}

function hasFailed(message: Message): boolean {
  if (message.role === 'bashExecution') return (message.exitCode ?? 0) !== 0
  return message.role === 'toolResult' && (message.isError || (message.exitCode ?? 0) !== 0)
}
