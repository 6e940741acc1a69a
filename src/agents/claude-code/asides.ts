import { fieldsOf, type ProjectFile } from '../../session/entry.ts'
import { textBlocks, textOf, type ContentBlock, type Message } from '../../session/message.ts'
import { readAnthropicBlocks } from '../apis/anthropic-blocks.ts'
import { isReminder } from '../apis/claude-code-text.ts'
import { asText } from '../shared/values.ts'
import type { Line } from './lines.ts'

/** Returns the messages of a line that belongs to no turn, for look-ups: what the client showed to the model. */
export const readAsides = (line: Line): Message[] => (line['type'] === 'attachment' ? aside(attachedText(line)) : [])

/** Returns the text of a line of the user that is not read, or the reminders in one that is. */
export const readUnsaid = (blocks: readonly ContentBlock[], isRead: boolean): Message[] =>
  aside(textOf(isRead ? blocks.filter(isReminder) : blocks))

/** Text that no user has written. */
const aside = (text: string): Message[] => (text.trim() === '' ? [] : [{ role: 'custom', content: textBlocks(text) }])

/** Attachments that say how far the session is, with each request. */
const COUNTERS = new Set<unknown>(['total_tokens_reminder'])

/** Returns what the model was shown of an attachment: a file as it is, others as they were rendered (2.1.330). */
function attachedText(line: Line): string {
  const attachment = fieldsOf(line['attachment'])
  if (COUNTERS.has(attachment['type'])) return ''
  const { filePath, content } = fieldsOf(fieldsOf(attachment['content'])['file'])
  if (attachment['type'] === 'file' && asText(content) !== '')
    return `[File: ${asText(attachment['filename']) || asText(filePath)}]\n${asText(content)}`
  const { rendered } = line
  return Array.isArray(rendered) ? rendered.map((one) => asText(fieldsOf(one)['content'])).join('\n') : ''
}

/** Returns the files with rules of the project on a line: the client shows them at the beginning, and again after a compaction (2.1.330). */
export function readProjectFiles(line: Line): ProjectFile[] {
  const { type, files } = fieldsOf(line['attachment'])
  if (line['isSidechain'] === true || type !== 'instructions' || !Array.isArray(files)) return []
  return files.map(fieldsOf).flatMap((file) => {
    const text = asText(file['content'])
    return file['type'] === 'Project' && text !== '' ? [{ path: asText(file['path']), text }] : []
  })
}

/** Returns the work of a sub-agent on a line: on one of a side chain (up to 2.0), or on one about its progress (2.1.39). */
export function readSideChain(line: Line): Message[] {
  if (line['isSidechain'] === true) return readWork(line)
  const { type, message } = fieldsOf(line['data'])
  return line['type'] === 'progress' && type === 'agent_progress' ? readWork(fieldsOf(message)) : []
}

/** Returns the thoughts, calls and results of a sub-agent, and its words as a note: they are not the agent's, and its task is not the user's. */
function readWork({ message }: Line): Message[] {
  const { blocks, results } = readAnthropicBlocks(fieldsOf(message)['content'])
  const steps = blocks.filter((block) => block.type === 'toolCall' || block.type === 'thinking')
  const text = textOf(blocks)
  return [
    ...aside(text.trim() === '' ? '' : `[Sub-agent]\n${text}`),
    ...(steps.length === 0 ? [] : [{ role: 'assistant' as const, content: steps }]),
    ...results,
  ]
}
