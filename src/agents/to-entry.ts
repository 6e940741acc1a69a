import type { ElementPlace, UnlinkedEntry } from '../session/entry.ts'
import { userMessage } from '../session/message-text.ts'
import type { Message } from '../session/message.ts'
import type { ReadEntry } from './reader.ts'
import { withoutImageData } from './shared/messages.ts'

/**
 * Returns an entry of a document.
 * @param isWhole whether the data of images is needed
 */
export function toEntry(read: ReadEntry, { index, range }: ElementPlace, isWhole: boolean): UnlinkedEntry {
  const { id, parentId, type } = read
  // Each entry has a range object of its own, by which it is found again.
  const entry: UnlinkedEntry = { index, range: { ...range }, id, parentId, type }
  const message = messageOf(read)
  if (message !== undefined) entry.message = isWhole ? message : withoutImageData(message)
  if (read.precedesEncrypted !== undefined) entry.precedesEncrypted = read.precedesEncrypted
  if (read.type === 'message') entry.role = read.message.role
  if (read.type !== 'compaction') return entry
  const { summary, firstKeptEntryId, files } = read
  entry.compaction = { summary, isOpaque: false, ...(firstKeptEntryId === undefined ? {} : { firstKeptEntryId }) }
  if (files !== undefined) entry.files = files
  return entry
}

/** Returns the message that an entry adds to the context. Clients write some texts in the role of the user. */
export function messageOf(entry: ReadEntry): Message | undefined {
  if (entry.type === 'compaction') return undefined
  if (entry.type === 'branch_summary') return { role: 'branchSummary', summary: entry.summary }
  return entry.message.role === 'user' ? userMessage(entry.message.content) : entry.message
}
