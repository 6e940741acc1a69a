import { Problem } from '../errors.ts'

interface HttpError {
  code?: unknown
  statusCode?: unknown
}

/**
 * Translates any error of a route or of Fastify into a problem, once. What is not known becomes `internal`, with
 * nothing of its message: it may quote a body.
 */
export function toProblem(error: unknown): Problem {
  if (error instanceof Problem) return error
  const { code, statusCode } = (typeof error === 'object' && error !== null ? error : {}) as HttpError
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE' || statusCode === 413)
    return new Problem('body-too-large', 'The body, once decompressed, is larger than this service takes.', {
      cause: error,
    })
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE')
    return new Problem('unsupported-media-type', 'Send application/json, or application/x-ndjson for a session file.', {
      cause: error,
    })
  if (statusCode === 415)
    return new Problem('unsupported-media-type', 'The body may be encoded as gzip, deflate or br.', { cause: error })
  // JSON of any depth can be read, but only what fits the stack can be written.
  if (error instanceof RangeError && /call stack/.test(error.message))
    return new Problem('invalid-request', 'The body is nested too deeply.', { cause: error })
  if (typeof statusCode === 'number' && statusCode >= 400 && statusCode < 500)
    return new Problem('invalid-request', 'The request could not be read.', { cause: error })
  return new Problem('internal', 'Something went wrong inside the service; the log names the place.', { cause: error })
}
