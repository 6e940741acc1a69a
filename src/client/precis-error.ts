import type { ProblemBody } from '../schemas/problem.ts'

/** An error reply of the service (docs/errors.md), or a reply that does not come from Précis. */
export class PrecisError extends Error {
  override readonly name = 'PrecisError'
  /** The HTTP status; that of the problem if it came after the status 200 was sent. */
  readonly status: number
  /** The name of the problem, such as `nothing-to-compact`. */
  readonly type: string
  /** The fault and the remedy: `message` without its title. */
  readonly detail: string
  /** The faults of the request, with their places. */
  readonly errors: readonly { pointer: string; detail: string }[]
  /** How long the service asks to wait before the next attempt, in milliseconds. */
  readonly retryAfterMs: number | undefined

  constructor({ type, title, status, detail, errors = [] }: ProblemBody, retryAfter: string | null = null) {
    super(`${title}: ${detail}`)
    this.status = status
    this.type = type.replace(/^urn:precis:problem:/, '')
    this.detail = detail
    this.errors = errors
    this.retryAfterMs = retryAfter !== null && /^\d{1,6}$/.test(retryAfter) ? Number(retryAfter) * 1000 : undefined
  }
}

/** Returns the error of a reply. @param text the body */
export function errorOf({ status, statusText, headers }: Response, text: string): PrecisError {
  const retryAfter = headers.get('retry-after')
  return new PrecisError(readProblem(text) ?? foreignReply(status, statusText), retryAfter)
}

const foreignReply = (status: number, reason: string): ProblemBody => ({
  type: 'not-precis',
  title: 'The reply does not come from Précis',
  status,
  detail: `HTTP ${status} ${reason}`.trim() + '. Check the URL of the service, and what is between you and it.',
})

/** Returns the error of a JSON reply that the service does not send. @param fault what it has, or lacks */
export const strangeReply = (fault: string): PrecisError => new PrecisError(foreignReply(200, `with ${fault}`))

/** Returns the problem that a text has; undefined if it is another text. */
export function readProblem(text: string): ProblemBody | undefined {
  const value = parse(text)
  return isProblem(value) ? value : undefined
}

/** Returns true for a problem of the service, also in a reply with status 200 (`PRECIS_HEARTBEAT_MS`). */
export function isProblem(value: unknown): value is ProblemBody {
  if (typeof value !== 'object' || value === null) return false
  const { type, title, status, detail } = value as Partial<Record<string, unknown>>
  const texts = [type, title, detail]
  return texts.every((text) => typeof text === 'string') && typeof status === 'number'
}

/** Returns a JSON value; undefined if the text is not JSON. */
export function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
