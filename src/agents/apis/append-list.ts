import { fieldsOf } from '../../session/entry.ts'
import { timeOfCompaction } from '../../session/kept-answers.ts'
import { ACKNOWLEDGEMENT, wrapCompactionSummary } from '../../session/message-text.ts'
import { SNAPSHOT_ACKNOWLEDGEMENT } from '../gemini/parts.ts'
import { wrapSnapshot } from '../gemini/append.ts'
import type { SessionAppender, PostedSession } from '../appender.ts'
import { rawDocument, rawElements, rawParts, type RawDocument, type RawElement } from '../shared/raw-json.ts'

/** What decides how a new message is written. */
interface MessageStyle {
  /** Returns an id for a new message. */
  uuid: (name: string) => string
  /** Whether the messages of the list have their text in the field `content`. */
  hasTextContent: boolean
  /** In milliseconds, where the messages of the list have a time, as those of pi do. */
  timestamp?: number
}

/** How a list of messages is written. */
interface ListStyle {
  /** Returns the summary as a message of the user. */
  summaryMessage: (summary: string, style: MessageStyle) => object
  /** Returns the model's answer to it, for lists where the roles must alternate. */
  acknowledgement?: (style: MessageStyle) => object
  /** Whether instructions may stand before all messages. */
  beginsWithInstructions?: boolean
  /** Returns a kept message, without what has no effect after the summary. */
  keep?: (message: string) => string
}

interface ListMaterial {
  instructions: readonly string[]
  /** The kept messages, as JSON. */
  messages: readonly string[]
  beginsWithAnswer: boolean
  hasTextContent: boolean
  /** The document around the list; undefined for a message on each line. */
  around?: RawDocument['around']
}

const asItIs = (message: string): string => message

const timed = ({ timestamp }: MessageStyle): object => (timestamp === undefined ? {} : { timestamp })
const chatSummary = (summary: string, style: MessageStyle) => ({
  ...{ role: 'user', content: wrapCompactionSummary(summary) },
  ...timed(style),
})
const chatAcknowledgement = (style: MessageStyle) => ({ role: 'assistant', content: ACKNOWLEDGEMENT, ...timed(style) })
const chatStyle: ListStyle = {
  summaryMessage: chatSummary,
  acknowledgement: chatAcknowledgement,
  beginsWithInstructions: true,
}

// A client sends the whole list each time, so the compacted list replaces it.

export const chatAppender = listAppender(chatStyle)
export const aiModelAppender = listAppender(chatStyle)
export const aiUiAppender = listAppender({
  summaryMessage: (summary, style) => uiMessage('user', wrapCompactionSummary(summary), style),
  acknowledgement: (style) => uiMessage('assistant', ACKNOWLEDGEMENT, style),
  beginsWithInstructions: true,
})
export const anthropicAppender = listAppender({
  summaryMessage: chatSummary,
  acknowledgement: chatAcknowledgement,
  keep: withoutCompactions,
})
export const responsesAppender = listAppender({
  summaryMessage: (summary) => ({
    ...{ type: 'message', role: 'user' },
    content: [{ type: 'input_text', text: wrapCompactionSummary(summary) }],
  }),
  beginsWithInstructions: true,
})
export const geminiContentsAppender = listAppender({
  summaryMessage: (summary) => ({ role: 'user', parts: [{ text: wrapSnapshot(summary) }] }),
  acknowledgement: () => ({ role: 'model', parts: [{ text: SNAPSHOT_ACKNOWLEDGEMENT }] }),
})

/** Returns a `UIMessage` of the AI SDK. In version 4, messages have their text in `content` too. */
const uiMessage = (role: 'user' | 'assistant', text: string, { uuid, hasTextContent }: MessageStyle): object => ({
  id: uuid(role),
  role,
  ...(hasTextContent ? { content: text } : {}),
  parts: [{ type: 'text', text }],
})

