import { fieldsOf, isObject, type ElementPlace } from '../../session/entry.ts'
import { CLEARED_OUTPUT } from '../../session/message-text.ts'
import { textBlocks, type ContentBlock, type Message } from '../../session/message.ts'
import { textIn } from '../../text/tagged-text.ts'
import { copyTexts } from '../appender.ts'
import { describeMessage, type EntrySink, type SessionReader, type ValueReader } from '../reader.ts'
import {
  fileNote,
  imageBlock,
  modelFact,
  thinkingBlocks,
  toolCall,
  toolResult,
  type AnswerFacts,
} from '../shared/messages.ts'
import { asText, countsOf, type Fields } from '../shared/values.ts'
import { readOpencodeAnswers } from './answers.ts'
import { isFlatMessage, readFlatMessage } from './read-v2.ts'

/** Exports of opencode (`opencode export`), and lists of its messages with their parts (1.18.33). */
export const opencodeReader: SessionReader = {
  detect: ({ values }) => values.some((value) => isOpencodeMessage(value) || isFlatMessage(value)),
  describe: ({ info }) => ({ ...describeMessage(fieldsOf(info)), ...copyTexts(fieldsOf(info), ['id']) }),
  open: (sink) => new OpencodeReader(sink),
}

const isOpencodeMessage = (value: unknown): boolean =>
  isObject(value) && typeof fieldsOf(value['info'])['role'] === 'string' && Array.isArray(value['parts'])

/** Parts without a place in the conversation. */
const SILENT_PARTS = new Set([
  ...['step-start', 'step-finish', 'snapshot', 'patch', 'retry', 'agent', 'compaction', 'subtask'],
])

class OpencodeReader implements ValueReader {
  readonly #sink: EntrySink
  readonly #messages: { value: Fields; place: ElementPlace }[] = []
  /** The first message that the compaction that has begun keeps. */
  #tailStartId = ''

  constructor(sink: EntrySink) {
    this.#sink = sink
  }

  read(value: unknown, place: ElementPlace): void {
    this.#messages.push({ value: fieldsOf(value), place })
  }

  /** Messages from `revert` on are undone, until the user writes the next one. */
  end({ info }: Fields): void {
    const { messageID, partID } = fieldsOf(fieldsOf(info)['revert'])
    for (const { value, place } of this.#messages) {
      const isReverted = messageID !== undefined && fieldsOf(value['info'])['id'] === messageID
      if (isReverted && partID !== undefined) this.#readMessage(partsBefore(value, partID), place)
      if (isReverted) return
      if (isFlatMessage(value)) for (const entry of readFlatMessage(value)) this.#sink.add(entry, place)
      else this.#readMessage(value, place)
    }
  }

