import { APIError } from 'openai'

/** What a gateway means by an error without a status. */
const BAD_GATEWAY = 502

/**
 * Finds the error in a reply of status 200: OpenRouter hands on a provider's failure so, its status under `code`
 * (openrouter.ai/docs, "Errors"), and a llama.cpp server that it had sent the head of
 * (github.com/oobabooga/textgen/issues/7257).
 * @returns what the SDK would have thrown for it; undefined where there is none
 */
export function readReplyError(reply: unknown): APIError | undefined {
  if (typeof reply !== 'object' || reply === null) return undefined
  const { error, choices } = reply as { error?: unknown; choices?: unknown }
  if ((typeof error !== 'object' && typeof error !== 'string') || error === null || choices !== undefined)
    return undefined
  const code = Number((error as { code?: unknown }).code)
  const status = code >= 400 && code < 600 ? code : BAD_GATEWAY
  return APIError.generate(status, { error: { message: JSON.stringify(error) } }, undefined, new Headers())
}
