import { writeSummaryMessage } from '../own-summary.ts'
import { fieldsOf, NO_RANGE } from '../../session/entry.ts'
import type { EntrySink, ReadEntry, SessionReader } from '../reader.ts'
import { messageOf } from '../to-entry.ts'
import { blockText, withoutImageData } from '../shared/messages.ts'
import { readParts } from './responses-parts.ts'
import { nameTools } from '../../session/link-session.ts'
import type { Message } from '../../session/message.ts'
import type { ChatMessage } from './read-chat.ts'
import { INSTRUCTION_ROLES } from '../../session/read-message.ts'

/**
 * Reads the values of a request's list, in the form of its API, into the messages of a chat. A compaction that can be read
 * becomes a message of the user (`writeSummaryMessage`); of the messages before it, those of the user stay.
 */
export function readItems(values: readonly unknown[], api: SessionReader): ChatMessage[] {
  const items = new ItemSink()
  const reader = api.open(items)
  for (const [index, value] of values.entries()) {
    const { role, content } = fieldsOf(value)
    if (typeof role !== 'string' || !INSTRUCTION_ROLES.has(role)) {
      reader.read(value, { index, range: NO_RANGE })
      continue
    }
    reader.end?.({})
    items.addInstruction(content)
  }
  reader.end?.({})
  return items.found()
}

class ItemSink implements EntrySink {
  #chat: ChatMessage[] = []
  /** The number of messages up to the last compaction: each message is looked at once, however many compactions there are. */
  #compacted = 0

  found(): ChatMessage[] {
    const messages = this.#chat.filter((message): message is Message => message.role !== 'system')
    nameTools(messages.map((message) => ({ message })))
    return this.#chat
  }

  addInstruction(content: unknown): void {
    const texts = readParts(content).map(blockText)
    this.#chat.push({ role: 'system', text: texts.join('\n') })
  }

  add(entry: ReadEntry): void {
    if (entry.type === 'compaction') {
      for (const message of this.#chat.splice(this.#compacted))
        if (message.role === 'system' || message.role === 'user') this.#chat.push(message)
      const text = writeSummaryMessage(entry.summary)
      this.#compacted = this.#chat.push({ role: 'user', content: [{ type: 'text', text }] })
    }
    const message = messageOf(entry)
    if (message !== undefined) this.#chat.push(withoutImageData(message))
  }

  skip(): void {
    // Only trees have nodes that are skipped.
  }

  setLeaf(): void {
    // Only trees have several leaves.
  }

  setElements(): void {
    // Nothing is written back.
  }

  has(): boolean {
    return false
  }

  clear(): void {
    this.#chat = []
    this.#compacted = 0
  }

  ignore(): void {
    // The replies of these APIs have no place for what was ignored.
  }
}
