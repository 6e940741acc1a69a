import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { PROBLEMS, Problem, type ProblemType } from '../errors.ts'
import { factsOf } from './request-facts.ts'
import type { AnthropicErrorBody, ProblemBody, OpenAiError } from '../schemas/problem.ts'
import { CLIENT_CLOSED_REQUEST, ClientDisconnected } from './request-budget.ts'

/** The detail of a body over the limit. */
export const BODY_TOO_LARGE =
  'The body, after decompression, is larger than this service allows (PRECIS_BODY_LIMIT). Send a smaller body.'

const problemUri = (type: ProblemType): string => `urn:precis:problem:${type}`

/** Returns the body of a problem (RFC 9457). */
export function problemBody(problem: Problem): ProblemBody {
  const { title } = PROBLEMS[problem.type]
  return {
    type: problemUri(problem.type),
    title,
    status: problem.status,
    detail: problem.message,
    ...(problem.faults.length > 0 ? { errors: [...problem.faults] } : {}),
  }
}

/** Sends a problem. Its title is also the reason phrase: some clients show their user nothing else (docs/clients.md). */
export function sendProblem(reply: FastifyReply, problem: Problem): FastifyReply {
  const row = PROBLEMS[problem.type]
  Object.assign(factsOf(reply.request), { problem: problem.type, ...problem.facts })
  reply.raw.statusMessage = row.title
  if ('retryAfterSeconds' in row) void reply.header('retry-after', row.retryAfterSeconds)
  const { errorFormat } = reply.request.routeOptions.config
  return reply
    .code(problem.status)
    .type(errorFormat === 'anthropic' ? 'application/json' : 'application/problem+json')
    .serializer((body) => JSON.stringify(body))
    .send(errorBody(problem, reply.request))
}

function errorBody(problem: Problem, { id, routeOptions }: FastifyRequest): object {
  switch (routeOptions.config.errorFormat) {
    case 'anthropic':
      return { ...anthropicError(problem), request_id: id }
    case 'openai':
      return { ...problemBody(problem), error: openAiError(problem) }
    default:
      return problemBody(problem)
  }
}

interface HttpError {
  code?: unknown
  statusCode?: unknown
}

/**
 * Returns any error of a route or of Fastify as a problem. An unknown error becomes `internal`, without its message: that
 * may quote a body.
 */
export function toProblem(error: unknown): Problem {
  if (error instanceof Problem) return error
  const { code, statusCode } = (typeof error === 'object' && error !== null ? error : {}) as HttpError
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE' || statusCode === 413)
    return new Problem('body-too-large', BODY_TOO_LARGE, { cause: error })
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE')
    return new Problem(
      'unsupported-media-type',
      'Unknown content type. Send application/json, or application/x-ndjson for a session file.',
      {
        cause: error,
      },
    )
  if (statusCode === 415)
    return new Problem(
      'unsupported-media-type',
      'Unknown Content-Encoding. Send the body uncompressed, or as gzip, deflate or br.',
      { cause: error },
    )
  if (code === 'FST_CP_ERR_INVALID_CONTENT')
    return new Problem(
      'invalid-request',
      'The body cannot be decompressed: it is broken, or not in the format that Content-Encoding names. Send it again, or correct the header.',
      { cause: error },
    )
  // JSON of any depth can be parsed, but deep JSON overflows the stack when it is written.
  if (error instanceof RangeError && /call stack/.test(error.message))
    return new Problem('invalid-request', 'The values in the body are nested too deeply.', { cause: error })
  if (typeof statusCode === 'number' && statusCode >= 400 && statusCode < 500)
    return new Problem('invalid-request', 'The request could not be read. Check its URL, headers and body.', {
      cause: error,
    })
  return new Problem(
    'internal',
    'Unexpected error in this service. Its log has the details, under the id of the header X-Request-Id.',
    { cause: error },
  )
}

/** Replies to every error with a problem. An unexpected error is logged with its name and stack, but without its message. */
export function handleErrors(app: FastifyInstance): void {
  app.setErrorHandler((error, request, reply) => {
    if (error instanceof ClientDisconnected) return reply.code(CLIENT_CLOSED_REQUEST).send()
    const problem = toProblem(error)
    if (problem.type === 'internal') request.log.error({ ...placeOf(error) }, 'internal error')
    return sendProblem(reply, problem)
  })
}

/** Returns the name of an error, and where it was thrown, without its message. */
export function placeOf(error: unknown): { errorName: string; frames: string[] } {
  const { name, stack } = error instanceof Error ? error : new Error()
  // The first lines of a stack are the message, which may quote a body.
  const frames = (stack ?? '').split('\n').filter((line) => /^\s+at /.test(line))
  return { errorName: name, frames: frames.map((line) => line.trim()) }
}

/** Returns a problem in the format of OpenAI's API (its reference, "Error codes"); `param` is the place of the first fault. */
export function openAiError(problem: Problem): OpenAiError {
  const [fault] = problem.faults
  return {
    message: messageOf(problem),
    type: typeOf(problem),
    param: fault === undefined ? null : paramOf(fault.pointer),
    // On this code, clients shorten their next request.
    code: problem.status === 413 ? 'context_length_exceeded' : problem.type.replaceAll('-', '_'),
  }
}

/** Returns the detail of a problem with its first fault: clients of these APIs read no other field. */
function messageOf({ message, faults: [fault] }: Problem): string {
  return [message, fault && `${paramOf(fault.pointer)}: ${fault.detail}`].filter(Boolean).join(' ')
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

/** Returns a problem in the format of Anthropic's API. */
function anthropicError(problem: Problem): AnthropicErrorBody {
  const { status } = problem
  const type = ANTHROPIC_TYPES[status] ?? (status < 500 ? 'invalid_request_error' : 'api_error')
  return { type: 'error', error: { type, message: messageOf(problem) } }
}
