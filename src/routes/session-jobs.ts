import type { FastifyReply, FastifyRequest, FastifySchema } from 'fastify'
import { Readable } from 'node:stream'
import type { CollectedBody } from '../http/parse-bodies.ts'
import { openDeadline } from '../http/request-budget.ts'
import type { JobName } from '../jobs/session-jobs.ts'
import { windowLimitOf } from '../model/summarizer.ts'
import { byteLengthOf } from '../runtime/frames.ts'
import { ContextReplySchema, ContextRequestSchema } from '../schemas/context.ts'
import { PlanReplySchema, PlanRequestSchema } from '../schemas/plan.ts'
import { PruneReplySchema, PruneRequestSchema } from '../schemas/prune.ts'
import { problemResponses } from './reply.ts'
import type { Route, RouteServices } from './route.ts'

/** `POST /compaction/plan`: returns what a compaction would do, without a model. */
export const planRoute = jobRoute('/compaction/plan', 'plan', {
  summary: 'Plan a compaction',
  tags: ['compaction'],
  body: PlanRequestSchema,
  response: { 200: PlanReplySchema, ...problemResponses },
})

/** `POST /prune`: removes old tool outputs from a session, without a model. */
export const pruneRoute = jobRoute('/prune', 'prune', {
  summary: 'Prune old tool outputs',
  tags: ['session'],
  body: PruneRequestSchema,
  response: { 200: PruneReplySchema, ...problemResponses },
})

/** `POST /context`: returns the messages of a session that a model sees now. */
export const contextRoute = jobRoute('/context', 'context', {
  summary: 'Rebuild the context of a session',
  tags: ['session'],
  body: ContextRequestSchema,
  response: { 200: ContextReplySchema, ...problemResponses },
})

/** Creates a route whose body goes to a job as bytes. The schema is for the OpenAPI document: the job checks the body. */
function jobRoute(url: string, name: JobName, schema: FastifySchema): Route {
  return (services) => async (app) => {
    app.post(
      url,
      { schema, config: { isJob: true }, validatorCompiler: () => (value: unknown) => ({ value }) },
      (request, reply) => sendJob({ request, reply, name }, services),
    )
  }
}

/**
 * Runs the job of a request and sends its reply, which may be as large as the session in the request.
 * @throws Problem; `ClientDisconnected`
 */
async function sendJob(
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
