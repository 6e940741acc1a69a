import { fieldsOf, isObject, type ElementPlace, type ProjectFile } from '../../session/entry.ts'
import { KeptAnswers } from '../../session/kept-answers.ts'
import { textOf, type ContentBlock, type Message } from '../../session/message.ts'
import { readSnapshot } from '../apis/gemini-contents.ts'
import {
  CallNames,
  isAcknowledgementText,
  readGeminiParts,
  readGeminiUsage,
  readGeminiUser,
} from '../apis/gemini-parts.ts'
import { timeFact, type ElementFacts, type EntrySink, type SessionReader, type ValueReader } from '../reader.ts'
import { blockText, markResult, modelFact, said, thinkingBlocks, toolCall } from '../shared/messages.ts'
import { readAnswersJson } from '../shared/user-answers.ts'
import { asText, type Fields, listOf } from '../shared/values.ts'
import { GeminiRecords, RECORD_TYPES, type StoredRecord } from './records.ts'

/** Sessions of Gemini CLI (0.61.0): JSONL, and the single object of older versions. */
export const geminiReader: SessionReader = {
  detect: ({ values }) => values.some(isGeminiLine),
  open: (sink) => new GeminiReader(sink),
}

function isGeminiLine(value: unknown): boolean {
  if (!isObject(value)) return false
  if (typeof value['projectHash'] === 'string' || value['$rewindTo'] !== undefined) return true
  if (isObject(value['$set'])) return true
  const isRecord = RECORD_TYPES.has(value['type']) && typeof value['id'] === 'string' && value['content'] !== undefined
  return isRecord && value['role'] === undefined && value['parentId'] === undefined
}

class GeminiReader implements ValueReader {
  readonly #sink: EntrySink
  /** The messages that compactions have covered. */
  readonly #covered: StoredRecord[] = []
  readonly #records = new GeminiRecords()
  readonly #names = new CallNames()
  readonly #answered = new Set<string>()
  readonly #kept = new KeptAnswers()

  constructor(sink: EntrySink) {
    this.#sink = sink
  }

