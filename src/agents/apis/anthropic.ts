import { fieldsOf, type ElementPlace } from '../../session/entry.ts'
import { KeptAnswers } from '../../session/kept-answers.ts'
import { ACKNOWLEDGEMENT, readCompactionText, readResultHead } from '../../session/message-text.ts'
import {
  textBlocks,
  type ContentBlock,
  type Message,
  type ToolResultMessage,
  type UserAnswer,
} from '../../session/message.ts'
import { readFileLists } from '../../session/read-entry.ts'
import { describeMessage, type ListReader, type ListSink, type Sample, type ValueReader } from '../reader.ts'
import { blockText, clientMessages, said, type AnswerFacts } from '../shared/messages.ts'
import { asText, type Fields } from '../shared/values.ts'
import { describeAnswer, readAnthropicBlocks } from './anthropic-blocks.ts'
import { readCompactSummary, splitClientText } from './claude-code-text.ts'
import { describeClineAnswer, isOfClient, readClineText } from './cline-messages.ts'

/** Messages of Anthropic's API: a request, or its list of messages. */
export const anthropicReader: ListReader = {
  detect: isAnthropic,
  describe: (message) => ({ ...describeMessage(message), ...(hasCompaction(message) ? { hasSummary: true } : {}) }),
  open: (sink) => new MessagesReader(sink),
}

const hasCompaction = ({ content }: Fields): boolean =>
  Array.isArray(content) && content.some((block) => fieldsOf(block)['type'] === 'compaction')

/** Blocks that only Anthropic's API has. */
const OWN_BLOCKS = new Set([
  ...['tool_use', 'tool_result', 'redacted_thinking', 'server_tool_use', 'mcp_tool_use', 'compaction'],
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
    return Array.isArray(content) && content.some((block) => OWN_BLOCKS.has(asText(fieldsOf(block)['type'])))
  })
}

/** Where a client of the API puts summaries and the words of the user. */
interface ClientForm {
  /** Returns the summary that a whole message is; undefined for other messages. */
  readSummary: (message: Fields) => string | undefined
  /** Returns what the user said in a text of a result of a tool. */
  readAnswers: (toolName: string, text: string) => UserAnswer[]
}

/** A request has the summaries of this service and of Claude Code, by their words. */
const REQUEST: ClientForm = {
  readSummary: (message) => readCompactionText(onlyText(message['content'])) ?? readPreamble(message),
  readAnswers: () => [],
}

/** Reads messages of Anthropic's API, also as Cline stores them. */
export class MessagesReader implements ValueReader {
  readonly #sink: ListSink
  readonly #form: ClientForm
  readonly #kept = new KeptAnswers()
  /** The names of the tools, by the id of each call. */
  readonly #toolNames = new Map<string, string>()

  constructor(sink: ListSink, form = REQUEST) {
    this.#sink = sink
    this.#form = form
  }

  read(value: unknown, place: ElementPlace): void {
    const message = fieldsOf(value)
    const id = asText(message['id'])
    const add = (read: Message): void => this.#sink.add({ type: 'message', id, message: read }, place)
    const whole = this.#form.readSummary(message)
    const summary = whole ?? readCompaction(message['content'])
    const { details } = fieldsOf(message['metadata'])
    if (summary !== undefined) this.#sink.add({ type: 'compaction', id, summary, files: readFileLists(details) }, place)
    const { role, content } = message
    if (whole !== undefined) this.#kept.compact(timeOf(message))
    // A block of the API replaces all messages before it.
    else if (summary !== undefined) this.#kept.replaceAll()
    if (whole !== undefined) return
    if (role === 'assistant' && onlyText(content) === ACKNOWLEDGEMENT) return
    const { blocks, results, attached } = readAnthropicBlocks(content, this.#sink.ignore)
    for (const block of blocks) if (block.type === 'toolCall') this.#toolNames.set(block.id, block.name)
    switch (message['role']) {
      case 'assistant':
        add({ role: 'assistant', content: blocks, ...this.#describe(message) })
        for (const result of results) add(result)
        return
      case 'user':
        for (const result of results) add({ ...result, ...said(this.#answersIn(result)) })
        for (const read of isOfClient(message) ? clientMessages(blocks) : readUser(blocks, attached)) add(read)
        return
      case 'system':
        return
      default:
        this.#sink.ignore('roles', asText(message['role']))
    }
  }

  #answersIn({ toolCallId, toolName, isError, content }: ToolResultMessage): UserAnswer[] {
    const name = this.#toolNames.get(toolCallId) ?? toolName
    return isError ? [] : content.flatMap((block) => this.#form.readAnswers(name, blockText(block)))
  }

  #describe(message: Fields): AnswerFacts {
    const { usage, ...others } = { ...describeAnswer(message), ...describeClineAnswer(message) }
    return { ...others, ...this.#kept.describe(usage, timeOf(message)) }
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
  return blocks.length === 1 ? asText(fieldsOf(blocks[0])['text']) : ''
}

/** Returns the summary of the newest compaction block of a message; one without content has failed. */
function readCompaction(content: unknown): string | undefined {
  const blocks: Fields[] = Array.isArray(content) ? content.map(fieldsOf) : []
  const { content: summary } = blocks.findLast(({ type }) => type === 'compaction') ?? {}
  return typeof summary === 'string' ? summary : undefined
}

/** Returns what the user wrote, and what the client wrote or attached in the user's role. */
function readUser(blocks: readonly ContentBlock[], attached: ReadonlySet<ContentBlock>): Message[] {
  const own: ContentBlock[] = []
  const clients: ContentBlock[] = []
  let isInResult = false
  for (const block of blocks) {
    if (block.type !== 'text') {
      const author = isInResult ? clients : own
      author.push(block)
      continue
    }
    const { text, isClients } = readClineText(block.text)
    // Old versions of Cline write a result as text, below a head.
    isInResult ||= readResultHead(text) !== undefined
    const isOthers = isClients || isInResult || attached.has(block)
    const split = isOthers ? { client: textBlocks(text), own: [] } : splitClientText(text)
    own.push(...split.own)
    clients.push(...split.client)
  }
  return [...(own.length === 0 ? [] : [{ role: 'user' as const, content: own }]), ...clientMessages(clients)]
}
