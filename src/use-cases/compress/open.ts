import { placeOf } from '../../http/problems.ts'
import type { Services } from '../../jobs/services.ts'
import { CutStore } from '../../model/sharing/cut-store.ts'
import { countReport, type Metrics } from '../../observe/metrics.ts'
import type { UseCaseHandler, OpenLog } from '../use-case.ts'
import type { PreparedSummary } from './background-summaries.ts'
import { Compressor } from './compressor.ts'

/** Starts what answers `POST /v1/compress`: a compressor, which prepares summaries for later requests. */
export function openCompressor(services: Services, log: OpenLog): UseCaseHandler {
  const { metrics, shared, settings } = services
  const onError = (): void => {
    metrics.sharing.inc({ result: 'error' })
  }
  const store = new CutStore({ redis: shared?.client, onError, pendingMs: settings.deadlineMs })
  const onPrepared = (summary: PreparedSummary): void => {
    record(summary, metrics, log)
  }
  const compressor = new Compressor(services, { store, onPrepared })
  metrics.cuts.watch(() => store.count())
  metrics.preparing.watch(() => compressor.count())
  return {
    async answer({ received, budget, headers }) {
      const isBypassed = String(headers['x-headroom-bypass']).trim().toLowerCase() === 'true'
      const { reply, outcome, result } = await compressor.compress({ received, budget, isBypassed })
      const { tokensBefore, tokensAfter } = outcome
      metrics.compressed.inc({ result })
      return { body: reply.body, facts: { compressed: result, tokensBefore, tokensAfter } }
    },
    stop: () => compressor.stop(),
  }
}

function record({ outcome, ms, reported, problem, error }: PreparedSummary, metrics: Metrics, log: OpenLog): void {
  metrics.prepared.inc({ outcome })
  if (reported !== undefined) countReport(metrics, '/v1/compress', reported)
  const { model, calls, usage } = reported?.report ?? {}
  const level = error !== undefined ? 'error' : outcome === 'failed' || outcome === 'refused' ? 'warn' : 'info'
  const place = error === undefined ? {} : placeOf(error)
  log[level]({ outcome, ms, problem, model, calls, ...usage, ...place }, 'summary prepared')
}
