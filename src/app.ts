import fastifyCompress from '@fastify/compress'
import fastify, { LogController, type FastifyInstance } from 'fastify'
import type { DestinationStream } from 'pino'
import { createAdmission, type Admission, type OnRefused } from './http/admission.ts'
import { checkHost, checkOrigin } from './http/check-origin.ts'
import { createLogger } from './http/create-logger.ts'
import { endConnections, refuseWhileDraining } from './http/drain.ts'
import { joinChunks } from './http/join-chunks.ts'
import { limitRate } from './http/limit-rate.ts'
import { endSlowTransfers } from './http/min-rate.ts'
import { parseBodies } from './http/parse-bodies.ts'
import { limitPipelining } from './http/pipelining.ts'
import { handleErrors, sendProblem, toProblem } from './http/problems.ts'
import { logRequests, observeRequests } from './http/record-requests.ts'
import { refuseOverload } from './http/refuse-overload.ts'
import { answerBrokenRequests, keepReplyOrder, onReplyEnd } from './http/reply-order.ts'
import { assignRequestIds, chooseRequestId } from './http/request-facts.ts'
import { limitRequestMemory } from './http/request-memory.ts'
import { requireToken } from './http/require-token.ts'
import { refuseUnknownRoutes } from './http/unknown-routes.ts'
import { JobRunner } from './jobs/job-runner.ts'
import type { Services } from './jobs/services.ts'
import { defineMetrics, type Metrics } from './observe/metrics.ts'
import { observeHooks } from './observe/observe-model.ts'
import { otherRoutes, queuedRoutes } from './routes/define-route.ts'
import { docsRoutes } from './routes/docs.ts'
import { modelsRoute } from './routes/models.ts'
import { openBackground, type SummaryKeeping } from './routes/open-background.ts'
import { collectSchemas } from './routes/openapi.ts'
import { healthRoutes, metricsRoute } from './routes/operations.ts'
import { pageRoutes } from './routes/page.ts'
import type { Route } from './routes/route.ts'
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

/** Of a plugin without a name, Fastify looks through all loaded modules for one, several times. */
const PLUGIN_NAME = { [Symbol.for('fastify.display-name')]: 'routes' }

/** Settings and services; those with defaults may be left out. The connections among them are closed with the app. */
export interface AppOptions
  extends
    Pick<Services, 'settings' | 'prompts' | 'summarizer' | 'hooks' | 'shared' | 'startTimer' | 'sessionForPage'>,
    Partial<Pick<Services, 'metrics' | 'jobs'>> {
  /** How late the event loop may be before requests are refused, in milliseconds; default: half a second. */
  maxEventLoopDelayMs?: number
  /** How summaries are kept for later requests; default: as a service does. */
  keeping?: SummaryKeeping | undefined
  /** Where log lines are written; default: stdout. */
  logTo?: DestinationStream
}

/** Builds the service: transport rules here, routes in their plugins. It neither listens nor reads the environment. */
export async function buildApp(options: AppOptions): Promise<FastifyInstance> {
  const { settings, summarizer, shared, startTimer, metrics = defineMetrics(), jobs = new JobRunner() } = options
  const app = createServer(options)
  // The schemas of the routes are for the OpenAPI document. Jobs check bodies, and change nothing in them.
  app.setValidatorCompiler(() => (value: unknown) => ({ value }))
  // Replies are sent unchanged: a serializer that is driven by schemas would drop unknown fields.
  app.setSerializerCompiler(() => (reply) => JSON.stringify(reply))
  await app.register(fastifyCompress, { globalCompression: false })
  parseBodies(app, (ticket) => jobs.whenNoneLeft(ticket))
  handleErrors(app)
  refuseUnknownRoutes(app)
  assignRequestIds(app)
  limitPipelining(app)
  keepReplyOrder(app)
  onReplyEnd(app, [logRequests(app), observeRequests(app, metrics)])
  endSlowTransfers(app, settings)
  checkHost(app, settings)
  checkOrigin(app, settings)
  const onRefused: OnRefused = (reason) => metrics.refused.inc({ reason })
  refuseWhileDraining(app, onRefused)
  endConnections(app, { deadlineMs: settings.deadlineMs, startTimer })
  requireToken(app, settings.tokens, onRefused)
  // Without a model, the job of a request has its place until it ends.
  const admission = createAdmission({ ...settings, onRefused, hasSpare: summarizer.name === 'embedded' })
  const { rateLimit: perMinute } = settings
  if (perMinute !== undefined) limitRate(app, { perMinute, redis: shared?.client, onRefused })
  refuseOverload(app, { admission, onRefused, maxEventLoopDelayMs: options.maxEventLoopDelayMs })
  limitRequestMemory(app, settings.bodyLimitBytes, onRefused)
  await collectSchemas(app)
  watchLoad(metrics, { admission, jobs, shared })
  options.hooks?.listen(observeHooks(metrics, app.log))
  const opened = { ...options, jobs, metrics, admission, onRefused }
  const services: Services = { ...opened, background: openBackground(app, opened, options.keeping) }
  for (const route of ROUTES) await app.register(Object.assign(route(services), PLUGIN_NAME))
  useRedis(app, shared)
  app.addHook('onClose', async () => {
    await options.hooks?.close()
    jobs.close()
  })
  return app
}

/** Instead of Fastify's compilers, which it would load (a tenth of the start-up time): the application sets its own. */
function refuse(): never {
  throw new Error('The application has its own compilers.')
}

/** Logs when Redis is lost, and when it is back, and closes the connection at the end. */
function useRedis(app: FastifyInstance, shared: SharedMemory | undefined): void {
  let isClosing = false
  // Fastify calls the hooks of later lines first.
  app.addHook('onClose', async () => {
    isClosing = true
    shared?.close()
  })
  shared?.onChange((isUp) => {
    if (isUp) app.log.info('Redis answers again')
    else if (!isClosing)
      app.log.warn('Redis does not answer: this replica works alone until it does, and its rate limits count alone')
  })
}

function createServer(options: AppOptions): FastifyInstance {
  return fastify({
    loggerInstance: createLogger(options.settings.logLevel, options.logTo),
    logController: new LogController({ disableRequestLogging: true }), // logRequests writes the one line
    bodyLimit: options.settings.bodyLimitBytes,
    requestTimeout: 120_000, // a request that takes longer to arrive is refused with 408
    routerOptions: { ignoreTrailingSlash: true },
    schemaController: { compilersFactory: { buildValidator: refuse, buildSerializer: refuse } },
    // checkOrigin replies with a problem if there is no Host header.
    http: { requireHostHeader: false, IncomingMessage: joinChunks() },
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
