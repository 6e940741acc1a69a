import { fieldsOf, isObject, type ElementPlace, type SourceElement } from '../../session/entry.ts'
import { textOf, type Message } from '../../session/message.ts'
import { describeAnswer, readAnthropicBlocks } from '../apis/anthropic-blocks.ts'
import { readCompactSummary, readQueuedPrompt, readUserMessages } from '../apis/claude-code-text.ts'
import type { SessionReader, ValueReader, EntrySink, ResultGroup } from '../reader.ts'
import { AnswerBuffer } from '../shared/answer-buffer.ts'
import { withPrune, withTime } from '../shared/messages.ts'
import { asText } from '../shared/values.ts'
import { ClaudeAnswers } from './answers.ts'
import { readAsides, readProjectFiles, readSideChain, readUnsaid } from './asides.ts'
import { FileLines } from './file-lines.ts'
import {
  isBoundary,
  isClaudeLine,
  isCompaction,
  isKnownType,
  preservedBy,
  summaryEntry,
  type FileLine,
  type Line,
  type Node,
  type Preserved,
} from './lines.ts'

/** Sessions of Claude Code: JSONL, a tree by `uuid` and `parentUuid` (files of the versions 1.0.98 to 2.1.330). */
export const claudeCodeReader: SessionReader = {
  detect: ({ values }) => values.some((value) => isObject(value) && isClaudeLine(value)),
  open: (sink) => new ClaudeCodeReader(sink),
}

class ClaudeCodeReader implements ValueReader {
  readonly #sink: EntrySink
  /** Claude Code writes each block of an answer on a line of its own, with the same `message.id`. */
  readonly #answers: AnswerBuffer
  #messageId = ''
  /** The results of the calls of a message, by the id of each call. */
  readonly #results = new Map<string, ResultGroup>()
  readonly #said = new ClaudeAnswers()
  /** The lines that the newest compaction has kept. A line that follows one of them in the file follows the compaction. */
  #kept: Preserved = { ids: new Set(), anchorId: '' }
  #compactionId: string | undefined
  readonly #file: FileLines
  /** By their ids, in the order in which they are read. */
  readonly #lines = new Map<string, SourceElement>()
  #lastId: string | null = null

  constructor(sink: EntrySink) {
    this.#sink = sink
    this.#answers = new AnswerBuffer(sink)
    this.#file = new FileLines(this)
  }

  read(value: unknown, place: ElementPlace): void {
    const line = fieldsOf(value)
    const type = asText(line['type'])
    if (!isKnownType(type)) this.#sink.ignore('entryTypes', type)
    this.#file.add(line, place)
  }

  end(): void {
    const leafId = this.#file.end()
    this.#answers.close()
    this.#sink.setElements([...this.#lines.values()])
    if (leafId !== '') this.#sink.setLeaf(leafId)
  }

  clear(): void {
    for (const part of [this.#answers, this.#results, this.#lines, this.#sink]) part.clear()
    this.#lastId = null
  }

  /** A boundary is a root of the file. Its logical parent is the last line before the compaction. */
  #parentOf(id: string, line: Line): string | null {
    const parentId = asText(line['parentUuid']) || asText(line['logicalParentUuid'])
    if (!this.#lines.has(parentId) && isCompaction(line)) return this.#lastId
    const { ids } = this.#kept
    if (this.#compactionId !== undefined && ids.has(parentId) && !ids.has(id)) return this.#compactionId
    return parentId === '' ? null : parentId
  }

  readonly readLine = (read: FileLine): void => {
    const { id, line, place } = read
    this.#lines.set(id, place)
    const node: Node = { ...read, parentId: this.#parentOf(id, line) }
    const type = asText(line['type'])
    const prompt = type === 'attachment' ? readQueuedPrompt(line) : []
    if (type === 'assistant') this.#readAssistant(node)
    else if (type === 'user') this.#readUser(node)
    else if (prompt.length > 0) this.#addMessages(prompt, node)
    else {
      this.#sink.skip(node.id, node.parentId)
      this.#sink.aside(node.id, readAsides(line), readProjectFiles(line))
      this.#sink.sideChain(node.id, readSideChain(line))
      if (!isBoundary(line)) return
      this.#answers.close()
      this.#kept = preservedBy(line)
      this.#compactionId = undefined
    }
  }

  /** The work of another agent is after the line of this one that stands before it in the file. */
  readonly readAside = (line: Line, before: string): void => this.#sink.sideChain(before, readSideChain(line))

  #readAssistant(node: Node): void {
    const { id, parentId, line } = node
    const raw = fieldsOf(line['message'])
    node.place.kind = 'assistant'
    const isProblem = line['isApiErrorMessage'] === true
    // Written by the client: "No response requested."
    if (raw['model'] === '<synthetic>' && !isProblem) {
      this.#sink.skip(id, parentId)
      return
    }
    const { blocks } = readAnthropicBlocks(raw['content'], this.#sink.ignore)
    const messageId = asText(raw['id'])
    const { open } = this.#answers
    if (open !== undefined && messageId === this.#messageId && messageId !== '') {
      this.#sink.skip(id, open.id ?? null)
      node.place.entryIndex = open.place.index
    } else {
      this.#answers.begin(node)
      this.#messageId = messageId
      this.#lastId = id
    }
    // An error of the API, which the client wrote as a message.
    const facts = isProblem
      ? { stopReason: 'error', errorMessage: textOf(blocks) }
      : withTime(describeAnswer(raw), line['timestamp'])
    const group = this.#answers.extend(isProblem ? [] : blocks, facts)
    this.#said.addCalls(blocks)
    for (const block of blocks) if (block.type === 'toolCall') this.#results.set(block.id, group)
  }

  #readUser(node: Node): void {
    const { id, parentId, line } = node
    const summary = readCompactSummary(line)
    if (summary !== undefined) {
      this.#addSummary(summary, node)
      return
    }
    const { blocks, results, attached } = readAnthropicBlocks(fieldsOf(line['message'])['content'], this.#sink.ignore)
    const pruned = results.map((result) => withPrune(result, line['prunedAt']))
    const messages = [...this.#said.mark(pruned, line), ...readUserMessages(line, blocks, attached)]
    if (messages.length === 0) this.#sink.skip(id, parentId)
    this.#sink.aside(id, readUnsaid(blocks, messages.length > 0))
    this.#addMessages(messages, node)
  }

  /** A line after this one follows all of its messages. */
  #addMessages(messages: readonly Message[], { id, parentId, place }: Node): void {
    let [last, group]: [string | null, ResultGroup] = [parentId, { lastId: id }]
    for (const [index, message] of messages.entries()) {
      const called = message.role === 'toolResult' ? this.#results.get(message.toolCallId) : undefined
      if (called !== undefined) [last, group] = [called.lastId, called]
      // The result of a call that is missing may be between the lines of an answer.
      else if (message.role !== 'toolResult') this.#answers.close()
      group.lastId = index === 0 ? id : `${id}.${index + 1}`
      this.#add([{ type: 'message', id: group.lastId, parentId: last, message }, place, group])
      last = group.lastId
    }
  }

  #addSummary(summary: string, node: Node): void {
    this.#answers.close()
    this.#compactionId = node.id
    this.#add([summaryEntry(summary, node, { ...this.#kept, has: this.#sink.has }), node.place])
  }

  #add(added: Parameters<EntrySink['add']>): void {
    this.#lastId = added[0].id ?? this.#lastId
    this.#answers.add(...added)
  }
}
