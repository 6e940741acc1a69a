import { bashExecutionText } from '../session/bash-execution-text.ts'
import type { ContentBlock, Message, ToolResultMessage } from '../session/message.ts'
import { writeToolResultStatus } from '../session/tool-result-status.ts'
import { LABELS } from '../session/transcript-labels.ts'
import { wrapBranchSummary, wrapCompactionSummary } from '../session/wrap-summary.ts'
import { escapeLabels } from './escape-boundaries.ts'
import { replaceLoneSurrogates } from './replace-lone-surrogates.ts'
import { serializeAssistant, type TranscriptBlock } from './serialize-assistant.ts'
import { truncateMiddle } from './truncate-middle.ts'

/** How much of a tool's or a command's output is shown. oh-my-pi cuts at the same length, but only the tail (docs/clients.md). */
const MAX_OUTPUT_CHARACTERS = 2000

/**
 * Writes messages as the transcript that a model reads: labelled blocks (docs/contract.md, "Conversation form") parted by a blank
 * line. What users and assistants said stays whole; thinking, arguments and outputs lose their middle where they are
 * long. No text can pass for a label at the start of a line; boundary tags are left to the prompt's frame.
 * @returns well-formed text; empty where no message says anything
 */
export function serializeConversation(messages: readonly Message[]): string {
  return replaceLoneSurrogates(
    messages
      .flatMap(blocksOf)
      .filter(({ text }) => text.trim() !== '')
      .map(({ kind, text }) => `${LABELS[kind]} ${escapeLabels(text.trimEnd())}`)
      .join('\n\n'),
  )
}

function blocksOf(message: Message): TranscriptBlock[] {
  switch (message.role) {
    case 'assistant':
      return serializeAssistant(message)
    case 'toolResult':
      return [{ kind: 'toolResult', text: toolResultText(message) }]
    default:
      return [{ kind: 'user', text: userText(message) }]
  }
}

type UserSideMessage = Exclude<Message, { role: 'assistant' | 'toolResult' }>

function userText(message: UserSideMessage): string {
  switch (message.role) {
    case 'bashExecution':
      return bashExecutionText({ ...message, output: truncateMiddle(message.output, MAX_OUTPUT_CHARACTERS) })
    case 'branchSummary':
      return message.summary.trim() === '' ? '' : wrapBranchSummary(message.summary)
    case 'compactionSummary':
      return message.summary.trim() === '' ? '' : wrapCompactionSummary(message.summary)
    default:
      return contentText(message.content)
  }
}

/** A result without a word still answers its call, and that it was silent is a fact. */
function toolResultText(message: ToolResultMessage): string {
  const status = writeToolResultStatus(message)
  const output = truncateMiddle(contentText(message.content), MAX_OUTPUT_CHARACTERS)
  if (output.trim() === '') return status === '' ? '(no output)' : status
  return status === '' ? output : `${status}\n${output}`
}

const contentText = (content: readonly ContentBlock[]): string =>
  content
    .map((block) => (block.type === 'text' ? block.text : block.type === 'image' ? '[Image]' : ''))
    .filter((text) => text !== '')
    .join('\n')
