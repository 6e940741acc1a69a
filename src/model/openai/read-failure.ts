import { APIError } from 'openai'
import { isContextOverflow } from '../../plan/is-context-overflow.ts'
import type { Failure, FailureKind } from './failure.ts'
import { readRetryAfterMs } from './read-retry-after.ts'
import { readToldWindow } from './read-told-window.ts'
import { Stalled } from './stalled.ts'

/** Statuses under 500 of a server that may do better soon. */
const PASSING = new Set([408, 409])

const KEY_REFUSED = new Set([401, 403])

/** A budget that is used up answers like a rate limit, and no waiting helps (OpenAI's error codes guide). */
const NO_CREDIT = /insufficient_quota|billing_hard_limit_reached/

/** A model that is not there, where the status is not 404: OpenAI and Groq; Mistral; OpenRouter; Bedrock. */
const UNKNOWN_MODEL = /model_not_found|invalid_model|is not a valid model id|model identifier is invalid/i

/** Error texts are short; what is longer is a page or an echo of our prompt, and its beginning tells. */
const MAX_CHARACTERS = 4000

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
  const toldWindowTokens = kind === 'too-long' ? readToldWindow(wordsOf(error)) : undefined
  return {
    kind,
    status,
    cause: error,
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
    ...(toldWindowTokens === undefined ? {} : { toldWindowTokens }),
  }
}

/** The HTTP status of what a call threw; undefined where no answer came. */
export const statusOf = (error: unknown): number | undefined =>
  error instanceof APIError ? (error as APIError).status : undefined

/** What the server said (see `keepErrorBodies`). It is matched against, and told to nobody. */
export const wordsOf = (error: unknown): string =>
  error instanceof Error ? error.message.slice(0, MAX_CHARACTERS) : ''

/** A 200 that is no JSON is thrown as the parser's error; all else without a status is the connection's. */
function kindOfThrown(error: unknown): FailureKind {
  if (error instanceof Stalled) return 'stalled'
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
