import { APIConnectionError, APIConnectionTimeoutError, APIError } from 'openai'
import { isContextOverflow } from '../../plan/is-context-overflow.ts'
import type { Failure } from './failure.ts'
import { readRetryAfterMs } from './read-retry-after.ts'
import { Stalled } from './stalled.ts'

/** Statuses of a server that may do better soon; 529 is Anthropic's "overloaded". */
const PASSING = new Set([408, 409, 425])

/** A budget that is used up answers like a rate limit, and no waiting helps (OpenAI: `insufficient_quota`). */
const NO_MONEY = new Set(['insufficient_quota', 'billing_hard_limit_reached'])

/**
 * Reads what the SDK threw, or what a stalled call was ended with, as a failure in our own words.
 * @param nowMs the time, for a `Retry-After` that is a date
 */
export function readFailure(error: unknown, nowMs: number): Failure {
  if (error instanceof Stalled || error instanceof APIConnectionTimeoutError) return { kind: 'stalled' }
  if (error instanceof APIConnectionError || !(error instanceof APIError)) return { kind: kindOfThrown(error) }
  const { status, headers } = error as APIError
  if (status === undefined) return { kind: 'malformed' }
  const retryAfterMs = readRetryAfterMs(headers, nowMs)
  return {
    kind: kindOfStatus(status, error as APIError),
    status,
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
  }
}

/** A body that breaks off, or is no JSON, is thrown as what the runtime makes of it. */
const kindOfThrown = (error: unknown): Failure['kind'] => (error instanceof SyntaxError ? 'malformed' : 'dropped')

function kindOfStatus(status: number, error: APIError): Failure['kind'] {
  if (status === 401 || status === 402 || status === 403 || NO_MONEY.has(error.code ?? '')) return 'refused-key'
  if (status === 429) return 'rate-limited'
  if (status >= 500 || PASSING.has(status)) return 'server-error'
  if (status === 413 || isContextOverflow(wordsOf(error))) return 'too-long'
  return status === 404 || error.code === 'model_not_found' ? 'unknown-model' : 'bad-request'
}

/** All that the server said: its code, type and message, wherever it put them. Read here, and told to nobody. */
export const wordsOf = ({ code, type, message, error }: APIError): string =>
  [code, type, message, safeJson(error)].filter((part) => typeof part === 'string').join('\n')

function safeJson(value: unknown): string {
  try {
    return JSON.stringify(value) || ''
  } catch {
    return ''
  }
}
