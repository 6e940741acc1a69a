import type { PairedMessages } from '../extract/runs.ts'
import { readUserAnswers } from '../extract/user-text.ts'
import { ANNOUNCEMENT } from '../extract/words.ts'
import {
  bashExecutionText,
  wrapBranchSummary,
  wrapCompactionSummary,
  writeToolResultStatus,
} from '../session/message-text.ts'
import type {
  AssistantMessage,
  BashExecutionMessage,
  ContentBlock,
  Message,
  ToolResultMessage,
} from '../session/message.ts'
import type { BlockKind } from '../session/transcript.ts'
import { countCharacters } from '../text/shorten.ts'
import { callPieces } from './call-pieces.ts'
import { fixed, type Block, type Piece, type PieceValue } from './transcript-piece.ts'
import { valueCalls, type CallValues, type ValuedCall } from './value-calls.ts'

/** Returns a message's content as text: its texts, and `[Image]` for each image. */
export const contentText = (content: readonly ContentBlock[]): string =>
  content
    .map((block) => (block.type === 'text' ? block.text : block.type === 'image' ? '[Image]' : ''))
    .filter((text) => text !== '')
    .join('\n')

/** Returns messages as the blocks of a transcript, in pieces that can be cut one by one. Blank blocks are left out. */
export function blocksOf(paired: PairedMessages): Block[] {
  const values = valueCalls(paired)
  return paired.messages
    .flatMap((message) => blocksOfMessage(message, values))
    .filter(({ pieces }) => pieces.some(({ text }) => text.trim() !== ''))
}

function blocksOfMessage(message: Message, values: CallValues): Block[] {
  switch (message.role) {
    case 'assistant':
      return assistantBlocks(message, values)
    case 'toolResult':
      return [{ kind: 'toolResult', pieces: resultPieces(message, values.get(message)) }]
    case 'bashExecution':
      return [{ kind: 'user', pieces: executionPieces(message, values.get(message)) }]
    default:
      return [{ kind: 'user', pieces: [textPiece(userText(message), 'user')] }]
  }
}

function userText(message: Exclude<Message, AssistantMessage | ToolResultMessage | BashExecutionMessage>): string {
  switch (message.role) {
    case 'branchSummary':
      return message.summary.trim() === '' ? '' : wrapBranchSummary(message.summary)
    case 'compactionSummary':
      return message.summary.trim() === '' ? '' : wrapCompactionSummary(message.summary)
    default:
      return contentText(message.content).trimEnd()
  }
}

const textPiece = (text: string, value: PieceValue): Piece => ({ text, value, form: 'text' })

/** Returns an output. Where it is cut, its most important lines stay; of documents and plans both ends. */
function outputPiece(output: string, { output: value, isDuplicate }: ValuedCall): Piece {
  if (isDuplicate) return fixed(`(the same output as of a newer call below: ${countCharacters(output)} characters)`)
  const isProse = value === 'instructions' || value === 'specification' || value === 'plan'
  return { text: output, value, form: isProse ? 'text' : 'output' }
}

const PLAIN_OUTPUT: ValuedCall = { arguments: 'argument', output: 'output', isDuplicate: false }

/**
 * The pieces of a result. One without output is shown too: it answers its call, and that it printed nothing is a fact.
 */
function resultPieces(message: ToolResultMessage, valued = orphan(message)): Piece[] {
  const status = writeToolResultStatus(message)
  const output = contentText(message.content).trimEnd()
  if (output.trim() === '') return [{ ...fixed(status === '' ? '(no output)' : status), value: emptyValue(valued) }]
  const isUsers = readUserAnswers(message).length > 0
  return [fixed(status === '' ? '' : `${status}\n`), isUsers ? textPiece(output, 'user') : outputPiece(output, valued)]
}

const emptyValue = ({ output }: ValuedCall): PieceValue => (output === 'error' ? 'error' : 'receipt')

/** The value of a result without a call. */
const orphan = ({ isError, exitCode = 0 }: ToolResultMessage): ValuedCall =>
  isError || exitCode !== 0 ? { ...PLAIN_OUTPUT, output: 'error' } : PLAIN_OUTPUT

function executionPieces(message: BashExecutionMessage, valued = PLAIN_OUTPUT): Piece[] {
  if (message.output === '') return [fixed(bashExecutionText(message))]
  // The text around the output, which is cut on its own.
  const [before = '', after = ''] = bashExecutionText({ ...message, output: OUTPUT_PLACE }).split(OUTPUT_PLACE)
  return [fixed(before), outputPiece(message.output, valued), fixed(after)]
}

/** It cannot be in a command: a terminal has no such character. */
const OUTPUT_PLACE = '\u0000'

/** Returns an assistant's message as blocks in the order of its content; neighbours of one kind become one block. */
export function assistantBlocks(message: AssistantMessage, values: CallValues = new Map()): Block[] {
  const runs: { kind: BlockKind; pieces: Piece[] }[] = []
  const announces = message.content.some(({ type }) => type === 'toolCall')
  const blocks = message.content.map((block) => blockOf(block, values, announces))
  for (const { kind, pieces } of [...blocks, stopNote(message)]) {
    const run = runs.at(-1)
    if (pieces.every(({ text }) => text.trim() === '')) continue
    if (run?.kind === kind) run.pieces.push(fixed(kind === 'toolCalls' ? '; ' : '\n'), ...pieces)
    else runs.push({ kind, pieces: [...pieces] })
  }
  return runs
}

/** The longest text that is only an announcement of calls. */
const MAX_ANNOUNCEMENT_CHARACTERS = 160

const isAnnouncement = (block: ContentBlock): boolean =>
  block.type === 'text' && block.text.length <= MAX_ANNOUNCEMENT_CHARACTERS && ANNOUNCEMENT.test(block.text.trim())

function blockOf(block: ContentBlock, values: CallValues, announces: boolean): Block {
  switch (block.type) {
    case 'text':
      return {
        kind: 'assistant',
        pieces: [textPiece(block.text, announces && isAnnouncement(block) ? 'announcement' : 'words')],
      }
    case 'image':
      return { kind: 'assistant', pieces: [fixed('[Image]')] }
    case 'thinking':
      return { kind: 'thinking', pieces: [textPiece(block.thinking, 'thinking')] }
    case 'toolCall':
      return { kind: 'toolCalls', pieces: callPieces(block, values.get(block)?.arguments ?? 'argument') }
  }
}

/** Why a message stopped early; no pieces where it did not. */
function stopNote({ stopReason, errorMessage = '' }: AssistantMessage): Block {
  if (stopReason !== 'error' && stopReason !== 'aborted') return { kind: 'assistant', pieces: [] }
  const what = stopReason === 'error' ? 'stopped by an error' : 'aborted'
  // Some providers put a whole HTML page into the message.
  const why = errorMessage.trim() === '' ? [] : [fixed(': '), textPiece(errorMessage, 'error')]
  return { kind: 'assistant', pieces: [fixed(`(${what}`), ...why, fixed(')')] }
}
