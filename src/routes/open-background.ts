import type { FastifyInstance } from 'fastify'
import { placeOf } from '../http/problems.ts'
import { BackgroundSummaries, type PreparedSummary } from '../jobs/background-summaries.ts'
import type { Background } from '../jobs/background.ts'
import type { Services } from '../jobs/services.ts'
import { summariesInRedis, type SharedSummaries } from '../model/sharing/summary-place.ts'
import { SummaryStore } from '../model/sharing/summary-store.ts'
import { countFindings, type Metrics } from '../observe/metrics.ts'

/** How summaries are kept for later requests, and who is told how each has ended. What is left out is that of a service. */
export interface SummaryKeeping {
  shared?: SharedSummaries | undefined
  /** How long a summary is kept, and how long a session rests after a failure. */
  keepMs?: number
  restMs?: number
  onPrepared?: (summary: PreparedSummary) => void
}

/** Opens the summaries for later requests: their store and their queue. They end when the service drains. */
export function openBackground(
  app: FastifyInstance,
  services: Omit<Services, 'background'>,
  keeping: SummaryKeeping = {},
): Background {
  const { metrics, settings } = services
  const onError = (): void => metrics.sharing.inc({ result: 'error' })
  let hasWarned = false
  const onUnreadable = (): void => {
    onError()
    if (!hasWarned) app.log.warn(UNREADABLE)
    hasWarned = true
  }
  const { shared = sharedByReplicas(services), keepMs, restMs = settings.deadlineMs } = keeping
  const store = new SummaryStore({ shared, onError, onUnreadable, restMs, keepMs })
  const onPrepared = (summary: PreparedSummary): void => {
    record(summary, metrics, app.log)
    keeping.onPrepared?.(summary)
  }
  const background = new BackgroundSummaries(services, { store, onPrepared })
  metrics.preparedKept.watch(() => store.count())
  metrics.preparing.watch(() => background.count())
  app.addHook('preClose', () => background.stop())
  return background
}

const UNREADABLE =
  'a stored summary cannot be read, counts as absent, and is overwritten when it is needed: another PRECIS_STORE_KEY or another program has written it'

function sharedByReplicas({ shared, settings }: Pick<Services, 'shared' | 'settings'>): SharedSummaries | undefined {
  const { storeKey: secret } = settings
  return shared === undefined || secret === undefined ? undefined : { place: summariesInRedis(shared.client), secret }
}

function record(
  { route, requestId, outcome, ms, reported, problem, facts, error }: PreparedSummary,
  metrics: Metrics,
  log: FastifyInstance['log'],
): void {
  metrics.prepared.inc({ route, outcome })
  if (reported !== undefined) countFindings(metrics, reported.report)
  const { model, calls, usage } = reported?.report ?? {}
  const level = error !== undefined ? 'error' : outcome === 'failed' || outcome === 'refused' ? 'warn' : 'info'
  const place = error === undefined ? {} : placeOf(error)
  log[level](
    { reqId: requestId, route, outcome, ms, problem, model, calls, ...usage, ...facts, ...place },
    outcome === 'ready' ? 'summary prepared' : 'no summary prepared',
  )
}
