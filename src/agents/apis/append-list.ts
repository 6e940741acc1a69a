import { fieldsOf, type SourceElement } from '../../session/entry.ts'
import { ACKNOWLEDGEMENT, wrapCompactionSummary } from '../../session/message-text.ts'
import { replaceDocument, type SessionAppender } from '../appender.ts'
import { elementText, fieldsAround, newestTime, splitAtCut, timeOfCompaction } from '../shared/elements.ts'
import { rawField, withItems } from '../shared/raw-json.ts'
import { SNAPSHOT_ACKNOWLEDGEMENT, wrapSnapshot } from './gemini-parts.ts'
import { userItem } from './write-responses.ts'

/** The facts that decide how a new message is written. */
interface MessageStyle {
  /** Returns an id for a new message. */
  uuid: (name: string) => string
  hasTextContent: boolean
  /** In milliseconds, where the messages of the list have a time, as those of pi do. */
  timestamp?: number
}

/** How a list of messages is written. */
interface ListStyle {
  summaryMessage: (summary: string, style: MessageStyle) => object
  /** Returns the model's answer to it, for lists where the roles must alternate. */
  acknowledgement?: (style: MessageStyle) => object
  /** Whether instructions may be before all messages. */
  beginsWithInstructions?: boolean
  /** Returns a kept message, without what has no effect after the summary. */
  keep?: (message: string, element: SourceElement) => string
}

interface ListMaterial {
  instructions: readonly string[]
  /** The kept messages, as JSON. */
  messages: readonly string[]
  beginsWithAnswer: boolean
  hasTextContent: boolean
  /** The newest time of a kept message, in a list whose messages have one. */
  newestMs?: number
  /** The document around the list; undefined for a message on each line. */
  around?: readonly [before: string, after: string]
}

const asItIs = (message: string): string => message

const timed = ({ timestamp }: MessageStyle): object => (timestamp === undefined ? {} : { timestamp })
const chatSummary = (summary: string, style: MessageStyle) => ({
  ...{ role: 'user', content: wrapCompactionSummary(summary) },
  ...timed(style),
})
const chatAcknowledgement = (style: MessageStyle) => ({ role: 'assistant', content: ACKNOWLEDGEMENT, ...timed(style) })

// A client sends the whole list each time, so the compacted list replaces it.

export const chatAppender = listAppender({
  summaryMessage: chatSummary,
  acknowledgement: chatAcknowledgement,
  beginsWithInstructions: true,
})
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
  summaryMessage: (summary) => userItem(wrapCompactionSummary(summary)),
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
      const { body, isLines, kept: entries } = session
      const { before, kept } = splitAtCut(session)
      const textOf = (element: SourceElement): string => elementText(body, element)
      const [first] = kept
      if (first === undefined) return undefined
      const messages = kept.map((element, at) =>
        keep(partsFrom(textOf(element), at === 0 ? (entries[0].part ?? 0) : 0), element),
      )
      const newestMs = newestTime(kept)
      return {
        instructions: before.filter(({ kind }) => kind === 'instruction').map(textOf),
        messages,
        beginsWithAnswer: first.kind === 'assistant',
        hasTextContent: rawField(messages[0] ?? '{}', 'content')?.startsWith('"') === true,
        ...(newestMs !== undefined && { newestMs }),
        ...(isLines ? {} : { around: fieldsAround(session) }),
      }
    },

    write({ instructions, messages, newestMs, beginsWithAnswer, hasTextContent, around }, { summary, uuid, at }) {
      const timestamp = newestMs === undefined ? {} : { timestamp: timeOfCompaction(at, newestMs) }
      const added = { uuid, hasTextContent, ...timestamp }
      const written = [JSON.stringify(summaryMessage(summary, added))]
      const answer = beginsWithAnswer || acknowledgement === undefined ? [] : [JSON.stringify(acknowledgement(added))]
      const [first, second] = beginsWithInstructions ? [instructions, written] : [written, instructions]
      const list = [...first, ...second, ...answer, ...messages]
      const history = `[${list.join(',')}]`
      if (around === undefined)
        return { mode: 'replace', contentType: 'application/x-ndjson', body: `${list.join('\n')}\n`, history }
      return { ...replaceDocument(around.join(list.join(','))), history }
    },
  }
}

/** Returns a message with its parts from a position on: a `UIMessage` has all steps of an answer, of which some may stay. */
const partsFrom = (message: string, at: number): string =>
  at === 0 ? message : withItems(message, 'parts', (parts) => parts.slice(at))

/** Returns a message without compactions: the server would leave out everything before them, the summary included. */
function withoutCompactions(message: string, { hasSummary }: SourceElement): string {
  const isCompaction = (block: string): boolean => fieldsOf(JSON.parse(block))['type'] === 'compaction'
  return hasSummary === true
    ? withItems(message, 'content', (blocks) => blocks.filter((block) => !isCompaction(block)))
    : message
}
