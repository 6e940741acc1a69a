import { findRegion } from '../src/plan/region.ts'
import type { Entry } from '../src/session/entry.ts'
import { bashExecutionText, writeToolResultStatus } from '../src/session/message-text.ts'
import type { ContentBlock, Message } from '../src/session/message.ts'
import { replaceLoneSurrogates, truncateMiddle } from '../src/text/shorten.ts'
import type { SessionCut } from './session.ts'

/** Much more than a summarizer sees of one output, and less than a large log file. */
const MAX_OUTPUT_CHARACTERS = 20_000
const MAX_THINKING_CHARACTERS = 8000

/** How much of the work after the cut is shown. */
const MAX_AFTER_CHARACTERS = 40_000

/** A session as text for the author of the probes. */
export interface EvalTranscript {
  /** The entries that a summary replaces, nearly uncut, each with its id. */
  before: string
  /** The beginning of what happened next. */
  after: string
}

/** Returns a session as text: what a summary replaces, with the previous summary if there is one, and what came next. */
export function writeEvalTranscript(branch: readonly Entry[], cut: SessionCut): EvalTranscript {
  const { start, previous } = findRegion(branch.slice(0, cut.messageIndex))
  const summary = previous === undefined ? [] : [`[summary of the earlier session]\n${previous.fullSummary}`]
  const before = [...summary, ...branch.slice(start, cut.messageIndex).flatMap(writeEntry)].join('\n\n')
  const after = branch.slice(cut.messageIndex).flatMap(writeEntry).join('\n\n')
  return {
    before: replaceLoneSurrogates(before),
    after: replaceLoneSurrogates(
      after.length <= MAX_AFTER_CHARACTERS
        ? after
        : `${after.slice(0, MAX_AFTER_CHARACTERS)}\n[... the rest is left out ...]`,
    ),
  }
}

function writeEntry({ id, message }: Entry): string[] {
  if (message === undefined) return []
  const text = writeMessage(message).trim()
  return text === '' ? [] : [`[${id}] ${nameOf(message)}:\n${text}`]
}

const ROLES: Record<Message['role'], string> = {
  user: 'user',
  assistant: 'assistant',
  toolResult: 'result of',
  bashExecution: 'command of the user',
  custom: 'note',
  other: 'note',
  branchSummary: 'summary of another branch',
  compactionSummary: 'summary of the earlier session',
}

const nameOf = (message: Message): string =>
  message.role === 'toolResult' ? `${ROLES.toolResult} ${message.toolName || 'a tool'}` : ROLES[message.role]

function writeMessage(message: Message): string {
  switch (message.role) {
    case 'bashExecution':
      return bashExecutionText({ ...message, output: shortenOutput(message.output) })
    case 'branchSummary':
    case 'compactionSummary':
      return message.summary
    case 'toolResult': {
      const status = writeToolResultStatus(message)
      return [status, shortenOutput(writeBlocks(message.content)) || '(no output)'].filter(Boolean).join('\n')
    }
    case 'assistant':
      return [writeBlocks(message.content), message.errorMessage ?? ''].filter(Boolean).join('\n')
    default:
      return writeBlocks(message.content)
  }
}

const shortenOutput = (text: string): string => truncateMiddle(text, MAX_OUTPUT_CHARACTERS)

const writeBlocks = (blocks: readonly ContentBlock[]): string => blocks.map(writeBlock).filter(Boolean).join('\n')

function writeBlock(block: ContentBlock): string {
  switch (block.type) {
    case 'text':
      return block.text
    case 'thinking':
      return block.thinking.trim() === '' ? '' : `(thinking) ${truncateMiddle(block.thinking, MAX_THINKING_CHARACTERS)}`
    case 'toolCall':
      return `(calls ${block.name}) ${writeArguments(block.arguments)}`
    case 'image':
      return '[Image]'
  }
}

/** Long texts, such as a file that is written, are shown with their own line ends: escaped, they are hard to read. */
function writeArguments(value: unknown): string {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return shortenOutput(toJson(value))
  return Object.entries(value)
    .map(([name, inner]) =>
      typeof inner === 'string' && inner.includes('\n')
        ? `${name}:\n${shortenOutput(inner)}`
        : `${name}: ${shortenOutput(toJson(inner))}`,
    )
    .join('\n')
}

function toJson(value: unknown): string {
  try {
    return JSON.stringify(value)
  } catch {
    // `JSON.parse` reads any depth; `JSON.stringify` is limited by the stack.
    return '(nested too deeply to be shown)'
  }
}
