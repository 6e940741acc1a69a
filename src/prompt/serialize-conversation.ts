import {
  bashExecutionText,
  writeToolResultStatus,
  wrapBranchSummary,
  wrapCompactionSummary,
} from '../session/message-text.ts'
import type { Message, ToolResultMessage, ContentBlock } from '../session/message.ts'
import { readExitStatus } from '../extract/commands.ts'
import { chooseOutput } from './choose-output.ts'
import { dedupeToolOutputs } from './dedupe-tool-outputs.ts'
import { serializeAssistant, type LabelledText } from './serialize-assistant.ts'
import { LABELS } from '../session/transcript.ts'
import { escapeLabels } from './frame-prompt.ts'
import { replaceLoneSurrogates } from '../text/shorten.ts'

/** Returns a message's content as text: its texts, and `[Image]` for each image. */
export const contentText = (content: readonly ContentBlock[]): string =>
  content
    .map((block) => (block.type === 'text' ? block.text : block.type === 'image' ? '[Image]' : ''))
    .filter((text) => text !== '')
    .join('\n')

/**
 * Returns messages as the transcript that a model reads: labelled blocks (docs/contract.md, "Conversation form") with a
 * blank line between them. The words of users and assistants stay whole; long thinking and arguments lose their middle;
 * of outputs the most important lines are chosen, and of repeated calls only the newest output stays. No text can look
 * like a label at the start of a line; `framePrompt` escapes boundary tags.
 * @returns well-formed text; empty where no message has any text
 */
export function serializeConversation(messages: readonly Message[]): string {
  const blocks = blocksOfAll(dedupeToolOutputs(messages))
  return writeTranscript(blocks.filter(({ text }) => text.trim() !== ''))
}

type UserSideMessage = Exclude<Message, { role: 'assistant' | 'toolResult' }>

/** Serializes from the newest message to the oldest: an error line of several outputs is shown in the newest one. */
function blocksOfAll(messages: readonly Message[]): LabelledText[] {
  const alreadyShown = new Set<string>()
  const blocks = messages.toReversed().map((message) => blocksOf(message, alreadyShown))
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

/**
 * The text of a result. One without output is shown too: it answers its call, and that it printed nothing is a fact.
 */
function toolResultText(message: ToolResultMessage, alreadyShown: Set<string>): string {
  const status = writeToolResultStatus(message)
  const text = contentText(message.content)
  const output = chooseOutput(text, { hasFailed: readExitStatus(message, text) !== undefined, alreadyShown })
  if (output.trim() === '') return status === '' ? '(no output)' : status
  return status === '' ? output : `${status}\n${output}`
}

/**
 * Returns blocks with their labels and a blank line between them; no text can look like a label at the start of a line.
 */
export function writeTranscript(blocks: readonly LabelledText[]): string {
  const written = blocks.map(({ kind, text }) =>
    replaceLoneSurrogates(`${LABELS[kind]} ${escapeLabels(text.trimEnd())}`),
  )
  return written.join('\n\n')
}
