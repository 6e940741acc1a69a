import type { FastifyInstance, FastifyReply } from 'fastify'
import { PROBLEMS, Problem } from '../errors.ts'
import { count } from '../text/numbers.ts'
import { errorBody, errorFormatOf, errorTypeOf } from './error-format.ts'
import { CLIENT_CLOSED_REQUEST, ClientDisconnected } from './request-budget.ts'
import { factsOf } from './request-facts.ts'

/**
 * Returns the problem of a body over the limit.
 * @param bytes its size, if the client has declared it
 */
export function bodyTooLarge(limitBytes: number, bytes?: number): Problem {
  const size = bytes === undefined ? '' : ` of ${count(bytes)} bytes`
  return new Problem(
    'body-too-large',
    `The body${size} is larger than the ${count(limitBytes)} bytes, after decompression, that this service allows (PRECIS_BODY_LIMIT). Send a smaller body.`,
  )
}

/** Sends a problem. Its title is also the reason phrase: some clients show their user nothing else (docs/clients.md). */
export function sendProblem(reply: FastifyReply, problem: Problem): FastifyReply {
  const row = PROBLEMS[problem.type]
  Object.assign(factsOf(reply.request), { problem: problem.type, ...problem.facts })
  reply.raw.statusMessage = row.title
  if ('retryAfterSeconds' in row) void reply.header('retry-after', row.retryAfterSeconds)
  const format = errorFormatOf(reply.request.routeOptions.url ?? reply.request.url)
  return reply
    .code(problem.status)
    .type(errorTypeOf(format))
    .serializer((body) => JSON.stringify(body))
    .send(errorBody(problem, format, reply.request.id))
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
    return new Problem(
      'body-too-large',
      'The body is larger than this service allows (PRECIS_BODY_LIMIT). Send a smaller body.',
      { cause: error },
    )
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE')
    return new Problem(
      'unsupported-media-type',
      'The header Content-Type is no media type. Send application/json, or application/x-ndjson for a session file.',
      { cause: error },
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
