import { fieldsOf, isObject } from '../entry.ts'
import { textOf } from './anthropic-blocks.ts'
import { stripTag, textIn } from './tagged-text.ts'

type Fields = Readonly<Record<string, unknown>>

const isMessage = (value: unknown): value is Fields => isObject(value) && typeof value['role'] === 'string'

/** Returns whether a value is a message of Cline's SDK format (3.0.65). */
export function isClineMessage(value: unknown): boolean {
  if (!isMessage(value)) return false
  if (fieldsOf(value['metadata'])['kind'] === 'compaction_summary') return true
  return typeof value['id'] === 'string' && typeof value['ts'] === 'number'
}

/** Returns whether a value is a message of `api_conversation_history.json` (Cline before 3.x, Roo, Kilo). */
export const isLegacyMessage = (value: unknown): boolean =>
  isMessage(value) &&
  (typeof value['ts'] === 'number' || value['isSummary'] === true || plainText(value['content']).startsWith('<task>'))

const plainText = (content: unknown): string =>
  Array.isArray(content) ? content.map((block) => textOf(fieldsOf(block)['text'])).join('\n') : textOf(content)

const SUMMARY_PREAMBLE = 'Context summary:'

/** Returns the summary in a message that a compaction has written; undefined for other messages. */
export function readClineSummary(message: Fields): string | undefined {
  const { kind, summary } = fieldsOf(message['metadata'])
  const text = plainText(message['content'])
  if (kind !== 'compaction_summary' && message['isSummary'] !== true) return undefined
  if (textOf(summary) !== '') return textOf(summary)
  return text.startsWith(SUMMARY_PREAMBLE) ? text.slice(SUMMARY_PREAMBLE.length).trim() : text
}

/** Texts that Cline and Claude Code write in the user's role, by their first words. */
const CLIENT_TEXTS = [
  ...['[ERROR] You did not use a tool', '<SYSTEM_NOTICE>', '# Todo List', '<system-reminder>'],
  // Claude Code, in its requests
  ...['<local-command-', '<command-name>', '<command-message>', '<bash-stdout>', '<task-notification>'],
  ...['[Request interrupted by user', 'Caveat: The messages below', 'CRITICAL: Respond with TEXT ONLY.'],
]

/** The first line of a tool's result, before Cline used blocks for results. */
const TEXT_RESULT = /^\[\w{1,60}(?: for [^\n]*)?\] Result:/

/** Returns a text of a user's message without Cline's tags, and whether the client wrote it. */
export function readClineText(text: string): { text: string; isClients: boolean } {
  const own = stripTag(text, 'environment_details').trim()
  const isClients = CLIENT_TEXTS.some((start) => own.startsWith(start)) || TEXT_RESULT.test(own.slice(0, 500))
  if (own.startsWith('<task>')) return { text: textIn(own, 'task')?.trim() ?? own, isClients }
  if (!own.startsWith('<user_input')) return { text: own, isClients }
  const end = own.lastIndexOf('</user_input>')
  return { text: own.slice(own.indexOf('>') + 1, end < 0 ? undefined : end).trim(), isClients }
}

/** Returns the model and the usage of an answer; the input of `metrics` counts cached tokens too. */
export function describeClineAnswer({ modelInfo, metrics }: Fields) {
  const { id: model } = fieldsOf(modelInfo)
  const count = (name: string): number => {
    const value = fieldsOf(metrics)[name]
    return typeof value === 'number' ? value : 0
  }
  const [cacheRead, cacheWrite] = [count('cacheReadTokens'), count('cacheWriteTokens')]
  const input = Math.max(0, count('inputTokens') - cacheRead - cacheWrite)
  return {
    ...(typeof model === 'string' ? { model } : {}),
    ...(isObject(metrics) ? { usage: { input, output: count('outputTokens'), cacheRead, cacheWrite } } : {}),
  }
}
