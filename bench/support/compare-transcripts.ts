import { estimateTextTokens } from '../../src/tokens/estimate-tokens.ts'
import { serializeConversation } from '../../src/prompt/serialize-conversation.ts'
import { textOf, type Message } from '../../src/session/message.ts'

/** How much of each output plain head truncation shows. */
const HEAD_CHARACTERS = 2000

/** What counts as an error line here, by itself and not by the service's rules: a word of failure in it. */
const ERROR_LINE = /\b(?:error|failed|failure|exception|panic|fatal)\b|\w(?:Error|Exception)\b|\bFAIL\b/i
const LINE_CHARACTERS = 160

export interface Transcript {
  characters: number
  tokens: number
  /** Distinct error lines of failing commands that are in it. */
  errorLines: number
}

export interface Comparison {
  errorLines: number
  chosen: Transcript
  head: Transcript
}

/** Writes a session's transcript in two ways, and counts what is in them. */
export function compareTranscripts(messages: readonly Message[]): Comparison {
  const lines = findErrorLines(messages)
  const measure = (text: string): Transcript => ({
    characters: text.length,
    tokens: estimateTextTokens(text),
    errorLines: lines.filter((line) => text.includes(line)).length,
  })
  return {
    errorLines: lines.length,
    chosen: measure(serializeConversation(messages)),
    head: measure(cutHeads(messages)),
  }
}

const outputOf = (message: Message): string | undefined =>
  message.role === 'bashExecution'
    ? message.output
    : message.role === 'toolResult'
      ? textOf(message.content)
      : undefined

/** The same transcript, in which every output is its first 2000 characters: names stand for them while it is written. */
function cutHeads(messages: readonly Message[]): string {
  const outputs: string[] = []
  const named = messages.map((message): Message => {
    const output = outputOf(message)
    if (output === undefined || output.trim() === '') return message
    const name = `@@${outputs.push(output.slice(0, HEAD_CHARACTERS)) - 1}@@`
    if (message.role === 'bashExecution') return { ...message, output: name }
    return message.role === 'toolResult' ? { ...message, content: [{ type: 'text', text: name }] } : message
  })
  return serializeConversation(named).replace(/@@(\d+)@@/g, (_name, index: string) => outputs[Number(index)] ?? '')
}

function findErrorLines(messages: readonly Message[]): string[] {
  const lines = messages.filter(hasFailed).flatMap((message) => (outputOf(message) ?? '').split('\n'))
  const telling = lines.map((line) => line.trim()).filter((line) => ERROR_LINE.test(line))
  return [...new Set(telling.map((line) => line.slice(0, LINE_CHARACTERS)))]
}

function hasFailed(message: Message): boolean {
  if (message.role === 'bashExecution') return (message.exitCode ?? 0) !== 0
  return message.role === 'toolResult' && (message.isError || (message.exitCode ?? 0) !== 0)
}
