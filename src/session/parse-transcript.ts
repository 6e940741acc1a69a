import type { Entry } from './entry.ts'
import { readToolResultStatus, userMessage } from './message-text.ts'
import {
  textBlocks,
  type AssistantMessage,
  type ContentBlock,
  type Message,
  type ToolCallBlock,
  type ToolResultMessage,
} from './message.ts'
import { parseToolCalls } from './parse-tool-calls.ts'
import { splitTranscript, type TranscriptBlock } from './transcript.ts'

/** A message of a serialized transcript with its position; the offsets count UTF-16 units of the whole. */
export interface TranscriptMessage {
  message: Message
  /** Where its first label begins: the transcript from here on begins with this message. */
  start: number
  /** Where its text ends, without the white space before the next message. */
  end: number
}

/**
 * Reads the conversation form's transcript as messages. Consecutive blocks of the assistant are one message. Tool calls
 * get the ids `call-0`, `call-1`, ...; each tool result answers the oldest unanswered call of the last message with
 * calls, and a result without such a call gets an id that no call has. Never throws.
 */
export const parseConversation = (transcript: string): TranscriptMessage[] => readBlocks(splitTranscript(transcript))

/** Reads the blocks of a transcript as messages (`parseConversation`). */
export function readBlocks(blocks: Iterable<TranscriptBlock>): TranscriptMessage[] {
  const messages: TranscriptMessage[] = []
  const calls = new CallLedger()
  for (const block of blocks) {
    const last = messages.at(-1)
    if (block.kind !== 'user' && block.kind !== 'toolResult' && last?.message.role === 'assistant') {
      addContent(last.message, block, calls)
      last.end = block.end
    } else {
      messages.push({ message: messageOfBlock(block, calls), start: block.start, end: block.end })
    }
  }
  return messages
}

/** Returns a transcript's messages as the entries of one branch, so that the planning rules can cut it. */
export function transcriptEntries(transcript: readonly TranscriptMessage[]): Entry[] {
  return transcript.map(({ message, start, end }, index) => ({
    index,
    // Offsets in the transcript, not in the body.
    range: { start, end },
    id: `c${index}`,
    parentId: index === 0 ? null : `c${index - 1}`,
    type: 'message',
    message,
  }))
}

/** Numbers the tool calls and pairs each result with its call. */
class CallLedger {
  #count = 0
  #orphans = 0
  #calling: AssistantMessage | undefined
  #open: ToolCallBlock[] = []
  #answered = 0

  number(call: { name: string; arguments: unknown }): ToolCallBlock {
    return { type: 'toolCall', id: `call-${this.#count++}`, ...call }
  }

  /** Adds a call that waits for its result. The calls of an earlier message get no more results. */
  open(message: AssistantMessage, call: ToolCallBlock): void {
    if (message !== this.#calling) {
      this.#calling = message
      this.#open = []
      this.#answered = 0
    }
    this.#open.push(call)
  }

  /** Returns the call that the next result answers. */
  answer(): { toolCallId: string; toolName: string } {
    const call = this.#open[this.#answered++]
    if (call === undefined) return { toolCallId: `no-call-${this.#orphans++}`, toolName: '' }
    return { toolCallId: call.id, toolName: call.name }
  }
}

function messageOfBlock(block: TranscriptBlock, calls: CallLedger): Message {
  if (block.isClients === true) return { role: 'custom', content: textBlocks(block.text) }
  if (block.kind === 'user') return userMessage(textBlocks(block.text))
  if (block.kind === 'toolResult') return toolResultOfBlock(block, calls)
  const message: AssistantMessage = { role: 'assistant', content: [] }
  addContent(message, block, calls)
  return message
}

function toolResultOfBlock(block: TranscriptBlock, calls: CallLedger): ToolResultMessage {
  const { status, text } = readToolResultStatus(block.text)
  const isMarked = status.isError || status.exitCode !== undefined
  const marks = isMarked ? status : { ...status, isUnmarked: true as const }
  return { role: 'toolResult', ...calls.answer(), content: textBlocks(text), ...marks, isPruned: false }
}

function addContent(message: AssistantMessage, block: TranscriptBlock, calls: CallLedger): void {
  for (const content of contentOfBlock(block, calls)) {
    message.content.push(content)
    if (content.type === 'toolCall') calls.open(message, content)
  }
}

function contentOfBlock({ kind, text }: TranscriptBlock, calls: CallLedger): ContentBlock[] {
  if (kind === 'thinking') return text === '' ? [] : [{ type: 'thinking', thinking: text }]
  const parsed = kind === 'toolCalls' ? parseToolCalls(text) : []
  // A calls block in an unknown syntax is kept as text: it is still information.
  return parsed.length === 0 ? textBlocks(text) : parsed.map((call) => calls.number(call))
}
