import { APIError } from 'openai'
import { isContextOverflow } from '../../session/context-overflow.ts'
import { type Failure, type FailureKind, CallTimeout } from './failure.ts'
import { parseReportedWindow } from './learned-windows.ts'

/** Statuses under 500 of a server that may do better soon. */
const PASSING = new Set([408, 409])

const KEY_REFUSED = new Set([401, 403])

/** A budget that is used up answers like a rate limit, and no waiting helps (OpenAI's error codes guide). */
const NO_CREDIT = /insufficient_quota|billing_hard_limit_reached/

/** A model that is not there, where the status is not 404: OpenAI and Groq; Mistral; OpenRouter; Bedrock. */
const UNKNOWN_MODEL = /model_not_found|invalid_model|is not a valid model id|model identifier is invalid/i

/** Error texts are short; what is longer is a page or an echo of our prompt, and its beginning tells. */
const MAX_CHARACTERS = 4000

/** The HTTP status of what a call threw; undefined where no answer came. */
export const statusOf = (error: unknown): number | undefined =>
  error instanceof APIError ? (error as APIError).status : undefined

/** What the server said (see `keepErrorBodies`). It is matched against, and told to nobody. */
export const wordsOf = (error: unknown): string =>
  error instanceof Error ? error.message.slice(0, MAX_CHARACTERS) : ''

/**
 * Reads what a call threw as a failure in our own words.
 * @param nowMs the time, for a `Retry-After` that is a date
 */
export function readFailure(error: unknown, nowMs: number): Failure {
  const status = statusOf(error)
  if (status === undefined) return { kind: kindOfThrown(error), cause: error }
  const headers = (error as APIError).headers ?? new Headers()
  const retryAfterMs = readRetryAfterMs(headers, nowMs)
  const kind = kindOfStatus(status, wordsOf(error))
  const reportedWindowTokens = kind === 'too-long' ? parseReportedWindow(wordsOf(error)) : undefined
  return {
    kind,
    status,
    cause: error,
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
    ...(reportedWindowTokens === undefined ? {} : { reportedWindowTokens }),
  }
}

/** A 200 that is no JSON is thrown as the parser's error; all else without a status is the connection's. */
function kindOfThrown(error: unknown): FailureKind {
  if (error instanceof CallTimeout) return 'stalled'
  return error instanceof SyntaxError ? 'malformed' : 'dropped'
}

function kindOfStatus(status: number, words: string): FailureKind {
  if (KEY_REFUSED.has(status)) return 'refused-key'
  if (status === 402 || (status === 429 && NO_CREDIT.test(words))) return 'no-credit'
  if (status === 413 || isContextOverflow(words)) return 'too-long'
  if (status === 429) return 'rate-limited'
  if (status >= 500 || PASSING.has(status)) return 'server-error'
  return status === 404 || UNKNOWN_MODEL.test(words) ? 'unknown-model' : 'bad-request'
}

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
/**
 * Reads how long a server asks to wait: `retry-after-ms`, or `Retry-After` in seconds or as a date (RFC 9110, 10.2.3).
 * @returns milliseconds, at least 0; undefined where it does not say
 */
export function readRetryAfterMs(headers: Headers, nowMs: number): number | undefined {
  const ms = Number.parseFloat(headers.get('retry-after-ms') ?? '')
  if (Number.isFinite(ms)) return Math.max(0, ms)
  const value = headers.get('retry-after') ?? ''
  if (/^\d+(?:\.\d+)?$/.test(value)) return Number(value) * 1000
  // Date.parse makes a date of almost anything, `-5` included; the RFC's dates name the month.
  const atMs = /[a-z]{3}/i.test(value) ? Date.parse(value) : NaN
  return Number.isNaN(atMs) ? undefined : Math.max(0, atMs - nowMs)
}
