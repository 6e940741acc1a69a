import { stripWrapping } from './strip-wrapping.ts'

export interface CompletionUsage {
  inputTokens: number
  outputTokens: number
}

/** What a chat completion turned out to be: only `ok` is a summary. */
export type Completion = Judgement & {
  usage: CompletionUsage
  /** Why its server says that it ended, or `unknown`. */
  finishReason: string
}

type Judgement =
  | { outcome: 'ok'; text: string }
  /** `hasText` tells a summary that ran out of room from a model that spent its limit thinking. */
  | { outcome: 'truncated'; hasText: boolean }
  /** `malformed`: no chat completion, one that calls a tool and says nothing, or one that its server broke off. */
  | { outcome: 'empty' | 'refused' | 'malformed' }

type Loose = Record<string, unknown>

/** Finish reasons that make a text no summary; any other counts as finished (servers have many, and leave it out). */
const UNFINISHED: Record<string, 'truncated' | 'refused' | 'malformed'> = {
  length: 'truncated',
  max_tokens: 'truncated', // Anthropic, Gemini ("MAX_TOKENS"), as some gateways hand them on
  model_length: 'truncated', // Mistral
  model_context_window_exceeded: 'truncated', // z.ai, Anthropic
  content_filter: 'refused',
  refusal: 'refused', // Anthropic
  safety: 'refused', // Gemini
  error: 'malformed', // OpenRouter, Mistral: the provider failed in the middle
  insufficient_system_resource: 'malformed', // DeepSeek
}

/** Punctuation, invisible characters and lone fences are no summary, though not blank. */
const HAS_WORDS = /[\p{L}\p{N}]/u

/** The server's own word, where it is one: it goes into logs. */
const nameOf = (reason: unknown): string =>
  typeof reason === 'string' && /^\w{1,40}$/.test(reason) ? reason : 'unknown'

const asObject = (value: unknown): Loose | undefined =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Loose) : undefined

const callsTools = ({ tool_calls: calls, function_call: call }: Loose): boolean =>
  (Array.isArray(calls) && calls.length > 0) || asObject(call) !== undefined

const readCount = (value: unknown): number =>
  typeof value === 'number' && value > 0 && Number.isFinite(value) ? Math.floor(value) : 0

const readUsage = ({ prompt_tokens: input, completion_tokens: output }: Loose): CompletionUsage => ({
  inputTokens: readCount(input),
  outputTokens: readCount(output),
})

/**
 * Checks a chat completion as a server sent it; nothing of its shape is taken for granted (seen in the wild: a
 * 200 may hold an HTML page). Thinking, tool calls and a fence around the text are taken off.
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

function judge(choice: Loose, message: Loose): Judgement {
  const stripped = stripWrapping(readText(message['content']))
  const text = HAS_WORDS.test(stripped) ? stripped : ''
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

/** Content is a string, or parts of which the text ones count (others hold thinking or images). */
function readText(content: unknown): string {
  if (typeof content === 'string') return content
  if (!Array.isArray(content)) return ''
  return content
    .map((part) => asObject(part))
    .map((part) => (part?.['type'] === 'text' ? part['text'] : undefined))
    .filter((text) => typeof text === 'string')
    .join('')
}
