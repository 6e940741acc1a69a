import type { FastifyRequest } from 'fastify'
import type { Reported } from '../observe/count-report.ts'

/** Notes what a reply says of itself, for the request's log line and for the metrics: names and counts. */
export function noteReport(request: FastifyRequest, reported: Reported): void {
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
