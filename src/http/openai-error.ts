import type { FastifyRequest } from 'fastify'
import type { Problem } from '../errors.ts'
import type { OpenAiError } from '../schemas/problem.ts'

/** Addresses whose callers are clients of OpenAI's API: they read errors in its shape. */
const OPENAI_ROUTES = new Set(['/v1/chat/completions'])

export const isOpenAiRoute = ({ routeOptions }: FastifyRequest): boolean => OPENAI_ROUTES.has(routeOptions.url ?? '')

/** Tells a problem as OpenAI's API does (its reference, "Error codes"); `param` is the first fault's place, with dots. */
export function openAiError(problem: Problem): OpenAiError {
  const [fault] = problem.faults
  return {
    message: [problem.message, fault && `${paramOf(fault.pointer)}: ${fault.detail}`].filter(Boolean).join(' '),
    type: typeOf(problem),
    param: fault === undefined ? null : paramOf(fault.pointer),
    // Clients shorten what they send on this code.
    code: problem.status === 413 ? 'context_length_exceeded' : problem.type.replaceAll('-', '_'),
  }
}

const paramOf = (pointer: string): string => pointer.slice(1).replaceAll('/', '.')

function typeOf({ type, status }: Problem): string {
  if (type === 'token-refused') return 'authentication_error'
  if (status === 429) return 'rate_limit_error'
  return status < 500 ? 'invalid_request_error' : 'server_error'
}