  #readMessage({ info, parts }: Fields, place: ElementPlace): void {
    const fields = fieldsOf(info)
    const list = Array.isArray(parts) ? parts.map(fieldsOf) : []
    if (fields['role'] === 'user') this.#readUser(asText(fields['id']), list, place)
    else if (fields['role'] === 'assistant') this.#readAssistant(fields, list, place)
    else this.#sink.ignore('roles', asText(fields['role']))
  }

  /** A compaction is asked for by a message of the user without text, and its summary is the answer. */
  #readUser(id: string, parts: readonly Fields[], place: ElementPlace): void {
    const marker = parts.find(({ type }) => type === 'compaction')
    if (marker !== undefined) this.#tailStartId = asText(marker['tail_start_id'])
    const shown = parts.filter(({ ignored }) => ignored !== true)
    const own = shown.filter(({ synthetic }) => synthetic !== true).flatMap(this.#readPart)
    const clients = shown.filter(({ synthetic }) => synthetic === true).flatMap(this.#readPart)
    if (own.length > 0) this.#add({ role: 'user', content: own }, id, place)
    if (clients.length > 0) this.#add({ role: 'custom', content: clients }, own.length > 0 ? '' : id, place)
  }

  #readAssistant(info: Fields, parts: readonly Fields[], place: ElementPlace): void {
    const id = asText(info['id'])
    const error = isObject(info['error']) ? fieldsOf(info['error']) : undefined
    if (info['summary'] === true) {
      if (error === undefined && info['finish'] !== undefined) this.#readSummary(id, parts, place)
      return
    }
    const content = parts.flatMap(this.#readPart)
    this.#add({ role: 'assistant', content, ...describe(info, error) }, id, place)
    for (const part of parts) {
      const result = part['type'] === 'tool' ? readResult(part) : undefined
      if (result !== undefined) this.#add(result, asText(part['id']), place)
    }
  }

  #readSummary(id: string, parts: readonly Fields[], place: ElementPlace): void {
    const text = parts.flatMap(({ type, text }) => (type === 'text' ? asText(text) : [])).join('\n')
    const summary = textIn(text, 'summary')?.trim() ?? text
    const kept = this.#tailStartId
    this.#tailStartId = ''
    this.#sink.add({ type: 'compaction', id, summary, ...(kept === '' ? {} : { firstKeptEntryId: kept }) }, place)
  }

  #add(message: Message, id: string, place: ElementPlace): void {
    this.#sink.add({ type: 'message', id, message }, place)
  }

  readonly #readPart = (part: Fields): ContentBlock[] => {
    const type = asText(part['type'])
    const text = asText(part['text'])
    switch (type) {
      case 'text':
        return textBlocks(text)
      case 'reasoning':
        return thinkingBlocks(text)
      case 'tool':
        return [toolCall(part['callID'], part['tool'], fieldsOf(part['state'])['input'])]
      case 'file':
        return [isImage(part) ? imageBlock({ image_url: { url: part['url'] } }) : fileNote(part['filename'])]
      default:
        if (!SILENT_PARTS.has(type)) this.#sink.ignore('blocks', type)
        return []
    }
  }
}

/** Returns a message without a part and those after it. */
function partsBefore(message: Fields, partId: unknown): Fields {
  const parts = Array.isArray(message['parts']) ? (message['parts'] as unknown[]) : []
  const end = parts.findIndex((part) => fieldsOf(part)['id'] === partId)
  return { ...message, parts: end < 0 ? parts : parts.slice(0, end) }
}

const isImage = ({ mime }: Fields): boolean => asText(mime).startsWith('image/')

/** Returns the result of a call, which is in the same part; undefined while the tool runs. */
function readResult({ callID, tool, state }: Fields): Message | undefined {
  const { status, output, error, metadata, time } = fieldsOf(state)
  if (status !== 'completed' && status !== 'error') return undefined
  const { compacted } = fieldsOf(time)
  const { exit } = fieldsOf(metadata)
  return toolResult(callID, compacted === undefined ? asText(status === 'error' ? error : output) : CLEARED_OUTPUT, {
    name: tool,
    isError: status === 'error' || undefined,
    exitCode: exit,
    isPruned: (compacted ?? null) !== null,
    answers: readOpencodeAnswers(asText(tool), fieldsOf(state)),
  })
}

const FINISHES: Readonly<Record<string, string>> = { 'tool-calls': 'toolUse' }

function describe({ finish, modelID, providerID, tokens }: Fields, error: Fields | undefined): AnswerFacts {
  const [count, cached] = [countsOf(tokens), countsOf(fieldsOf(tokens)['cache'])]
  const usage = {
    input: count('input'),
    output: count('output'),
    cacheRead: cached('read'),
    cacheWrite: cached('write'),
  }
  return {
    ...(typeof finish === 'string' ? { stopReason: FINISHES[finish] ?? finish } : {}),
    ...(error === undefined ? {} : describeError(error)),
    ...(typeof providerID === 'string' ? { provider: providerID } : {}),
    ...modelFact(modelID),
    ...(isObject(tokens) ? { usage } : {}),
  }
}

function describeError({ name, data }: Fields) {
  const isAborted = name === 'MessageAbortedError'
  return {
    stopReason: isAborted ? 'aborted' : 'error',
    errorMessage: asText(fieldsOf(data)['message']) || asText(name),
  }
}
