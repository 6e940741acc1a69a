import type { FastifyReply, FastifyRequest } from 'fastify'
import type { CollectedBody } from '../http/parse-bodies.ts'
import type { RequestBudget } from '../http/request-budget.ts'
import { streamReply } from '../http/stream-reply.ts'
import { runRequest, type JobBudget } from '../jobs/run-request.ts'
import type { RouteName } from '../jobs/start-request.ts'
import { chooseSummarizer, windowLimitOf } from '../model/summarizer.ts'
import type { Reported } from '../observe/metrics.ts'
import type { RouteServices } from './route.ts'

/** Replies to a request with the result of its job, in the way that the client asked for. */
export const replyWithJob = (
  route: RouteName,
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
  services: RouteServices,
): Promise<FastifyReply> =>
  streamReply(request, reply, {
    heartbeatMs: services.heartbeatMs,
    produce: (budget) => runJob(route, { request, budget }, services),
  })

/**
 * Runs the job of a request.
 * @returns the reply as JSON
 * @throws Problem; `ClientDisconnected`
 */
export async function runJob(
  route: RouteName,
  { request, budget }: { request: FastifyRequest; budget: RequestBudget & Pick<JobBudget, 'onPlan' | 'onProgress'> },
  { jobs, summarizer: configured, templates, maxSummaryTokens, transcriptTokens, redact, startTimer }: RouteServices,
): Promise<Buffer> {
  const { candidate, ...query } = request.query as Record<string, unknown>
  const summarizer = chooseSummarizer(configured, candidate)
  const received = takeBody(request)
  const head = {
    route,
    hasBody: received !== undefined,
    isLines: received?.isLines === true,
    query,
    wantsPlan: budget.onPlan !== undefined,
    startedAt: budget.startedAt,
  }
  const services = {
    templates,
    maxSummaryTokens,
    transcriptTokens,
    redact,
    summarizerWindow: summarizer.windowTokens(),
    windowLimitTokens: windowLimitOf(summarizer),
    nowMs: Date.now(),
  }
  const onHeld = (bytes: number): void => {
    // A job has read the body, which is not needed any more while the model works.
    received?.chunks.splice(0)
    request.memory.replace(bytes)
  }
  const { body, reported } = await runRequest(
    { head, chunks: received?.chunks ?? [], services },
    { jobs, summarizer, onHeld, startTimer },
    budget,
  )
  onHeld(body.length)
  if (reported !== undefined) recordReport(request, reported)
  return body
}

/** The request does not keep its body: it is in memory only until a job has read it. */
function takeBody(request: FastifyRequest): CollectedBody | undefined {
  const body = request.body as CollectedBody | undefined
  request.body = undefined
  return body
}

/** Records the names and counts of a result's report, for the log line of its request and for the metrics. */
function recordReport(request: FastifyRequest, reported: Reported): void {
  const { report, tokensBefore, tokensAfter } = reported
  const { model, strategy, windows, calls, usage, degraded, redactions, checks } = report
  request.reported = reported
  Object.assign(request.facts, {
    model,
    strategy,
    windows,
    calls,
    ...usage,
    redactions,
    ...(degraded ? { degraded } : {}),
    ...(checks === undefined ? {} : { repairs: checks.repaired }),
    ...(tokensBefore === undefined ? {} : { tokensBefore, tokensAfter }),
  })
}
