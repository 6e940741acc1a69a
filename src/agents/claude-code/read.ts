import { fieldsOf, isObject, type ElementPlace, type SourceElement } from '../../session/entry.ts'
import { textOf } from '../../session/message.ts'
import { textBlocks } from '../shared/messages.ts'
import { AnswerBuffer } from '../shared/answer-buffer.ts'
import { describeAnswer, readBlocks } from '../apis/anthropic-blocks.ts'
import { isClaudeLine, isCompaction, isKnownType, preservedBy, type Line, type Node, type Preserved } from './lines.ts'
import { ClaudeAnswers } from './answers.ts'
import { CallResults } from './call-results.ts'
import { LeafFinder } from './leaf.ts'
import { queuedPrompt, readCompactSummary, readUserMessages } from './user.ts'
import type { SessionReader, ValueReader, EntrySink, ResultGroup } from '../reader.ts'
import { asText } from '../shared/values.ts'

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
  readonly #results = new CallResults()
  readonly #said = new ClaudeAnswers()
  /** The lines that the newest compaction has kept. A line that follows one of them in the file follows the compaction. */
  #kept: Preserved = { ids: new Set() }
  #compactionId: string | undefined
  /** By their ids. A line that stands twice, as after a reopened session, counts where it stands first. */
  readonly #lines = new Map<string, SourceElement>()
  #hasMain = false
  #lastId: string | null = null
  /** The leaf that the client has named after the last line of the tree: the user went back and has not asked again. */
  #leafId = ''
  readonly #leaf = new LeafFinder()

  constructor(sink: EntrySink) {
    this.#sink = sink
    this.#answers = new AnswerBuffer(sink)
  }

  read(value: unknown, place: ElementPlace): void {
    const line = fieldsOf(value)
    const type = asText(line['type'])
    const id = asText(line['uuid'])
    if (!isKnownType(type)) this.#sink.ignore('entryTypes', type)
    if (type === 'last-prompt') this.#leafId = asText(line['leafUuid'])
    if (id === '' || this.#lines.has(id) || !this.#isOnMainChain(line)) return
    const element: SourceElement = { ...place, id, parentId: asText(line['parentUuid']), entryIndex: place.index }
    this.#lines.set(id, element)
    this.#leafId = ''
    this.#leaf.add(id, line)
    this.#readNode({ id, parentId: this.#parentOf(line), line, place: element }, type)
  }

  end(): void {
    for (const node of this.#results.takeEarly()) this.#readUser(node, true)
    this.#answers.close()
    this.#sink.setElements([...this.#lines.values()])
    const leafId = this.#sink.has(this.#leafId) ? this.#leafId : this.#leaf.find()
    if (leafId !== '') this.#sink.setLeaf(leafId)
  }

  /**
   * Side chains are the work of other agents. A file with nothing else is the session of such an agent: its lines are kept
   * until a line of another chain is found.
   */
  #isOnMainChain({ isSidechain }: Line): boolean {
    if (isSidechain === true) return !this.#hasMain
    if (!this.#hasMain) {
      for (const part of [this.#answers, this.#results, this.#lines, this.#leaf, this.#sink]) part.clear()
      this.#lastId = null
    }
    this.#hasMain = true
    return true
  }

  /** A boundary is a root of the file. Its logical parent is the last line before the compaction. */
  #parentOf(line: Line): string | null {
    const parentId = asText(line['parentUuid']) || asText(line['logicalParentUuid'])
    if (!this.#lines.has(parentId) && isCompaction(line)) return this.#lastId
    if (this.#compactionId !== undefined && this.#kept.ids.has(parentId)) return this.#compactionId
    return parentId === '' ? null : parentId
  }

  #readNode(node: Node, type: string): void {
    if (type === 'assistant') this.#readAssistant(node)
    else if (type === 'user') this.#readUser(node)
    else if (type === 'attachment') this.#readAttachment(node)
    else {
      this.#sink.skip(node.id, node.parentId)
      if (node.line['subtype'] !== 'compact_boundary') return
      this.#answers.close()
      this.#kept = preservedBy(node.line)
      this.#compactionId = undefined
    }
  }

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
    const { blocks } = readBlocks(raw['content'], this.#ignoreBlock)
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
    this.#answers.moveAbove(node)
    // An error of the API, which the client wrote as a message.
    const facts = isProblem ? { stopReason: 'error', errorMessage: textOf(blocks) } : describeAnswer(raw)
    const group = this.#answers.extend(isProblem ? [] : blocks, facts)
    this.#said.addCalls(blocks)
    for (const early of this.#results.addCalls(blocks, group)) this.#readUser(early)
  }

  /** @param isEnd whether no call follows any more */
  #readUser(node: Node, isEnd = false): void {
    const { id, parentId, line, place } = node
    const summary = readCompactSummary(line)
    if (summary !== undefined) {
      this.#addSummary(summary, node)
      return
    }
    const { blocks, results, attached } = readBlocks(fieldsOf(line['message'])['content'], this.#ignoreBlock)
    if (!isEnd && this.#results.holdEarly(node, results)) return
    const messages = [...this.#said.mark(results, line), ...readUserMessages(line, blocks, attached)]
    if (messages.length === 0) this.#sink.skip(id, parentId)
    // A line after this one follows all of its messages.
    let [last, group]: [string | null, ResultGroup] = [parentId, { lastId: id }]
    for (const [index, message] of messages.entries()) {
      const called = this.#results.groupOf(message)
      if (called !== undefined) [last, group] = [called.lastId, called]
      else this.#answers.close()
      group.lastId = index === 0 ? id : `${id}.${index + 1}`
      this.#add([{ type: 'message', id: group.lastId, parentId: last, message }, place, group])
      last = group.lastId
    }
  }

  /** A summary of the end of the session is that of a branch that was left: what stands before it stays. */
  #addSummary(summary: string, { id, parentId, place }: Node): void {
    const { ids, lastBefore } = this.#kept
    const [firstKeptEntryId] = ids
    this.#answers.close()
    this.#compactionId = id
    if (lastBefore !== undefined && this.#sink.has(lastBefore))
      this.#add([{ type: 'branch_summary', id, parentId: lastBefore, summary }, place])
    else
      this.#add([{ type: 'compaction', id, parentId, summary, ...(firstKeptEntryId && { firstKeptEntryId }) }, place])
  }

  #readAttachment({ id, parentId, line, place }: Node): void {
    const content = textBlocks(queuedPrompt(line))
    if (content.length === 0) this.#sink.skip(id, parentId)
    else this.#add([{ type: 'message', id, parentId, message: { role: 'user', content } }, place])
  }

  #add(added: Parameters<EntrySink['add']>): void {
    this.#lastId = added[0].id ?? this.#lastId
    this.#answers.add(...added)
  }

  readonly #ignoreBlock = (type: string): void => {
    this.#sink.ignore('blocks', type)
  }
}
