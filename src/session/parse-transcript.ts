import type { AssistantMessage, ContentBlock, Message, ToolCallBlock, ToolResultMessage } from './message.ts'
import { runToEnd, type Cooperative } from '../runtime/cooperative.ts'
import { parseToolCalls } from './parse-tool-calls.ts'
import { splitTranscript, type TranscriptBlock } from './transcript.ts'
import { readToolResultStatus } from './message-text.ts'
import type { Entry } from './entry.ts'

/** A message of a serialized transcript, and where it stands there: the offsets count UTF-16 units of the whole. */
export interface TranscriptMessage {
  message: Message
  /** Where its first label begins: the transcript from here on begins with this message. */
  start: number
  /** Where its text ends, without the white space that parts it from the next. */
  end: number
}

const textContent = (text: string): ContentBlock[] => (text === '' ? [] : [{ type: 'text', text }])

const isAssistant = ({ kind }: TranscriptBlock): boolean => kind !== 'user' && kind !== 'toolResult'

/** Numbers the calls, and keeps which of them wait for their result. */
class CallLedger {
  #count = 0
  #orphans = 0
  #caller: AssistantMessage | undefined
  #open: ToolCallBlock[] = []
  #answered = 0

  number(call: { name: string; arguments: unknown }): ToolCallBlock {
    return { type: 'toolCall', id: `call-${this.#count++}`, ...call }
  }

  /** A message that calls anew has been told all that it will be of what it called before. */
  open(caller: AssistantMessage, call: ToolCallBlock): void {
    if (caller !== this.#caller) {
      this.#caller = caller
      this.#open = []
      this.#answered = 0
    }
    this.#open.push(call)
  }

  answer(): { toolCallId: string; toolName: string } {
    const call = this.#open[this.#answered++]
    if (call === undefined) return { toolCallId: `no-call-${this.#orphans++}`, toolName: '' }
    return { toolCallId: call.id, toolName: call.name }
  }
}

/**
 * Reads the conversation form's transcript as messages. An assistant's blocks that follow one another are one message;
 * tool calls get ids of their own (`call-0`, `call-1`, ...), and each tool result is taken as the answer to the oldest
 * call of the last message that had any; one more than there are calls gets an id that no call has. Never throws.
 */
export const parseConversation = (transcript: string): TranscriptMessage[] => runToEnd(parseCooperatively(transcript))

/** The same, a block a step. */
export function* parseCooperatively(transcript: string): Cooperative<TranscriptMessage[]> {
  const messages: TranscriptMessage[] = []
  const calls = new CallLedger()
  for (const block of splitTranscript(transcript)) {
    const last = messages.at(-1)
    if (isAssistant(block) && last?.message.role === 'assistant') {
      addContent(last.message, block, calls)
      last.end = block.end
    } else {
      messages.push({ message: readMessage(block, calls), start: block.start, end: block.end })
    }
    yield
  }
  return messages
}

function readMessage(block: TranscriptBlock, calls: CallLedger): Message {
  if (block.kind === 'user') return { role: 'user', content: textContent(block.text) }
  if (block.kind === 'toolResult') return readToolResult(block, calls)
  const message: AssistantMessage = { role: 'assistant', content: [] }
  addContent(message, block, calls)
  return message
}

function readToolResult(block: TranscriptBlock, calls: CallLedger): ToolResultMessage {
  const { status, text } = readToolResultStatus(block.text)
  return { role: 'toolResult', ...calls.answer(), content: textContent(text), ...status, isPruned: false }
}

function addContent(message: AssistantMessage, block: TranscriptBlock, calls: CallLedger): void {
  for (const content of readContent(block, calls)) {
    message.content.push(content)
    if (content.type === 'toolCall') calls.open(message, content)
  }
}

function readContent({ kind, text }: TranscriptBlock, calls: CallLedger): ContentBlock[] {
  if (kind === 'thinking') return text === '' ? [] : [{ type: 'thinking', thinking: text }]
  const parsed = kind === 'toolCalls' ? parseToolCalls(text) : []
  // A calls block in a syntax of its own still tells the reader something.
  return parsed.length === 0 ? textContent(text) : parsed.map((call) => calls.number(call))
}

/** A transcript's messages as the entries of one line, so that the planning rules can cut it. */
export function transcriptEntries(transcript: readonly TranscriptMessage[]): Entry[] {
  return transcript.map(({ message }, index) => ({
    index,
    id: `c${index}`,
    parentId: index === 0 ? null : `c${index - 1}`,
    type: 'message',
    message,
    raw: {},
  }))
}
