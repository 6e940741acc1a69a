import fastifyCompress from '@fastify/compress'
import fastify, { LogController, type FastifyInstance } from 'fastify'
import type { DestinationStream } from 'pino'
import type { Settings } from './settings.ts'
import { createAdmission, type Admission, type OnRefused } from './http/admission.ts'
import { limitRequestMemory } from './http/request-memory.ts'
import { checkHost } from './http/check-host.ts'
import { checkOrigin } from './http/check-origin.ts'
import { createLogger } from './http/create-logger.ts'
import { endConnections, refuseWhileDraining } from './http/drain.ts'
import { limitPipelining } from './http/pipelining.ts'
import { limitRate } from './http/limit-rate.ts'
import { endSlowTransfers } from './http/min-rate.ts'
import { parseBodies } from './http/parse-bodies.ts'
import { handleErrors, sendProblem, toProblem } from './http/problems.ts'
import { logRequests, observeRequests } from './http/record-requests.ts'
import { refuseOverload } from './http/refuse-overload.ts'
import { onReplyEnd } from './http/reply-end.ts'
import { answerBrokenRequests, keepReplyOrder } from './http/reply-order.ts'
import { assignRequestIds, chooseRequestId } from './http/request-facts.ts'
import { requireToken } from './http/require-token.ts'
import { refuseUnknownRoutes } from './http/unknown-routes.ts'
import type { HookRunner } from './jobs/hook-runner.ts'
import { JobRunner } from './jobs/job-runner.ts'
import { defineMetrics, observeHooks, type Metrics } from './observe/metrics.ts'
import type { Summarizer } from './model/summarizer.ts'
import type { Prompts } from './prompt/load-prompts.ts'
import { docsRoutes } from './routes/docs.ts'
import { modelsRoute } from './routes/models.ts'
import { collectSchemas } from './routes/openapi.ts'
import { healthRoutes, metricsRoute } from './routes/operations.ts'
import { pageRoutes } from './routes/page.ts'
import type { Route } from './routes/route.ts'
import { otherRoutes, queuedRoutes } from './routes/use-case-routes.ts'
import type { StartTimer } from './runtime/abort.ts'
import type { SharedMemory } from './runtime/redis.ts'

/** In the order of the OpenAPI document. */
const ROUTES: readonly Route[] = [
  docsRoutes,
  pageRoutes,
  healthRoutes,
  queuedRoutes,
  modelsRoute,
  metricsRoute,
  otherRoutes,
]

export interface AppOptions extends Prompts {
  summarizer: Summarizer
  /** The cap: the upper limit of any summary, in tokens. */
  maxSummaryTokens: number
  /** Whether secrets are replaced. */
  redact: boolean
  config: Pick<
    Settings,
    | 'host'
    | 'hosts'
    | 'corsOrigins'
    | 'logLevel'
    | 'bodyLimitBytes'
    | 'minRate'
    | 'transcriptTokens'
    | 'deadlineMs'
    | 'heartbeatMs'
    | 'tokens'
    | 'concurrency'
    | 'queue'
    | 'rateLimit'
    | 'page'
    | 'model'
    | 'compress'
  >
  /** The Redis connection that replicas share; closed with the app. */
  shared?: SharedMemory | undefined
  /** The operator's hooks; closed with the app. */
  hooks?: HookRunner | undefined
  /** Default: new ones. */
  metrics?: Metrics
  /** How late the event loop may be before requests are refused, in milliseconds; default: half a second. */
  maxEventLoopDelayMs?: number
  /** Starts the timer of a request's deadline; default: a real one. */
  startTimer?: StartTimer
  /** Runs the jobs of requests; default: in this process. */
  jobs?: JobRunner
  /** Where log lines are written; default: stdout. */
  logTo?: DestinationStream
}

