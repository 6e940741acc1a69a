import { fieldsOf, NO_RANGE } from '../../session/entry.ts'
import { nameTools } from '../../session/link-session.ts'
import { INSTRUCTION_ROLES } from '../../session/read-message.ts'
import { writeSummaryMessage } from '../own-summary.ts'
import type { ListReader, ReadEntry } from '../reader.ts'
import { blockText, withoutImageData } from '../shared/messages.ts'
import { messageOf } from '../to-entry.ts'
import { withoutInstructions, type ChatMessage } from './read-chat.ts'
import { readParts } from './responses-parts.ts'

/**
 * Reads the values of a request's list, in the form of its API, into the messages of a chat. A compaction that can be read
 * becomes a message of the user (`writeSummaryMessage`); of the messages before it, those of the user stay.
 */
export function readItems(values: readonly unknown[], api: ListReader): ChatMessage[] {
  const chat: ChatMessage[] = []
  /** The number of messages up to the last compaction: each message is looked at once, however many compactions there are. */
  let compacted = 0
  const add = (entry: ReadEntry): void => {
    if (entry.type === 'compaction') {
      for (const message of chat.splice(compacted))
        if (message.role === 'system' || message.role === 'user') chat.push(message)
      const text = writeSummaryMessage(entry.summary)
      compacted = chat.push({ role: 'user', content: [{ type: 'text', text }] })
    }
    const message = messageOf(entry)
    if (message !== undefined) chat.push(withoutImageData(message))
  }
  // The replies of these APIs have no place for what was ignored.
  const reader = api.open({ add, ignore: () => undefined })
  for (const [index, value] of values.entries()) {
    const { role, content } = fieldsOf(value)
    if (typeof role !== 'string' || !INSTRUCTION_ROLES.has(role)) {
      reader.read(value, { index, range: NO_RANGE })
      continue
    }
    reader.end?.({})
    chat.push({ role: 'system', text: readParts(content).map(blockText).join('\n') })
  }
  reader.end?.({})
  nameTools(withoutInstructions(chat).map((message) => ({ message })))
  return chat
}
