import { isPlainObject } from '../../session/entry.ts'
import { hasVisibleWords } from '../../text/visible-words.ts'
import { stripWrapping } from './strip-wrapping.ts'

export interface CompletionUsage {
  inputTokens: number
  outputTokens: number
}

/** The result of checking a chat completion: only `ok` has a usable text. */
export type Completion = Judgement & {
  usage: CompletionUsage
  /** The finish reason that the server reports, or `unknown`. */
  finishReason: string
}

type Judgement =
  | { outcome: 'ok'; text: string }
  /** Without text (`hasText`), the model used up its limit for thinking. */
  | { outcome: 'truncated'; hasText: boolean }
  /** `malformed`: not a chat completion, one with a tool call and no text, or one that its server broke off. */
  | { outcome: 'empty' | 'refused' | 'malformed' }

type Loose = Record<string, unknown>

/** Finish reasons of unusable texts; any other counts as finished (servers have many, and may leave it out). */
const UNFINISHED: Record<string, 'truncated' | 'refused' | 'malformed'> = {
  length: 'truncated',
  max_tokens: 'truncated', // Anthropic, Gemini ("MAX_TOKENS"), as some gateways pass them on
  model_length: 'truncated', // Mistral
  model_context_window_exceeded: 'truncated', // z.ai, Anthropic
  content_filter: 'refused',
  refusal: 'refused', // Anthropic
  safety: 'refused', // Gemini
  error: 'malformed', // OpenRouter, Mistral: the provider failed in the middle
  insufficient_system_resource: 'malformed', // DeepSeek
}

/**
 * Checks a server's chat completion, and removes thinking, tool calls and a fence around the text. It may have any
 * shape: an HTML page with status 200 has been seen.
 */
export function checkCompletion(completion: unknown): Completion {
  const { usage: reported, choices } = asObject(completion) ?? {}
  const usage = readUsage(asObject(reported) ?? {})
  const choice = Array.isArray(choices) ? asObject(choices[0]) : undefined
  const message = asObject(choice?.['message'])
  const finishReason = nameOf(choice?.['finish_reason'])
  if (choice === undefined || message === undefined) return { outcome: 'malformed', usage, finishReason }
  return { ...judge(choice, message), usage, finishReason }
}

/** Only a single word may go into the logs. */
const nameOf = (reason: unknown): string =>
  typeof reason === 'string' && /^\w{1,40}$/.test(reason) ? reason : 'unknown'

const asObject = (value: unknown): Loose | undefined => (isPlainObject(value) ? value : undefined)

const callsTools = ({ tool_calls: calls, function_call: call }: Loose): boolean =>
  (Array.isArray(calls) && calls.length > 0) || asObject(call) !== undefined

/** Counts are added up: the sum of larger ones could become Infinity, which JSON does not have. */
const readCount = (value: unknown): number =>
  typeof value === 'number' && value > 0 && value <= Number.MAX_SAFE_INTEGER ? Math.floor(value) : 0

const readUsage = ({ prompt_tokens: input, completion_tokens: output }: Loose): CompletionUsage => ({
  inputTokens: readCount(input),
  outputTokens: readCount(output),
})

function judge(choice: Loose, message: Loose): Judgement {
  const stripped = stripWrapping(readText(message['content']))
  const text = hasVisibleWords(stripped) ? stripped : ''
  switch (outcomeOf(choice, message)) {
    case 'refused':
      return { outcome: 'refused' }
    case 'truncated':
      return { outcome: 'truncated', hasText: text !== '' }
    case 'malformed':
      return { outcome: 'malformed' }
    case 'finished':
      if (text !== '') return { outcome: 'ok', text }
      return { outcome: callsTools(message) ? 'malformed' : 'empty' }
  }
}

function outcomeOf({ finish_reason: reason }: Loose, { refusal }: Loose) {
  if (typeof refusal === 'string' && refusal.trim() !== '') return 'refused'
  const known = typeof reason === 'string' ? reason.toLowerCase() : ''
  return (Object.hasOwn(UNFINISHED, known) ? UNFINISHED[known] : undefined) ?? 'finished'
}

/**
 * Returns the text of a message: `content` is a string or a list of parts, and other parts than text are thinking or
 * images.
 */
function readText(content: unknown): string {
  if (typeof content === 'string') return content
  if (!Array.isArray(content)) return ''
  return content
    .map((part) => asObject(part))
    .map((part) => (part?.['type'] === 'text' ? part['text'] : undefined))
    .filter((text) => typeof text === 'string')
    .join('')
}
