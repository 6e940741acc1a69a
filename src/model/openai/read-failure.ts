import { APIError } from 'openai/core/error'
import { isContextOverflow } from '../../session/context-overflow.ts'
import { defined } from '../../text/defined.ts'
import { CommandFault, failureOfCommand } from '../commands/command-fault.ts'
import { NOTHING_SENT, type SentText, withoutEcho } from './echo.ts'
import { type Failure, type FailureKind, CallTimeout, ForeignRedirect, ReplyTooLarge } from './failure.ts'
import { parseReportedWindow } from './learned-facts.ts'

/** Statuses below 500 of failures that may pass. */
const TRANSIENT = new Set([408, 409])

const KEY_REJECTED = new Set([401, 403])

/**
 * Error codes for a used-up budget. They come with the status of a rate limit, but waiting does not help (OpenAI's
 * error codes guide).
 */
const NO_CREDIT = /insufficient_quota|billing_hard_limit_reached/

/** Error texts for an unknown model when the status is not 404: OpenAI and Groq; Mistral; OpenRouter; Bedrock. */
const UNKNOWN_MODEL = /model_not_found|invalid_model|is not a valid model id|model identifier is invalid/i

/** Error texts are short. A longer one is a page or an echo of the prompt, and its beginning is enough. */
const MAX_ERROR_TEXT_CHARACTERS = 4000

/** Codes of Node and undici for a connection that was never established. */
const UNREACHABLE = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
])

/**
 * Returns the failure that a thrown error stands for.
 * @param nowMs the current time, for a `Retry-After` that is a date
 * @param sent what the call has sent: the server may repeat it
 */
export function readFailure(error: unknown, nowMs: number, sent: SentText = NOTHING_SENT): Failure {
  if (error instanceof CommandFault) return failureOfCommand(error, sent)
  const status = statusOf(error)
  if (status === undefined) {
    return defined({ kind: kindOfThrown(error), cause: error, unreachable: findUnreachable(error) })
  }
  const headers = (error as APIError).headers ?? new Headers()
  const retryAfterMs = readRetryAfterMs(headers, nowMs)
  const errorText = errorTextOf(error, sent)
  const kind = kindOfStatus(status, errorText)
  const reportedWindowTokens = kind === 'too-long' ? parseReportedWindow(errorText, sent) : undefined
  return defined({ kind, status, cause: error, retryAfterMs, reportedWindowTokens })
}

/** Returns the HTTP status of a thrown error; undefined when no reply came. */
export const statusOf = (error: unknown): number | undefined =>
  error instanceof APIError ? (error as APIError).status : undefined

/**
 * Returns the server's error text (see `keepErrorBodies`), without what it repeats of the request. It is only matched
 * against patterns, and never sent on.
 */
export const errorTextOf = (error: unknown, sent: SentText): string =>
  error instanceof Error ? withoutEcho(error.message, sent).slice(0, MAX_ERROR_TEXT_CHARACTERS) : ''

/**
 * A 200 that is not JSON is thrown as the parser's error, and what our own fetch rejects with is the cause of the SDK's
 * error; any other error without a status comes from the connection.
 */
function kindOfThrown(error: unknown): FailureKind {
  const cause = error instanceof APIError ? error.cause : undefined
  if (cause instanceof ReplyTooLarge) return 'reply-too-large'
  if (cause instanceof ForeignRedirect) return 'foreign-redirect'
  if (error instanceof CallTimeout) return 'stalled'
  return error instanceof SyntaxError ? 'malformed' : 'dropped'
}

/** Returns the code of a connection that was never established. The SDK wraps its error as the cause of its own. */
function findUnreachable(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined
  const { code = '' } = error as NodeJS.ErrnoException
  return UNREACHABLE.has(code) ? code : findUnreachable(error.cause)
}

function kindOfStatus(status: number, errorText: string): FailureKind {
  if (KEY_REJECTED.has(status)) return 'refused-key'
  if (status === 402 || (status === 429 && NO_CREDIT.test(errorText))) return 'no-credit'
  if (isContextOverflow(errorText)) return 'too-long'
  // A proxy may limit the bytes of a body: that says nothing about the model's window.
  if (status === 413) return 'too-large'
  if (status === 429) return 'rate-limited'
  if (status >= 500 || TRANSIENT.has(status)) return 'server-error'
  return status === 404 || UNKNOWN_MODEL.test(errorText) ? 'unknown-model' : 'bad-request'
}

/** The status of an error that a gateway reports without one. */
const BAD_GATEWAY = 502

/**
 * Finds the error in a reply with status 200: OpenRouter reports a provider's failure this way, with its status in
 * `code` (openrouter.ai/docs, "Errors"), and a llama.cpp server one that occurs after the reply's head was sent
 * (github.com/oobabooga/textgen/issues/7257).
 * @returns the error that the SDK would throw for it; undefined when the reply has none
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
 * Reads the wait that a server asks for: `retry-after-ms`, or `Retry-After` in seconds or as a date (RFC 9110, 10.2.3).
 * @returns milliseconds, at least 0; undefined when the headers name none
 */
export function readRetryAfterMs(headers: Headers, nowMs: number): number | undefined {
  const ms = Number.parseFloat(headers.get('retry-after-ms') ?? '')
  if (Number.isFinite(ms)) return Math.max(0, ms)
  const value = headers.get('retry-after') ?? ''
  if (/^\d+(?:\.\d+)?$/.test(value)) return Number(value) * 1000
  // Date.parse accepts almost anything, `-5` included; the RFC's dates contain the name of the month.
  const atMs = /[a-z]{3}/i.test(value) ? Date.parse(value) : NaN
  return Number.isNaN(atMs) ? undefined : Math.max(0, atMs - nowMs)
}
