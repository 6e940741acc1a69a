import type { FastifyReply, FastifyRequest } from 'fastify'
import { Readable } from 'node:stream'
import type { CollectedBody } from '../http/parse-bodies.ts'
import { openDeadline } from '../http/request-budget.ts'
import type { JobName } from '../jobs/session-jobs.ts'
import { windowLimitOf } from '../model/summarizer.ts'
import { byteLengthOf } from '../runtime/frames.ts'
import type { RouteServices } from './route.ts'

/** The config and the validator of a route whose body goes to a job: the job checks it. */
export const JOB_ROUTE = {
  config: { isJob: true },
  validatorCompiler: () => (value: unknown) => ({ value }),
} as const

/**
 * Runs the job of a request and sends its reply, which may be as large as the session in the request.
 * @throws Problem; `ClientDisconnected`
 */
export async function sendJob(
  { request, reply, name }: { request: FastifyRequest; reply: FastifyReply; name: JobName },
  { jobs, summarizer, maxSummaryTokens, redact, deadlineMs, startTimer }: RouteServices,
): Promise<FastifyReply> {
  const { signal } = openDeadline(reply, deadlineMs, startTimer)
  const body = request.body as CollectedBody | undefined
  const services = {
    maxSummaryTokens,
    redact,
    summarizerWindow: summarizer.windowTokens(),
    windowLimitTokens: windowLimitOf(summarizer),
    nowMs: Date.now(),
  }
  const header = {
    name,
    hasBody: body !== undefined,
    isLines: body?.isLines === true,
    query: { ...(request.query as Record<string, unknown>) },
    services,
  }
  const chunks = await jobs.run(header, body?.chunks ?? [], { signal, owner: request.caller || request.ip })
  const headers = { 'content-type': 'application/json; charset=utf-8', 'content-length': byteLengthOf(chunks) }
  return reply.headers(headers).send(chunks.length === 1 ? chunks[0] : Readable.from(chunks))
}
