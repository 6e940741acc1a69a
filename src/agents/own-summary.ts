import { fieldsOf, parseJson } from '../session/entry.ts'
import type { Fields } from './shared/values.ts'

/** The first words of the message with a summary that this service returns among plain messages. */
export const OWN_START = 'Summary of the earlier conversation, which this message replaces:'

/** Returns a summary as the text of a message, from which a later compaction reads it again. */
export const writeSummaryMessage = (summary: string): string => `${OWN_START}\n\n${summary}`

/** Returns the summary in such a text; undefined for any other text. */
const readOwnMessage = (text: unknown): string | undefined =>
  typeof text === 'string' && text.startsWith(OWN_START) ? text.slice(OWN_START.length).trim() || undefined : undefined

/** Returns a summary as the `encrypted_content` of a compaction item of the Responses API: JSON in base64url, not encrypted. */
export const encodeSummary = (summary: string): string =>
  Buffer.from(JSON.stringify({ type: 'precis_compaction', version: 1, summary })).toString('base64url')

/**
 * Returns the summary in an item of the Responses API with which this service has replaced a conversation: a compaction item, or
 * a message. @returns undefined for any other item
 */
export function readCompactedSummary({
  type,
  role,
  content,
  encrypted_content: encrypted,
}: Fields): string | undefined {
  if (type === 'compaction' || type === 'compaction_summary') return decodeSummary(encrypted)
  if (role !== 'user') return undefined
  const [part] = Array.isArray(content) ? (content as unknown[]) : [{ text: content }]
  return readOwnMessage(fieldsOf(part)['text'])
}

const OWN_CONTENT = Buffer.from('{"type":"precis_compaction",').toString('base64url').slice(0, -2)

/** Returns the summary in the `encrypted_content` of a compaction item; undefined for an item of another service. */
function decodeSummary(encrypted: unknown): string | undefined {
  // All content of this service begins with these characters, so other content is not decoded.
  if (typeof encrypted !== 'string' || !encrypted.startsWith(OWN_CONTENT)) return undefined
  const { type, version, summary } = fieldsOf(parseJson(Buffer.from(encrypted, 'base64url').toString()))
  const isOurs = type === 'precis_compaction' && version === 1
  return isOurs && typeof summary === 'string' && summary.trim() !== '' ? summary : undefined
}
