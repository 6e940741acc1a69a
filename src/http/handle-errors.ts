import type { FastifyInstance } from 'fastify'
import { Problem } from '../errors.ts'
import { CLIENT_CLOSED_REQUEST } from './on-replied.ts'
import { ClientGone } from './request-budget.ts'
import { sendProblem } from './send-problem.ts'
import { toProblem } from './to-problem.ts'

/** Answers every failure with a problem. An unknown one is logged by its name and place, never by its message. */
export function handleErrors(app: FastifyInstance): void {
  app.setErrorHandler((error, request, reply) => {
    if (error instanceof ClientGone) return reply.code(CLIENT_CLOSED_REQUEST).send()
    const problem = toProblem(error)
    if (problem.type === 'internal') request.log.error({ ...placeOf(error) }, 'internal error')
    return sendProblem(reply, problem)
  })
  app.setNotFoundHandler((request, reply) => {
    const other = request.method === 'GET' ? 'POST' : 'GET'
    const detail = app.hasRoute({ method: other, url: pathOf(request.url) })
      ? `This address takes ${other}, not ${request.method}.`
      : 'There is no such address; GET /openapi.json names them all.'
    return sendProblem(reply, new Problem('not-found', detail))
  })
}

const pathOf = (url: string): string => url.split('?', 1)[0] ?? url

function placeOf(error: unknown): { errorName: string; frames: string[] } {
  const { name, stack } = error instanceof Error ? error : new Error()
  // A message may quote a body, and stands in the stack's first lines.
  const frames = (stack ?? '').split('\n').filter((line) => /^\s+at /.test(line))
  return { errorName: name, frames: frames.map((line) => line.trim()) }
}