function listAppender(style: ListStyle): SessionAppender<ListMaterial> {
  const { summaryMessage, acknowledgement, beginsWithInstructions = false, keep = asItIs } = style
  return {
    isList: true,

    prepare(session) {
      const { instructions, messages } = splitList(session)
      const [first] = messages
      if (first === undefined) return undefined
      const { role, content } = fieldsOf(JSON.parse(first))
      const beginsWithAnswer = role === 'assistant' || role === 'model'
      const hasTextContent = typeof content === 'string'
      const { body, isLines, requestFields } = session
      const around = isLines ? {} : { around: rawDocument(body, requestFields).around }
      return { instructions, messages: messages.map(keep), beginsWithAnswer, hasTextContent, ...around }
    },

    write({ instructions, messages, beginsWithAnswer, hasTextContent, around }, { summary, uuid, at }) {
      const added = { uuid, hasTextContent, ...timestampOf(messages, at) }
      const written = [JSON.stringify(summaryMessage(summary, added))]
      const answer = beginsWithAnswer || acknowledgement === undefined ? [] : [JSON.stringify(acknowledgement(added))]
      const [first, second] = beginsWithInstructions ? [instructions, written] : [written, instructions]
      const list = [...first, ...second, ...answer, ...messages]
      const history = `[${list.join(',')}]`
      if (around === undefined)
        return { mode: 'replace', contentType: 'application/x-ndjson', body: `${list.join('\n')}\n`, history }
      const [before, after] = around
      return { mode: 'replace', contentType: 'application/json', body: before + list.join(',') + after, history }
    },
  }
}

/** Returns the time of a compaction for its messages, if the kept ones have a time. */
function timestampOf(messages: readonly string[], at: number): { timestamp?: number } {
  const times = messages.map((message) => fieldsOf(JSON.parse(message))['timestamp'])
  const numbers = times.filter((time) => typeof time === 'number')
  return numbers.length === 0 ? {} : { timestamp: timeOfCompaction(at, numbers) }
}

const INSTRUCTION_ROLES = new Set<unknown>(['system', 'developer'])

/** Returns the instructions before the kept messages, and the kept messages unchanged. */
function splitList(session: PostedSession): { instructions: string[]; messages: string[] } {
  const { kept, isWhole } = session
  const [first] = kept
  const end = isWhole ? Infinity : (kept.at(-1)?.index ?? first.index)
  const elements = rawElements(session).filter(({ index }) => index <= end)
  const before = elements.filter(({ index }) => index < first.index)
  const instructions = before.filter(({ text }) => INSTRUCTION_ROLES.has(fieldsOf(JSON.parse(text))['role']))
  const isUsers = fieldsOf(JSON.parse(elements[before.length]?.text ?? 'null'))['role'] === 'user'
  const start = before.length - (isUsers ? 0 : countReasoning(before))
  const [beginning, ...others] = textsOf(elements.slice(start))
  const messages = beginning === undefined ? [] : [partsFrom(beginning, first.part ?? 0), ...others]
  return { instructions: textsOf(instructions), messages }
}

/** Returns a message with its parts from a position on: a `UIMessage` has all steps of an answer, of which some may stay. */
function partsFrom(message: string, at: number): string {
  const list = at === 0 ? undefined : rawParts(message).findLast(({ name }) => name === 'parts')
  if (list === undefined) return message
  const parts = rawParts(message, list.start).slice(at)
  const kept = parts.map(({ start, end }) => message.slice(start, end))
  return `${message.slice(0, list.start)}[${kept.join(',')}]${message.slice(list.end)}`
}

const textsOf = (elements: readonly RawElement[]): string[] => elements.map(({ text }) => text)

/**
 * Returns how many items at the end are reasoning. They belong to the answer after them, which is not valid without them. Encrypted
 * reasoning is not an entry of its own. Before a message of the user, it is that of an answer that was interrupted.
 */
function countReasoning(elements: readonly RawElement[]): number {
  const last = elements.findLastIndex(({ text }) => fieldsOf(JSON.parse(text))['type'] !== 'reasoning')
  return elements.length - 1 - last
}

/** Returns a message without compactions: the server would leave out everything before them, the summary included. */
function withoutCompactions(message: string): string {
  const { content } = fieldsOf(JSON.parse(message))
  if (!Array.isArray(content) || !content.some((block) => fieldsOf(block)['type'] === 'compaction')) return message
  const list = rawParts(message).findLast(({ name }) => name === 'content')
  if (list === undefined) return message
  const blocks = rawParts(message, list.start).map(({ start, end }) => message.slice(start, end))
  const others = blocks.filter((block) => fieldsOf(JSON.parse(block))['type'] !== 'compaction')
  return `${message.slice(0, list.start)}[${others.join(',')}]${message.slice(list.end)}`
}
