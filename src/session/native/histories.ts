import { fieldsOf } from '../entry.ts'
import { ACKNOWLEDGEMENT, wrapCompactionSummary } from '../message-text.ts'
import { ACKNOWLEDGEMENT as SNAPSHOT_ACKNOWLEDGEMENT, wrapSnapshot } from './gemini.ts'
import type { NativeFormat, PostedSession } from './native-format.ts'
import { rawElements, rawParts, type RawElement } from './raw-json.ts'

/** How a list of messages is written. */
interface ListStyle {
  /** Returns the summary as a message of the user. */
  summaryMessage: (summary: string) => object
  /** The model's answer to it, for lists where the roles must alternate. */
  acknowledgement?: object
  /** Whether instructions may stand before all messages. */
  beginsWithInstructions?: boolean
  /** Returns a kept message, without what has no effect after the summary. */
  keep?: (message: string) => string
}

interface HistoryMaterial {
  instructions: readonly string[]
  /** The kept messages, as JSON. */
  messages: readonly string[]
  beginsWithAnswer: boolean
}

const asItIs = (message: string): string => message

const chatSummary = (summary: string) => ({ role: 'user', content: wrapCompactionSummary(summary) })
const chatAcknowledgement = { role: 'assistant', content: ACKNOWLEDGEMENT }

/** The formats that are lists of messages: a client sends the whole list each time, so the compacted list replaces it. */
export const HISTORIES = {
  chat: historyOf({
    summaryMessage: chatSummary,
    acknowledgement: chatAcknowledgement,
    beginsWithInstructions: true,
  }),
  anthropic: historyOf({ summaryMessage: chatSummary, acknowledgement: chatAcknowledgement, keep: withoutCompactions }),
  responses: historyOf({
    summaryMessage: (summary) => ({
      ...{ type: 'message', role: 'user' },
      content: [{ type: 'input_text', text: wrapCompactionSummary(summary) }],
    }),
    beginsWithInstructions: true,
  }),
  'gemini-contents': historyOf({
    summaryMessage: (summary) => ({ role: 'user', parts: [{ text: wrapSnapshot(summary) }] }),
    acknowledgement: { role: 'model', parts: [{ text: SNAPSHOT_ACKNOWLEDGEMENT }] },
  }),
}

function historyOf(style: ListStyle): NativeFormat<HistoryMaterial> {
  const { summaryMessage, acknowledgement, beginsWithInstructions = false, keep = asItIs } = style
  return {
    prepare(session) {
      const { instructions, messages } = splitList(session)
      const [first] = messages
      if (first === undefined) return undefined
      const { role } = fieldsOf(JSON.parse(first))
      return { instructions, messages: messages.map(keep), beginsWithAnswer: role === 'assistant' || role === 'model' }
    },

    write({ instructions, messages, beginsWithAnswer }, { summary }) {
      const written = [JSON.stringify(summaryMessage(summary))]
      const answer = acknowledgement === undefined || beginsWithAnswer ? [] : [JSON.stringify(acknowledgement)]
      const [first, second] = beginsWithInstructions ? [instructions, written] : [written, instructions]
      const list = [...first, ...second, ...answer, ...messages]
      return { mode: 'replace', contentType: 'application/json', body: `[${list.join(',')}]` }
    },
  }
}

const INSTRUCTION_ROLES = new Set<unknown>(['system', 'developer'])

/** Returns the instructions before the kept messages, and these as they came. */
function splitList(session: PostedSession): { instructions: string[]; messages: string[] } {
  const { kept, isWhole } = session
  const [first] = kept
  const end = isWhole ? Infinity : (kept.at(-1)?.index ?? first.index)
  const elements = rawElements(session).filter(({ index }) => index <= end)
  const before = elements.filter(({ index }) => index < first.index)
  const instructions = before.filter(({ text }) => INSTRUCTION_ROLES.has(fieldsOf(JSON.parse(text))['role']))
  const start = before.length - countReasoning(before)
  const messages = elements.slice(start)
  return { instructions: textsOf(instructions), messages: textsOf(messages) }
}

const textsOf = (elements: readonly RawElement[]): string[] => elements.map(({ text }) => text)

/**
 * Returns how many items at the end are reasoning: that of the answer after them, which is not valid without it. It is an entry of
 * its own only if it can be read.
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
