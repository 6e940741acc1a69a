import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client'
import type { Checks } from '../schemas/checks.ts'
import type { Report } from '../schemas/compaction-reply.ts'

/** Upper bounds in seconds, from a probe to the deadline of a compaction. */
const REQUEST_SECONDS = [0.005, 0.02, 0.1, 0.5, 1, 2.5, 5, 10, 20, 40, 80, 170]
const CALL_SECONDS = [0.25, 0.5, 1, 2.5, 5, 10, 20, 40, 80, 170]

/** All metrics of the service (docs/observability.md). Labels are route patterns, model names and words from this code. */
export type Metrics = ReturnType<typeof defineMetrics>

const defineTraffic = (make: MetricMaker) => ({
  requests: make.counter('http_requests_total', 'Requests answered.', ['route', 'method', 'status']),
  requestSeconds: make.histogram(
    'http_request_duration_seconds',
    'From the head of a request to the end of its reply.',
    { labelNames: ['route', 'status'], buckets: REQUEST_SECONDS },
  ),
  compactions: make.counter('compactions_total', 'Summaries sent.', ['route', 'strategy']),
  tokensSaved: make.counter('tokens_saved_total', 'tokensBefore - tokensOutside - tokensAfter of compactions.'),
})

const defineModel = (make: MetricMaker) => ({
  calls: make.counter('model_calls_total', 'Model calls that have ended.', ['model', 'outcome']),
  callSeconds: make.histogram('model_call_duration_seconds', 'From the beginning of a model call to its end.', {
    labelNames: ['model'],
    buckets: CALL_SECONDS,
  }),
  retries: make.counter('model_retries_total', 'Calls made again after a failure.', ['model']),
  callsInFlight: make.gauge('model_calls_in_flight', 'Model calls under way.'),
  tokens: make.counter('tokens_total', 'Tokens that model servers counted.', ['direction']),
})

const defineLoad = (make: MetricMaker) => ({
  jobsWaiting: make.watched('jobs_waiting', 'Jobs that wait for a place.'),
  jobsInFlight: make.watched('jobs_in_flight', 'Jobs that have a place.'),
  workers: make.watched('workers', 'Worker processes.'),
  workerJobsInFlight: make.watched('worker_jobs_in_flight', 'Jobs that workers are doing.'),
  workerJobsWaiting: make.watched('worker_jobs_waiting', 'Jobs that wait for a worker.'),
  refused: make.counter('refused_total', 'Requests refused because of load.', ['reason']),
  sharing: make.counter('cache_requests_total', 'Work asked for, by whether it had to be done.', ['result']),
  kept: make.watched('cache_entries', 'Finished answers kept in this process.'),
  redisUp: make.watched('redis_up', 'Whether Redis can be asked.'),
})

const defineCompress = (make: MetricMaker) => ({
  compressed: make.counter('compress_requests_total', 'Requests for /v1/compress, by what they were answered with.', [
    'result',
  ]),
})

const definePrepared = (make: MetricMaker) => ({
  prepared: make.counter('prepared_summaries_total', 'Summaries that were written for later requests.', [
    'route',
    'outcome',
  ]),
  preparing: make.watched('prepared_summaries_in_flight', 'Summaries for later requests that are being written.'),
  preparedKept: make.watched('prepared_summaries', 'Summaries for later requests in this process.'),
  preparedUses: make.counter('prepared_uses_total', 'Compactions with a prepared summary, by its use.', ['use']),
})

const defineQuality = (make: MetricMaker) => ({
  degraded: make.counter('degraded_total', 'Replies of the embedded summarizer in place of a failed model.'),
  redactions: make.counter('redactions_total', 'Secrets replaced.'),
  checkFailures: make.counter('check_failures_total', 'Summaries that a check found a fault in.', ['check']),
  repairs: make.counter('repairs_total', 'Repair calls made.'),
  hooks: make.counter('hooks_total', "Runs of the operator's hooks.", ['hook', 'outcome']),
})

