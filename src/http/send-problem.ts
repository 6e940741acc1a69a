import type { FastifyReply } from 'fastify'
import { PROBLEMS, type Problem, type ProblemType } from '../errors.ts'
import { factsOf } from './log-requests.ts'
import { isOpenAiRoute, openAiError } from './openai-error.ts'
import type { ProblemBody } from '../schemas/problem.ts'

/** The body of a problem (RFC 9457). */
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

/** Sends a problem. Its title is the reason phrase too: it is all that some clients show their user (docs/clients.md). */
export function sendProblem(reply: FastifyReply, problem: Problem): FastifyReply {
  const row = PROBLEMS[problem.type]
  factsOf(reply.request)['problem'] = problem.type
  reply.raw.statusMessage = row.title
  if ('retryAfterSeconds' in row) void reply.header('retry-after', row.retryAfterSeconds)
  return reply
    .code(problem.status)
    .type('application/problem+json')
    .serializer((body) => JSON.stringify(body))
    .send(
      isOpenAiRoute(reply.request) ? { ...problemBody(problem), error: openAiError(problem) } : problemBody(problem),
    )
}

const problemUri = (type: ProblemType): string => `urn:precis:problem:${type}`
