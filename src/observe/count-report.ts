import type { Checks, Report } from '../schemas/compaction-reply.ts'
import type { Metrics } from './metrics.ts'

/** The part of a reply that is counted. */
export interface Reported {
  report: Report
  tokensBefore?: number | undefined
  tokensAfter?: number | undefined
}

/** Counts a reply with a report. */
export function countReport(metrics: Metrics, route: string, { report, tokensBefore, tokensAfter }: Reported): void {
  const { strategy, degraded, redactions, checks } = report
  metrics.compactions.inc({ route, strategy })
  if (degraded) metrics.degraded.inc()
  metrics.redactions.inc(redactions)
  if (tokensBefore !== undefined && tokensAfter !== undefined)
    metrics.tokensSaved.inc(Math.max(0, tokensBefore - tokensAfter))
  if (checks === undefined) return
  metrics.repairs.inc(checks.repaired)
  for (const check of failedChecks(checks)) metrics.checkFailures.inc({ check })
}

/** Returns the checks whose fault is still in the reply, or was fixed by code. */
function failedChecks({ sections, latestRequest, grounding, language, size, injection }: Checks): string[] {
  const isForeign = language !== undefined && language.expected !== null && language.found !== null
  const failures = {
    sections: (sections?.missing.length ?? 0) > 0,
    'latest-request': latestRequest === 'restored',
    grounding: (grounding?.unknown.length ?? 0) > 0,
    language: isForeign && language.expected !== language.found,
    size: size !== undefined && size.tokens > size.limitTokens,
    injection: (injection?.obeyed.length ?? 0) > 0,
  }
  return Object.entries(failures).flatMap(([check, hasFailed]) => (hasFailed ? [check] : []))
}
