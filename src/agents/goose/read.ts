import type { ContentBlock, Message } from '../../session/message.ts'
import { fieldsOf, isObject, type ElementPlace } from '../../session/entry.ts'
import { readAnthropicBlocks } from '../apis/anthropic-blocks.ts'
import type { SessionReader, ValueReader, EntrySink } from '../reader.ts'
import { imageBlock, thinkingBlocks, toolCall, toolResult } from '../shared/messages.ts'
import { asText, type Fields, listOf } from '../shared/values.ts'

/** Sessions of Goose: the output of `goose session export --format json`, or the JSONL of versions before 1.10. */
export const gooseReader: SessionReader = {
  detect: ({ values }) => values.some(isGooseMessage),
  open: (sink) => new GooseReader(sink),
}

const OWN_PARTS = new Set(['toolRequest', 'toolResponse', 'systemNotification', 'conversationCompacted'])

function isGooseMessage(value: unknown): boolean {
  const { role, created, content, metadata } = fieldsOf(value)
  if (typeof role !== 'string' || !Array.isArray(content)) return false
  const { userVisible, agentVisible } = fieldsOf(metadata)
  if (typeof created === 'number' || typeof (userVisible ?? agentVisible) === 'boolean') return true
  return listOf(content).some(({ type }) => OWN_PARTS.has(asText(type)))
}

/** Parts for a user interface only. */
const SILENT_PARTS = new Set([
  ...['toolConfirmationRequest', 'actionRequired', 'systemNotification', 'conversationCompacted', 'redactedThinking'],
])

class GooseReader implements ValueReader {
  readonly #sink: EntrySink
  /** Whether there are messages that the model does not see: those that the next summary covers. */
  #hasHidden = false
  #isAfterSummary = false

  constructor(sink: EntrySink) {
    this.#sink = sink
  }

  read(value: unknown, place: ElementPlace): void {
    const message = fieldsOf(value)
    if (!Array.isArray(message['content'])) return
    const { agentVisible, userVisible } = fieldsOf(message['metadata'])
    const isForModel = agentVisible !== false && userVisible === false
    if (agentVisible === false) this.#hasHidden = true
    if (isForModel && this.#hasHidden && message['role'] === 'user') this.#readSummary(message, place)
    // After the summary, Goose writes a sentence for the model.
    else if (!(isForModel && this.#isAfterSummary && message['role'] === 'assistant')) this.#readMessage(message, place)
  }

  #readSummary(message: Fields, place: ElementPlace): void {
    const texts = listOf(message['content']).map(({ text }) => asText(text))
    this.#hasHidden = false
    this.#isAfterSummary = true
    this.#sink.add({ type: 'compaction', id: asText(message['id']), summary: texts.join('\n').trim() }, place)
  }

  #readMessage(message: Fields, place: ElementPlace): void {
    const { role, content, metadata } = message
    const parts = listOf(content)
    const blocks = parts.flatMap(this.#readPart)
    const results = parts.filter(({ type }) => type === 'toolResponse').map(this.#readResult)
    const add = (read: Message): void => {
      this.#sink.add({ type: 'message', id: asText(message['id']), message: read }, place)
    }
    for (const result of results) add(result)
    if (blocks.length === 0) return
    if (role === 'assistant') add({ role, content: blocks })
    else if (role === 'user')
      add({ role: fieldsOf(metadata)['userVisible'] === false ? 'custom' : 'user', content: blocks })
    else this.#sink.ignore('roles', asText(role))
  }

  readonly #readPart = (part: Fields): ContentBlock[] => {
    const type = asText(part['type'])
    switch (type) {
      case 'toolRequest':
      case 'frontendToolRequest':
        return [readCall(part)]
      case 'toolResponse':
        return []
      case 'reasoning':
        return thinkingBlocks(part['text'])
      case 'image':
        return [imageBlock({ data: part['data'], mimeType: part['mimeType'] })]
      default:
        if (SILENT_PARTS.has(type)) return []
        return readAnthropicBlocks([part], (unknown) => {
          this.#sink.ignore('blocks', unknown)
        }).blocks
    }
  }

  readonly #readResult = ({ id, toolResult: result }: Fields): Message => {
    const { status, value, error } = fieldsOf(result)
    const parts = Array.isArray(value) ? (value as unknown) : fieldsOf(value)['content']
    const { isError } = fieldsOf(value)
    const hasFailed = status === 'error' || isError === true
    const content = listOf(parts).flatMap(this.#readPart)
    const isMarked = hasFailed || typeof isError === 'boolean'
    return toolResult(id, status === 'error' ? asText(error) || JSON.stringify(error ?? '') : content, {
      isError: isMarked ? hasFailed : undefined,
    })
  }
}

function readCall({ id, toolCall: call }: Fields): ContentBlock {
  const { value, error } = fieldsOf(call)
  const { name, arguments: values } = fieldsOf(isObject(value) ? value : call)
  return toolCall(id, name, values ?? (error === undefined ? {} : { error }))
}
