import { PROBLEMS, withoutFault, type Problem } from '../errors.ts'
import type { AnthropicErrorBody, OpenAiError, ProblemBody } from '../schemas/problem.ts'

/**
 * The formats of errors. `problem`: RFC 9457. `openai`: a problem that also has the `error` of OpenAI's API. `anthropic`: that
 * of Anthropic's API alone.
 */
export type ErrorFormat = 'problem' | 'openai' | 'anthropic'

/** A path has the format of the first of these that is equal to it or a folder above it. */
const FORMATS_BY_PATH: readonly (readonly [path: string, format: ErrorFormat])[] = [
  ['/v1/messages', 'anthropic'],
  ['/v1', 'openai'],
  ['/messages/v1', 'openai'],
]

/** Returns the format that the clients of a path expect, whether or not there is such a route. */
export function errorFormatOf(url: string): ErrorFormat {
  const [path = ''] = url.split('?', 1)
  return FORMATS_BY_PATH.find(([start]) => path === start || path.startsWith(`${start}/`))?.[1] ?? 'problem'
}

/** Returns the content type of errors in a format. */
export const errorTypeOf = (format: ErrorFormat): string =>
  format === 'anthropic' ? 'application/json' : 'application/problem+json'

export function errorBody(problem: Problem, format: ErrorFormat, requestId?: string): object {
  if (format === 'anthropic')
    return { ...anthropicError(problem), ...(requestId !== undefined && { request_id: requestId }) }
  return format === 'openai' ? { ...problemBody(problem), error: openAiError(problem) } : problemBody(problem)
}

/** Returns the body of a problem (RFC 9457). */
export function problemBody(problem: Problem): ProblemBody {
  const { title } = PROBLEMS[problem.type]
  return {
    type: `urn:precis:problem:${problem.type}`,
    title,
    status: problem.status,
    detail: problem.message,
    ...(problem.faults.length > 0 ? { errors: [...problem.faults] } : {}),
  }
}

/** Returns a problem in the format of OpenAI's API (its reference, "Error codes"); `param` is the place of the first fault. */
function openAiError(problem: Problem): OpenAiError {
  const [fault] = problem.faults
  return {
    message: messageOf(problem),
    type: typeOf(problem),
    param: fault === undefined || fault.pointer === '' ? null : paramOf(fault.pointer),
    // On this code, clients shorten their next request.
    code: problem.status === 413 ? 'context_length_exceeded' : problem.type.replaceAll('-', '_'),
  }
}

/**
 * Returns the detail of a problem with its faults: clients of these APIs read no other field. A fault of the whole body is in
 * the detail already, unless the detail only points to the list of faults.
 */
function messageOf({ message, faults }: Problem): string {
  const start = withoutFault(message, faults)
  const named = faults.flatMap(({ pointer, detail }) => {
    if (pointer !== '') return `${paramOf(pointer)}: ${detail}`
    return start === message ? [] : `The body ${detail}`
  })
  return named.length === 0 ? start : `${start} ${named.join('; ')}`
}

function typeOf({ type, status }: Problem): string {
  if (type === 'token-refused') return 'authentication_error'
  if (status === 429) return 'rate_limit_error'
  return status < 500 ? 'invalid_request_error' : 'server_error'
}

/** Returns a JSON pointer as a path with dots. */
function paramOf(pointer: string): string {
  return pointer.slice(1).replaceAll('/', '.')
}

/** The types of errors of Anthropic's API by status (its reference, "Errors"). */
const ANTHROPIC_TYPES: Readonly<Record<number, AnthropicErrorBody['error']['type']>> = {
  401: 'authentication_error',
  403: 'permission_error',
  404: 'not_found_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
  503: 'overloaded_error',
  504: 'timeout_error',
}

/** Returns the type that Anthropic's API gives to errors with a status. */
export const anthropicTypeOf = (status: number): AnthropicErrorBody['error']['type'] =>
  ANTHROPIC_TYPES[status] ?? (status < 500 ? 'invalid_request_error' : 'api_error')

/** Returns a problem in the format of Anthropic's API. */
function anthropicError(problem: Problem): AnthropicErrorBody {
  return { type: 'error', error: { type: anthropicTypeOf(problem.status), message: messageOf(problem) } }
}
