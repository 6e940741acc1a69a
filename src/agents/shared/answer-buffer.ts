import type { ElementPlace } from '../../session/entry.ts'
import type { ContentBlock } from '../../session/message.ts'
import type { EntrySink, ListSink, ResultGroup } from '../reader.ts'
import type { AnswerFacts } from './messages.ts'

/** A message of a model that a client writes in several parts. */
interface OpenAnswer extends AnswerNode {
  content: ContentBlock[]
  facts: AnswerFacts
  /** The results of its calls. */
  group: ResultGroup
}

interface AnswerNode {
  id?: string | undefined
  parentId?: string | null | undefined
  place: ElementPlace
}

type Added = Parameters<EntrySink['add']>

/** Joins the parts of a model's message. Entries between its parts follow it. */
export class AnswerBuffer {
  readonly #sink: ListSink
  #open: OpenAnswer | undefined
  #waiting: Added[] = []

  constructor(sink: ListSink) {
    this.#sink = sink
  }

  /** The message whose parts are being read. */
  get open(): OpenAnswer | undefined {
    return this.#open
  }

  /** Begins a message, and ends the one before it. */
  begin({ id, parentId, place }: AnswerNode): void {
    this.close()
    this.#open = { id, parentId, place, content: [], facts: {}, group: { lastId: id ?? '' } }
  }

  /** Adds a part to the message. @returns the group of the results of its calls */
  extend(blocks: readonly ContentBlock[], facts: AnswerFacts = {}): ResultGroup {
    if (this.#open === undefined) throw new Error('A message begins before its parts.')
    for (const block of blocks) this.#open.content.push(block)
    Object.assign(this.#open.facts, facts)
    return this.#open.group
  }

  /** Adds an entry that is not a part of the message. */
  add(...added: Added): void {
    if (this.#open === undefined) this.#sink.add(...added)
    else this.#waiting.push(added)
  }

  /** Ends the message whose parts were being read. */
  close(): void {
    const open = this.#open
    const waiting = this.#waiting
    this.clear()
    if (open === undefined) return
    const { id, parentId, content, facts, place } = open
    this.#sink.add({ type: 'message', id, parentId, message: { role: 'assistant', content, ...facts } }, place)
    for (const added of waiting) this.#sink.add(...added)
  }

  clear(): void {
    this.#open = undefined
    this.#waiting = []
  }
}
