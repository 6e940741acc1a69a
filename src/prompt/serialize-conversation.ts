import {
  bashExecutionText,
  writeToolResultStatus,
  wrapBranchSummary,
  wrapCompactionSummary,
} from '../session/message-text.ts'
import type { Message, ToolResultMessage, ContentBlock } from '../session/message.ts'
import { mapInSteps, runSteps, type Steps } from '../runtime/cooperative.ts'
import { readFailure } from '../extract/commands.ts'
import { chooseOutput } from './choose-output.ts'
import { foldRepeats } from './fold-repeats.ts'
import { serializeAssistant, type TranscriptBlock } from './serialize-assistant.ts'
import { LABELS } from '../session/transcript.ts'
import { escapeLabels } from './frame-prompt.ts'
import { replaceLoneSurrogates } from '../text/shorten.ts'

/** What a reader is shown of a message's content: its texts, and that there was an image. */
export const contentText = (content: readonly ContentBlock[]): string =>
  content
    .map((block) => (block.type === 'text' ? block.text : block.type === 'image' ? '[Image]' : ''))
    .filter((text) => text !== '')
    .join('\n')

/**
 * Writes messages as the transcript that a model reads: labelled blocks (docs/contract.md, "Conversation form") parted by
 * a blank line. What users and assistants said stays whole; thinking and arguments lose their middle where they are long;
 * of outputs what tells most is chosen, and those of a call that was made again are folded to the newest. No text can
 * pass for a label at the start of a line; boundary tags are left to the prompt's frame.
 * @returns well-formed text; empty where no message says anything
 */
export const serializeConversation = (messages: readonly Message[]): string => runSteps(serializeInSteps(messages))

type UserSideMessage = Exclude<Message, { role: 'assistant' | 'toolResult' }>

/** The same, a message a step. */
export function* serializeInSteps(messages: readonly Message[]): Steps<string> {
  const blocks = yield* blocksOfAll(yield* foldRepeats(messages))
  return yield* writeInSteps(blocks.filter(({ text }) => text.trim() !== ''))
}

/** From the newest to the oldest: an error that stands in several outputs is told in the newest. */
function* blocksOfAll(messages: readonly Message[]): Steps<TranscriptBlock[]> {
  const told = new Set<string>()
  const blocks = yield* mapInSteps(messages.toReversed(), (message) => blocksOf(message, told))
  return blocks.reverse().flat()
}

function blocksOf(message: Message, told: Set<string>): TranscriptBlock[] {
  switch (message.role) {
    case 'assistant':
      return serializeAssistant(message)
    case 'toolResult':
      return [{ kind: 'toolResult', text: toolResultText(message, told) }]
    default:
      return [{ kind: 'user', text: userText(message, told) }]
  }
}

function userText(message: UserSideMessage, told: Set<string>): string {
  switch (message.role) {
    case 'bashExecution':
      return bashExecutionText({
        ...message,
        output: chooseOutput(message.output, { hasFailed: (message.exitCode ?? 0) !== 0, told }),
      })
    case 'branchSummary':
      return message.summary.trim() === '' ? '' : wrapBranchSummary(message.summary)
    case 'compactionSummary':
      return message.summary.trim() === '' ? '' : wrapCompactionSummary(message.summary)
    default:
      return contentText(message.content)
  }
}

/** A result without a word still answers its call, and that it was silent is a fact. */
function toolResultText(message: ToolResultMessage, told: Set<string>): string {
  const status = writeToolResultStatus(message)
  const text = contentText(message.content)
  const output = chooseOutput(text, { hasFailed: readFailure(message, text) !== undefined, told })
  if (output.trim() === '') return status === '' ? '(no output)' : status
  return status === '' ? output : `${status}\n${output}`
}

/** Writes blocks with their labels, parted by a blank line; no text can pass for a label at the start of a line. */
export const writeTranscript = (blocks: readonly TranscriptBlock[]): string => runSteps(writeInSteps(blocks))

/** The same, a block a step. */
export function* writeInSteps(blocks: readonly TranscriptBlock[]): Steps<string> {
  const written = yield* mapInSteps(blocks, ({ kind, text }) =>
    replaceLoneSurrogates(`${LABELS[kind]} ${escapeLabels(text.trimEnd())}`),
  )
  return written.join('\n\n')
}
