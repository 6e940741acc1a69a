import type { RawContentBlock, RawMessage } from '../../schemas/message.ts'
import { ACKNOWLEDGEMENT, readCompactionText } from '../message-text.ts'
import { fieldsOf, type ElementPlace } from '../entry.ts'
import { KeptAnswers } from '../kept-answers.ts'
import { describeAnswer, readBlocks, textOf } from './anthropic-blocks.ts'
import {
  readClineSummary,
  readClineText,
  describeClineAnswer,
  isClineMessage,
  isLegacyMessage,
} from './cline-messages.ts'
import { LegacyReader } from './cline-legacy.ts'
import { readCompactSummary } from './claude-code-user.ts'
import type { Format, FormatReader, FormatSink, Sample } from './format.ts'

type Fields = Readonly<Record<string, unknown>>

const open = (sink: FormatSink): FormatReader => new MessagesReader(sink)

/** Messages of Anthropic's API: a request, or its list of messages. */
export const ANTHROPIC: Format = { id: 'anthropic', detect: isAnthropic, open }

/** Sessions of Cline's SDK format (CLI 3.x), and their compacted copies. */
export const CLINE: Format = { id: 'cline', detect: ({ values }) => values.some(isClineMessage), open }

/** `api_conversation_history.json` of Cline, Roo and Kilo: Anthropic's messages with a time. */
export const CLINE_LEGACY: Format = {
  id: 'cline-legacy',
  detect: ({ values }) => values.some(isLegacyMessage),
  open: (sink) => new LegacyReader(new MessagesReader(sink)),
}

/** Blocks that only Anthropic's API has. */
const OWN_BLOCKS = new Set([
  'tool_use',
  'tool_result',
  'redacted_thinking',
  'server_tool_use',
  'mcp_tool_use',
  'compaction',
])

/** Roles of OpenAI's chat API. */
const CHAT_ROLES = new Set<unknown>(['system', 'developer', 'tool', 'function'])

function isAnthropic({ fields, values }: Sample): boolean {
  const messages = values.map(fieldsOf).filter(({ role }) => typeof role === 'string')
  if (messages.length === 0) return false
  const isChat = messages.some(({ role, tool_calls: calls }) => CHAT_ROLES.has(role) || calls !== undefined)
  if (!isChat && (fields['anthropic_version'] !== undefined || fields['system'] !== undefined)) return true
  return messages.some((message) => {
    const { content } = message
    return Array.isArray(content) && content.some((block) => OWN_BLOCKS.has(textOf(fieldsOf(block)['type'])))
  })
}

class MessagesReader implements FormatReader {
  readonly #sink: FormatSink
  readonly #kept = new KeptAnswers()

  constructor(sink: FormatSink) {
    this.#sink = sink
  }

  read(value: unknown, place: ElementPlace): void {
    const message = fieldsOf(value)
    const id = textOf(message['id'])
    const add = (read: RawMessage): void => {
      this.#sink.add({ type: 'message', ...(id === '' ? {} : { id }), message: read }, place)
    }
    const summary = readClineSummary(message) ?? readCompaction(message['content']) ?? readPreamble(message)
    const { details } = fieldsOf(message['metadata'])
    const facts = { ...(id === '' ? {} : { id }), ...(details === undefined ? {} : { details }) }
    if (summary !== undefined) this.#sink.add({ type: 'compaction', ...facts, summary }, place)
    const { role, content } = message
    const isOnlySummary =
      (readClineSummary(message) ?? readPreamble(message) ?? readCompactionText(onlyText(content))) !== undefined
    if (isOnlySummary) this.#kept.compact(timeOf(message))
    // A block of the API replaces all messages before it.
    else if (summary !== undefined) this.#kept.replaceAll()
    if (isOnlySummary) return
    if (role === 'assistant' && onlyText(content) === ACKNOWLEDGEMENT) return
    const { blocks, results } = readBlocks(content, (type) => {
      this.#sink.ignore('blocks', type)
    })
    switch (message['role']) {
      case 'assistant':
        add({ role: 'assistant', content: blocks, ...this.#describe(message) })
        for (const result of results) add(result)
        return
      case 'user':
        for (const result of results) add(result)
        for (const read of readUser(blocks)) add(read)
        return
      case 'system':
        return
      default:
        this.#sink.ignore('roles', textOf(message['role']))
    }
  }

  #describe(message: Fields): object {
    const { usage, ...others } = { ...describeAnswer(message), ...describeClineAnswer(message) }
    return usage === undefined || this.#kept.has(timeOf(message)) ? others : { ...others, usage }
  }
}

/** Returns when a message of Cline, or of a list with times, was written. */
const timeOf = ({ ts, timestamp, metadata }: Fields): unknown => ts ?? timestamp ?? fieldsOf(metadata)['generatedAt']

/** Returns the summary with which Claude Code begins its requests after a compaction. */
const readPreamble = (message: Fields): string | undefined =>
  message['role'] === 'user' ? readCompactSummary({ message }) : undefined

/** Returns the text of a content that has nothing else. */
function onlyText(content: unknown): string {
  const blocks: unknown[] = Array.isArray(content) ? content : [{ text: content }]
  return blocks.length === 1 ? textOf(fieldsOf(blocks[0])['text']) : ''
}

/** Returns the summary of the newest compaction block of a message; one without content has failed. */
function readCompaction(content: unknown): string | undefined {
  const written = readCompactionText(onlyText(content))
  if (written !== undefined) return written
  const blocks: Fields[] = Array.isArray(content) ? content.map(fieldsOf) : []
  const { content: summary } = blocks.findLast(({ type }) => type === 'compaction') ?? {}
  return typeof summary === 'string' ? summary : undefined
}

/** Returns what the user wrote, and what the client wrote in the user's role. */
function readUser(blocks: readonly RawContentBlock[]): RawMessage[] {
  const own: RawContentBlock[] = []
  const clients: RawContentBlock[] = []
  for (const block of blocks) {
    if (block.type !== 'text') {
      own.push(block)
      continue
    }
    const { text, isClients } = readClineText(textOf(block['text']))
    if (text !== '') (isClients ? clients : own).push({ type: 'text', text })
  }
  return [
    ...(own.length === 0 ? [] : [{ role: 'user' as const, content: own }]),
    ...(clients.length === 0 ? [] : [{ role: 'custom' as const, content: clients }]),
  ]
}
