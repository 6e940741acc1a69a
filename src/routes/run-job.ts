import type { FastifyReply, FastifyRequest } from 'fastify'
import type { CollectedBody } from '../http/parse-bodies.ts'
import type { RequestBudget } from '../http/request-budget.ts'
import { streamReply } from '../http/stream-reply.ts'
import type { ReceivedRequest } from '../jobs/job-runner.ts'
import { runRequest, type JobBudget } from '../jobs/run-request.ts'
import type { RequestModes } from '../jobs/start-chat.ts'
import type { RouteName } from '../jobs/start-request.ts'
import { windowLimitOf } from '../model/summarizer.ts'
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
export async function runJob(route: RouteName, running: RunningRequest, services: RouteServices): Promise<Buffer> {
  const { jobs, summarizer, startTimer } = services
  const { received, onHeld } = receive(route, running, services)
  const { body, reported } = await runRequest(received, { jobs, summarizer, onHeld, startTimer }, running.budget)
  onHeld(body.length)
  if (reported !== undefined) recordReport(running.request, reported)
  return body
}

/** Returns a request as its jobs read it, and a function for the bytes that it takes once a job has read its body. */
export function receive(
  route: RouteName,
  { request, budget, modes }: RunningRequest,
  { summarizer, templates, maxSummaryTokens, transcriptTokens, redact }: RouteServices,
): { received: ReceivedRequest; onHeld: (bytes: number) => void } {
  const body = takeBody(request)
  const head = {
    route,
    hasBody: body !== undefined,
    isLines: body?.isLines === true,
    query: { ...(request.query as Record<string, unknown>) },
    wantsPlan: budget.onPlan !== undefined,
    startedAt: budget.startedAt,
    modes,
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
    body?.chunks.splice(0)
    request.memory.replace(bytes)
  }
  return { received: { head, chunks: body?.chunks ?? [], services }, onHeld }
}

interface RunningRequest {
  request: FastifyRequest
  budget: RequestBudget & Pick<JobBudget, 'onPlan' | 'onProgress'>
  /** What the headers have chosen. */
  modes?: RequestModes
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