/** Builds the service: transport rules here, routes in their plugins. It neither listens nor reads the environment. */
export async function buildApp(options: AppOptions): Promise<FastifyInstance> {
  const { config, shared, metrics = defineMetrics() } = options
  const app = createServer(options)
  // The schemas of the routes are for the OpenAPI document. Jobs check bodies, and change nothing in them.
  app.setValidatorCompiler(() => (value: unknown) => ({ value }))
  // Replies are sent unchanged: a serializer that is driven by schemas would drop unknown fields.
  app.setSerializerCompiler(() => (reply) => JSON.stringify(reply))
  await app.register(fastifyCompress, { globalCompression: false })
  parseBodies(app)
  handleErrors(app)
  refuseUnknownRoutes(app)
  assignRequestIds(app)
  limitPipelining(app)
  keepReplyOrder(app)
  onReplyEnd(app, [logRequests(app), observeRequests(app, metrics)])
  endSlowTransfers(app, config)
  checkHost(app, config)
  checkOrigin(app, config)
  const onRefused: OnRefused = (reason) => {
    metrics.refused.inc({ reason })
  }
  refuseWhileDraining(app, onRefused)
  endConnections(app, { deadlineMs: config.deadlineMs, startTimer: options.startTimer })
  requireToken(app, config.tokens, onRefused)
  // Without a model, the job of a request has its place until it ends.
  const admission = createAdmission({ ...config, onRefused, hasSpare: options.summarizer.name === 'embedded' })
  if (config.rateLimit !== undefined) limitRate(app, { perMinute: config.rateLimit, redis: shared?.client, onRefused })
  refuseOverload(app, { admission, onRefused, maxEventLoopDelayMs: options.maxEventLoopDelayMs })
  limitRequestMemory(app, config.bodyLimitBytes, onRefused)
  await collectSchemas(app)
  const jobs = options.jobs ?? new JobRunner()
  watchLoad(metrics, { admission, jobs, shared })
  options.hooks?.listen(observeHooks(metrics, app.log))
  const services = { ...options, ...settingsOfRoutes(config), jobs, metrics, admission, onRefused }
  for (const route of ROUTES) await app.register(route(services))
  app.addHook('onClose', async () => {
    await options.hooks?.close()
    jobs.close()
    shared?.close()
  })
  return app
}

/** Returns what routes read of the configuration. */
function settingsOfRoutes({ tokens, model, page, ...config }: AppOptions['config']) {
  const { deadlineMs, heartbeatMs, transcriptTokens, bodyLimitBytes, compress } = config
  const candidates = model?.candidates.map((candidate) => candidate.model) ?? []
  return {
    ...{ deadlineMs, heartbeatMs, transcriptTokens, bodyLimitBytes, compress },
    page: { isOn: page, tokensRequired: tokens.length > 0, candidates },
  }
}

function createServer(options: AppOptions): FastifyInstance {
  return fastify({
    loggerInstance: createLogger(options.config.logLevel, options.logTo),
    logController: new LogController({ disableRequestLogging: true }), // logRequests writes the one line
    bodyLimit: options.config.bodyLimitBytes,
    requestTimeout: 120_000, // a request that takes longer to arrive is refused with 408
    routerOptions: { ignoreTrailingSlash: true },
    http: { requireHostHeader: false }, // checkOrigin replies with a problem instead
    genReqId: chooseRequestId,
    return503OnClosing: false, // refuseWhileDraining replies with a problem instead
    clientErrorHandler: answerBrokenRequests,
    frameworkErrors: (error, _request, reply) => void sendProblem(reply, toProblem(error)),
  })
}

function watchLoad(
  metrics: Metrics,
  { admission, jobs, shared }: { admission: Admission; jobs: JobRunner; shared: SharedMemory | undefined },
): void {
  metrics.jobsWaiting.watch(() => admission.counts().waiting)
  metrics.jobsInFlight.watch(() => admission.counts().inFlight)
  metrics.workers.watch(() => jobs.counts().workers)
  metrics.workerJobsInFlight.watch(() => jobs.counts().inFlight)
  metrics.workerJobsWaiting.watch(() => jobs.counts().waiting)
  if (shared !== undefined) metrics.redisUp.watch(() => (shared.isUp() ? 1 : 0))
}