/** Returns the metrics of one service, in their own registry. */
export function defineMetrics() {
  const registry = new Registry()
  const make = new MetricMaker(registry)
  return {
    registry,
    ...defineTraffic(make),
    ...defineModel(make),
    ...defineLoad(make),
    ...defineCompress(make),
    ...definePrepared(make),
    ...defineQuality(make),
  }
}

/** Creates the metrics of one registry, with the prefix of the service. */
class MetricMaker {
  readonly #registers: Registry[]

  constructor(registry: Registry) {
    this.#registers = [registry]
  }

  counter<L extends string>(name: string, help: string, labelNames: readonly L[] = []): Counter<L> {
    return new Counter({ ...this.#named(name, help), labelNames })
  }

  gauge(name: string, help: string): Gauge {
    return new Gauge(this.#named(name, help))
  }

  /** @param buckets upper bounds, in the unit at the end of the name */
  histogram<L extends string>(name: string, help: string, of: { labelNames: readonly L[]; buckets: number[] }) {
    return new Histogram({ ...this.#named(name, help), ...of })
  }

  /** Creates a gauge whose value is read at each scrape. It exists only once there is something to read. */
  watched(name: string, help: string): { watch: (read: () => number) => void } {
    return {
      watch: (read) => {
        new Gauge({
          ...this.#named(name, help),
          collect() {
            this.set(read())
          },
        })
      },
    }
  }

  #named(name: string, help: string) {
    return { name: `precis_${name}`, help, registers: this.#registers }
  }
}

let processRegistry: Registry | undefined

/** Returns the text that Prometheus reads. */
export const writeMetrics = (metrics: Metrics): Promise<string> =>
  Registry.merge([metrics.registry, processMetrics()]).metrics()

/**
 * Those that call undocumented functions of Node (`process._getActiveHandles`): Node 20.20 has aborted in one while a handle was
 * being closed. `nodejs_active_resources` has the same numbers.
 */
const UNSAFE_METRICS = ['handles', 'handles_total', 'requests', 'requests_total'].map((name) => `nodejs_active_${name}`)

/** Returns the metrics of the process (memory, CPU, event loop), which all services of the process share. */
function processMetrics(): Registry {
  if (processRegistry === undefined) {
    processRegistry = new Registry()
    collectDefaultMetrics({ register: processRegistry })
    for (const name of UNSAFE_METRICS) processRegistry.removeSingleMetric(name)
  }
  return processRegistry
}

/** The part of a reply that is counted. */
export interface ReplyMetrics {
  report: Report
  tokensBefore?: number | undefined
  tokensAfter?: number | undefined
  tokensOutside?: number | undefined
}

/** Counts a reply with a report. */
export function countReport(metrics: Metrics, route: string, reported: ReplyMetrics): void {
  const { report, tokensBefore, tokensAfter, tokensOutside = 0 } = reported
  const { strategy, degraded, prepared } = report
  metrics.compactions.inc({ route, strategy })
  if (degraded) metrics.degraded.inc()
  if (prepared !== undefined) metrics.preparedUses.inc({ use: prepared.use })
  if (tokensBefore !== undefined && tokensAfter !== undefined)
    metrics.tokensSaved.inc(Math.max(0, tokensBefore - tokensOutside - tokensAfter))
  countFindings(metrics, report)
}

/** Counts the secrets, repairs and faults of a summary, also of one that was written in the background, and is no reply. */
export function countFindings(metrics: Metrics, { redactions, checks }: Report): void {
  metrics.redactions.inc(redactions)
  if (checks === undefined) return
  metrics.repairs.inc(checks.repaired)
  for (const check of failedChecks(checks)) metrics.checkFailures.inc({ check })
}

/** Returns the checks whose fault is still in the reply, or was fixed by code. */
function failedChecks({ sections, latestRequest, grounding, size }: Checks): string[] {
  const failures = {
    sections: (sections?.missing.length ?? 0) > 0,
    'latest-request': latestRequest === 'restored' || latestRequest === 'missing',
    grounding: (grounding?.unknown.length ?? 0) > 0,
    size: size !== undefined && size.tokens > size.limitTokens,
  }
  return Object.entries(failures).flatMap(([check, hasFailed]) => (hasFailed ? [check] : []))
}
