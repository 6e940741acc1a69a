import {
  bashExecutionText,
  writeToolResultStatus,
  wrapBranchSummary,
  wrapCompactionSummary,
} from '../session/message-text.ts'
import type { Message, ToolResultMessage, ContentBlock } from '../session/message.ts'
import { mapCooperatively, runToEnd, type Cooperative } from '../runtime/cooperative.ts'
import { readExitStatus } from '../extract/commands.ts'
import { chooseOutput } from './choose-output.ts'
import { dedupeToolOutputs } from './dedupe-tool-outputs.ts'
import { serializeAssistant, type LabelledText } from './serialize-assistant.ts'
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
export const serializeConversation = (messages: readonly Message[]): string =>
  runToEnd(serializeCooperatively(messages))

type UserSideMessage = Exclude<Message, { role: 'assistant' | 'toolResult' }>

/** The same, a message a step. */
export function* serializeCooperatively(messages: readonly Message[]): Cooperative<string> {
  const blocks = yield* blocksOfAll(yield* dedupeToolOutputs(messages))
  return yield* writeCooperatively(blocks.filter(({ text }) => text.trim() !== ''))
}

/** From the newest to the oldest: an error that stands in several outputs is told in the newest. */
function* blocksOfAll(messages: readonly Message[]): Cooperative<LabelledText[]> {
  const alreadyShown = new Set<string>()
  const blocks = yield* mapCooperatively(messages.toReversed(), (message) => blocksOf(message, alreadyShown))
  return blocks.reverse().flat()
}

function blocksOf(message: Message, alreadyShown: Set<string>): LabelledText[] {
  switch (message.role) {
    case 'assistant':
      return serializeAssistant(message)
    case 'toolResult':
      return [{ kind: 'toolResult', text: toolResultText(message, alreadyShown) }]
    default:
      return [{ kind: 'user', text: userText(message, alreadyShown) }]
  }
}

function userText(message: UserSideMessage, alreadyShown: Set<string>): string {
  switch (message.role) {
    case 'bashExecution':
      return bashExecutionText({
        ...message,
        output: chooseOutput(message.output, { hasFailed: (message.exitCode ?? 0) !== 0, alreadyShown }),
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
function toolResultText(message: ToolResultMessage, alreadyShown: Set<string>): string {
  const status = writeToolResultStatus(message)
  const text = contentText(message.content)
  const output = chooseOutput(text, { hasFailed: readExitStatus(message, text) !== undefined, alreadyShown })
  if (output.trim() === '') return status === '' ? '(no output)' : status
  return status === '' ? output : `${status}\n${output}`
}

/** Writes blocks with their labels, parted by a blank line; no text can pass for a label at the start of a line. */
export const writeTranscript = (blocks: readonly LabelledText[]): string => runToEnd(writeCooperatively(blocks))

/** The same, a block a step. */
function* writeCooperatively(blocks: readonly LabelledText[]): Cooperative<string> {
  const written = yield* mapCooperatively(blocks, ({ kind, text }) =>
    replaceLoneSurrogates(`${LABELS[kind]} ${escapeLabels(text.trimEnd())}`),
  )
  return written.join('\n\n')
}