  read(value: unknown, place: ElementPlace): void {
    const line = fieldsOf(value)
    const type = asText(line['type'])
    if (type !== '' && !RECORD_TYPES.has(type)) this.#sink.ignore('entryTypes', type)
    const leftOut = this.#records.apply(line, place)
    // Messages that are not in a list that begins with a summary are covered by it.
    if (leftOut.length === 0 || !this.#records.all().some(({ record }) => this.#snapshotOf(record) !== undefined))
      return
    for (const stored of leftOut) this.#covered.push(stored)
  }

  end(): void {
    const records = this.#records.all()
    for (const { record, place } of [...this.#covered, ...records]) this.#add(record, place)
    this.#sink.setElements(records.map(({ record, place }) => ({ ...place, ...describeRecord(record) })))
  }

  #snapshotOf({ type, content }: Fields): string | undefined {
    const first: unknown = Array.isArray(content) ? content[0] : content
    return type === 'user' ? readSnapshot(asText(first) || asText(fieldsOf(first)['text'])) : undefined
  }

  #add(record: Fields, place: ElementPlace): void {
    const id = asText(record['id'])
    const summary = this.#snapshotOf(record)
    if (summary !== undefined) {
      // The messages that the compaction has kept are repeated after it, with their results.
      this.#answered.clear()
      this.#kept.compact(record['timestamp'])
      this.#sink.add({ type: 'compaction', id, summary }, place)
      return
    }
    const split = readGeminiParts(record['content'], this.#names)
    const { blocks, results } = split
    if (record['type'] === 'user') {
      this.#sink.aside(id, [], readContextFiles(blocks))
      this.#addMessages([...results.filter((result) => this.#isNew(result)), ...readGeminiUser(split)], id, place)
      return
    }
    if (record['type'] !== 'gemini' || isAcknowledgementText(blocks)) return
    const calls = listOf(record['toolCalls']).map(readCall)
    const known = new Set(blocks.flatMap((block) => (block.type === 'toolCall' ? block.id : [])))
    const own = calls.filter(({ call }) => !known.has(call.id)).map(({ call }) => call)
    const hasThoughts = blocks.some((block) => block.type === 'thinking')
    const content = [...(hasThoughts ? [] : readThoughts(record['thoughts'])), ...blocks, ...own]
    const { model, timestamp, tokens } = record
    const facts = { ...modelFact(model), ...this.#kept.describe(readGeminiUsage(tokens).usage, timestamp) }
    const answers = calls.flatMap(({ result }) => (result !== undefined && this.#isNew(result) ? [result] : []))
    this.#addMessages([{ role: 'assistant', content, ...facts }, ...answers], id, place)
  }

  #addMessages(messages: readonly Message[], id: string, place: ElementPlace): void {
    for (const message of messages) this.#sink.add({ type: 'message', id, message }, place)
  }

  /** A result is in its call, in the next record of the user, and after a resume a third time as `ID_response`. */
  #isNew(message: Message): boolean {
    if (message.role !== 'toolResult') return true
    const id = withoutSuffix(message.toolCallId)
    message.toolCallId = id
    if (this.#answered.has(id)) return false
    this.#answered.add(id)
    return true
  }
}

const withoutSuffix = (id: string): string => (id.endsWith('_response') ? id.slice(0, -'_response'.length) : id)

/** Returns what a compaction that is written back must know of a record. */
const describeRecord = ({ id, type, timestamp }: Fields): ElementFacts => ({
  ...(asText(id) === '' ? {} : { id: asText(id) }),
  ...(type === 'gemini' ? { kind: 'assistant' } : {}),
  ...timeFact(timestamp),
})

/** Gemini CLI's own tool that asks the user: those of servers have longer names. */
const QUESTION_TOOL = 'ask_user'

function readCall({ id, name, args, result, status }: Fields) {
  // After a resume, each call has the results of all calls of its turn.
  const { results } = readGeminiParts(result, new CallNames())
  const found = results.find((one) => withoutSuffix(one.toolCallId) === id) ?? results[0]
  const hasFailed = status === 'error' || status === 'cancelled'
  const isAnswered = name === QUESTION_TOOL && status === 'success'
  return {
    call: toolCall(id, name, args),
    result: found && {
      ...markResult(found, { hasFailed }),
      toolCallId: asText(id),
      ...said(isAnswered ? readAnswersJson(textOf(found.content)) : []),
    },
  }
}

const readThoughts = (thoughts: unknown): ContentBlock[] =>
  listOf(thoughts).flatMap(({ subject, description }) =>
    thinkingBlocks([asText(subject), asText(description)].filter(Boolean).join(': ')),
  )

/** The folder in which Gemini CLI runs is the first one that it names; older versions have a sentence about it. */
const FOLDER =
  /(?:\*\*Workspace Directories:\*\*\n {2}- |currently working in the directory: |currently working in the following directories:\n {2}- )(\/[^\n]{1,1000})/

/** Returns the folder that the first record of the user names. */
export const readWorkspace = ({ type, content }: Fields): string | undefined =>
  type === 'user' ? FOLDER.exec(contextIn(listOf(content).map(({ text }) => asText(text))))?.[1] : undefined

const contextIn = (texts: readonly string[]): string => texts.find((one) => one.startsWith('<session_context>')) ?? ''

const FILE_START = '--- Context from: '
const FILE_END = '--- End of Context from: '
const FILE_LINE_END = ' ---'

/**
 * Returns the files of the project, such as GEMINI.md, that Gemini CLI (0.61.0) shows in the first record of the user, each between two
 * lines with its path.
 */
function readContextFiles(blocks: readonly ContentBlock[]): ProjectFile[] {
  const [, ...files] = contextIn(blocks.map(blockText)).split(`\n${FILE_START}`)
  return files.flatMap((file) => {
    const [first = ''] = file.split('\n', 1)
    const end = file.indexOf(`\n${FILE_END}`)
    if (!first.endsWith(FILE_LINE_END) || end < first.length) return []
    return { path: first.slice(0, -FILE_LINE_END.length), text: file.slice(first.length, end) }
  })
}
