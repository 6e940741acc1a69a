import { isObject } from '../../src/session/entry.ts'

type Values = Record<string, unknown>

/**
 * Returns a document in which each answer has the usage of its call, as each agent writes it.
 * @param tokens of the prompt, or what returns those of the next one
 */
export function addUsage(document: string, tokens: number | (() => number)): string {
  const next = typeof tokens === 'number' ? () => tokens : tokens
  const add = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(add)
    if (!isObject(value)) return value
    const added = Object.fromEntries(Object.entries(value).map(([name, field]) => [name, add(field)]))
    return isAnswer(value) ? { ...added, ...usageFields(next()) } : added
  }
  const isLines = document.endsWith('}\n')
  if (!isLines) return JSON.stringify(add(JSON.parse(document)))
  const lines = document
    .trim()
    .split('\n')
    .flatMap((line): Values[] => {
      const value = add(JSON.parse(line)) as Values
      return isCodexAnswer(value) ? [value, tokenCount(next())] : [value]
    })
  return lines.map((line) => `${JSON.stringify(line)}\n`).join('')
}

const isAnswer = ({ role, type, source, choices }: Values): boolean =>
  role === 'assistant' || type === 'gemini' || type === 'assistant' || source === 'agent' || choices !== undefined

/** The fields in which the formats have usage. */
const usageFields = (input: number): object => ({
  usage: { input, output: 5, input_tokens: input, output_tokens: 5, prompt_tokens: input, completion_tokens: 5 },
  metrics: { inputTokens: input, outputTokens: 5, prompt_tokens: input, completion_tokens: 5 },
  tokens: { input, output: 5, cached: 0, cache: { read: 0, write: 0 } },
  usageMetadata: { promptTokenCount: input, candidatesTokenCount: 5 },
})

const isCodexAnswer = ({ type, payload }: Values): boolean =>
  type === 'response_item' && isObject(payload) && (payload['role'] === 'assistant' || payload['name'] !== undefined)

/** Codex writes the usage of an answer on a line of its own. */
const tokenCount = (input: number): Values => ({
  type: 'event_msg',
  payload: { type: 'token_count', info: { last_token_usage: { input_tokens: input, output_tokens: 5 } } },
})
