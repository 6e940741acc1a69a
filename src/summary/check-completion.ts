import { stripWrapping } from './strip-wrapping.ts'

export interface CompletionUsage {
  inputTokens: number
  outputTokens: number
}

/** What a chat completion turned out to be: only `ok` is a summary. */
export type Completion = { usage: CompletionUsage } & (
  | { outcome: 'ok'; text: string }
  /** `hasText` tells a summary that ran out of room from a model that spent its limit thinking. */
  | { outcome: 'truncated'; hasText: boolean }
  | { outcome: 'empty' | 'refused' | 'malformed' }
)

interface Loose {
  [key: string]: unknown
}

/**
 * Checks a chat completion as a server sent it; nothing of its shape is taken for granted (architecture.md, "Traps": a
 * 200 may hold an HTML page).
 */
export function checkCompletion(completion: unknown): Completion {
  const usage = readUsage(asObject(completion)?.['usage'])
  const choices = asObject(completion)?.['choices']
  const choice = Array.isArray(choices) ? asObject(choices[0]) : undefined
  const message = asObject(choice?.['message'])
  if (choice === undefined || message === undefined) return { outcome: 'malformed', usage }
  const reason = choice['finish_reason']
  const text = stripWrapping(readText(message['content']))
  if (reason === 'content_filter' || isFilled(message['refusal'])) return { outcome: 'refused', usage }
  if (reason === 'length') return { outcome: 'truncated', hasText: text !== '', usage }
  return text === '' ? { outcome: 'empty', usage } : { outcome: 'ok', text, usage }
}

const asObject = (value: unknown): Loose | undefined =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Loose) : undefined

const isFilled = (value: unknown): boolean => typeof value === 'string' && value.trim() !== ''

/** Content is a string, or parts of which the text ones count. */
function readText(content: unknown): string {
  if (typeof content === 'string') return content
  if (!Array.isArray(content)) return ''
  return content
    .map((part) => asObject(part)?.['text'])
    .filter((text) => typeof text === 'string')
    .join('')
}

const readUsage = (usage: unknown): CompletionUsage => ({
  inputTokens: count(asObject(usage)?.['prompt_tokens']),
  outputTokens: count(asObject(usage)?.['completion_tokens']),
})

const count = (value: unknown): number => (typeof value === 'number' && value > 0 ? Math.floor(value) : 0)
