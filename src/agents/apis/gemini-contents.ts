import { fieldsOf, isObject } from '../../session/entry.ts'
import { textBlocks, type Message } from '../../session/message.ts'
import { textIn } from '../../text/tagged-text.ts'
import { eachValue, type SessionReader } from '../reader.ts'
import { blockText } from '../shared/messages.ts'
import { asText } from '../shared/values.ts'
import { CallNames, isAcknowledgementText, readGeminiParts, readGeminiUser } from './gemini-parts.ts'

/** Contents of Gemini's API: a request, a checkpoint of Gemini CLI, or the list alone. */
export const geminiContentsReader: SessionReader = {
  detect: ({ values }) => values.some(isContent),
  open: (sink) => {
    const names = new CallNames()
    return eachValue(({ role, parts }, ignore) => {
      if (!ROLES.has(role)) ignore('roles', asText(role))
      const entries = readGeminiContent(role === 'model', parts, names)
      return role === 'function' ? entries.map(asClients) : entries
    })(sink)
  },
}

const ROLES = new Set<unknown>(['user', 'model', 'function', undefined])

/** UI messages of the AI SDK have parts too, and a type in each of them. */
const isContent = (value: unknown): boolean =>
  isObject(value) &&
  ROLES.has(value['role']) &&
  Array.isArray(value['parts']) &&
  value['parts'].some((part) => isObject(part) && part['type'] === undefined)

export type ContentEntry = { type: 'message'; message: Message } | { type: 'compaction'; summary: string }

/** Returns the entries of one content: an answer, results, what the user wrote, or the summary of a compaction. */
export function readGeminiContent(isModel: boolean, parts: unknown, names: CallNames): ContentEntry[] {
  // The output of code belongs to the model's answer: the user writes none.
  const own = isModel || !Array.isArray(parts) ? parts : parts.filter((part) => !isCodeOutput(part))
  const split = readGeminiParts(own, names)
  const { blocks, results } = split
  if (isModel) {
    if (isAcknowledgementText(blocks) || blocks.length === 0) return []
    return [{ type: 'message', message: { role: 'assistant', content: blocks } }]
  }
  const summary = readSnapshot(blockText(blocks[0]))
  if (summary !== undefined) return [{ type: 'compaction', summary }]
  return [...results, ...readGeminiUser(split)].map((message) => ({ type: 'message', message }))
}

const isCodeOutput = (part: unknown): boolean => fieldsOf(part)['codeExecutionResult'] !== undefined

/** Returns an entry of which the user has written nothing: the text of a tool, in the older role of results. */
export function asClients(entry: ContentEntry): ContentEntry {
  if (entry.type === 'compaction')
    return { type: 'message', message: { role: 'custom', content: textBlocks(entry.summary) } }
  const { message } = entry
  return message.role === 'user' ? { ...entry, message: { ...message, role: 'custom' as const } } : entry
}

/**
 * Returns the summary in a text of Gemini CLI (`<state_snapshot>`); undefined for any other text. Before it may be what the model has
 * thought, for which the prompt of Gemini CLI 0.61.0 asks (`<scratchpad>`).
 */
export function readSnapshot(text: string): string | undefined {
  const trimmed = text.trim()
  if (!trimmed.startsWith('<state_snapshot>') && !trimmed.endsWith('</state_snapshot>')) return undefined
  return textIn(text, 'state_snapshot')?.trim() ?? text
}
