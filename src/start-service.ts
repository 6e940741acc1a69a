import { lookup } from 'node:dns/promises'
import { buildApp } from './app.ts'
import { hookEnvironment } from './environment.ts'
import { whenLogged } from './http/create-logger.ts'
import { HookRunner } from './jobs/hook-runner.ts'
import { JobRunner } from './jobs/job-runner.ts'
import { cpuLimitMs } from './jobs/run-in-worker.ts'
import { createSummarizer } from './model/create-summarizer.ts'
import { serverOf, type ModelSettings } from './model-settings.ts'
import { defineMetrics } from './observe/metrics.ts'
import { observeModel } from './observe/observe-model.ts'
import { startTracing } from './observe/start-tracing.ts'
import { ownFile, ownProgram } from './own-package.ts'
import { loadPrompts, type Prompts } from './prompt/load-prompts.ts'
import type { Split } from './prompt/split-conversation.ts'
import { WorkerPool } from './runtime/worker-pool.ts'
import { fieldsOf } from './session/entry.ts'
import { readSettings, type Settings } from './settings.ts'
import { startWarnings } from './start-warnings.ts'

/** Most hooks take milliseconds. Each process has some ten threads, and containers limit their number. */
const MAX_HOOK_PROCESSES = 4

/** How a user names the settings of the address: as variables, or as options of a command too. */
interface AddressNames {
  HOST: string
  PORT: string
}

/**
 * Starts the service in this process: configuration, application, socket, signals. If that fails, the process ends.
 */
export async function startService(names: AddressNames): Promise<void> {
  try {
    await start(names)
  } catch (error) {
    process.stderr.write(`precis: ${messageOf(error)}\n`)
    process.exit(1)
  }
}

async function start(names: AddressNames): Promise<void> {
  const settings = await resolveHost(readSettings(process.env), names)
  const { prompts, hooks } = await openRules(settings)
  // Loaded only if it is used: it takes a tenth of the start-up time.
  const shared =
    settings.redisUrl === undefined ? undefined : (await import('./runtime/redis.ts')).connectRedis(settings.redisUrl)
  const metrics = defineMetrics()
  const { count, memoryMb } = settings.workers
  const pool = new WorkerPool({ script: ownProgram('worker'), workers: count, memoryMb, cpuLimitMs, hasSpare: true })
  const jobs = new JobRunner(pool)
  const split: Split = (conversation, options, ticket) => jobs.split(conversation, options, ticket)
  const summarizer = await createSummarizer(settings, prompts.templates, {
    ...{ shared, split, observer: observeModel(metrics) },
    promptsDigest: prompts.replaced?.digest,
  })
  const tracing = await startTracing(settings.tracing)
  const app = await buildApp({ settings, summarizer, prompts, shared, metrics, jobs, hooks })
  if (tracing.warning !== undefined) app.log.warn(tracing.warning)
  for (const warning of startWarnings(settings, process.env)) app.log.warn(warning)
  app.addHook('onClose', tracing.stop)
  stopOnSignals(app)
  const address = await listen(app, settings, names)
  app.log.info(describeService(settings, address), 'ready')
}

const HEADING = 'Invalid configuration:\n'

/** Reads the operator's prompts, and opens the hooks. @throws Error that names the faults of both */
async function openRules(settings: Settings): Promise<{ prompts: Prompts; hooks: HookRunner | undefined }> {
  const reading = (async () => loadPrompts(ownFile('prompts/'), settings.prompts))()
  const [prompts, hooks] = await Promise.allSettled([reading, openHooks(settings)])
  if (prompts.status === 'rejected' && hooks.status === 'rejected')
    throw new Error(`${messageOf(prompts.reason)}\n${messageOf(hooks.reason).replace(HEADING, '')}`)
  if (prompts.status === 'rejected') throw prompts.reason
  if (hooks.status === 'rejected') throw hooks.reason
  return { prompts: prompts.value, hooks: hooks.value }
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/** Starts the first process of the operator's hooks, if there are any. @throws Error that names the fault of the module */
async function openHooks({ hookModule: { file, limitMs }, concurrency }: Settings): Promise<HookRunner | undefined> {
  if (file === undefined) return undefined
  return HookRunner.open({
    ...{ script: ownProgram('hook-process'), file, limitMs, processes: Math.min(MAX_HOOK_PROCESSES, concurrency) },
    env: hookEnvironment(process.env),
  })
}

/** Returns the configuration with an address as its host: for `localhost`, Fastify would open two servers and drain one. */
async function resolveHost(settings: Settings, { HOST }: AddressNames): Promise<Settings> {
  try {
    return { ...settings, host: (await lookup(settings.host)).address }
  } catch (cause) {
    throw new Error(`${HOST} must be an address of this machine, or a name that has one, not "${settings.host}"`, {
      cause,
    })
  }
}

/** Opens the port, and returns its address. @throws Error that names the variable if the port is not free */
async function listen(
  app: Awaited<ReturnType<typeof buildApp>>,
  { host, port }: Settings,
  { PORT }: AddressNames,
): Promise<string> {
  try {
    return await app.listen({ host, port })
  } catch (cause) {
    const { code } = fieldsOf(cause)
    if (code === 'EADDRINUSE')
      throw new Error(`another program listens on port ${port} of ${host}: end it, or set ${PORT}`, { cause })
    if (code === 'EACCES')
      throw new Error(`port ${port} may not be opened by this user: set ${PORT} to one above 1023`, { cause })
    throw cause
  }
}

/** How long a process that is to end at once takes at most to write that. */
const LAST_LINE_MS = 200

/** The first signal drains: new requests are refused, running ones finish, exit code 0. The second one ends at once. */
function stopOnSignals(app: Awaited<ReturnType<typeof buildApp>>): void {
  let isStopping = false
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      const running = app.countRunning()
      if (isStopping) {
        app.log.warn({ signal, running }, 'ended at once by a second signal')
        whenLogged(app.log, () => process.exit(1))
        // Nobody may read the log.
        setTimeout(() => process.exit(1), LAST_LINE_MS)
        return
      }
      isStopping = true
      app.log.info({ signal, running }, `draining, ${running} request${running === 1 ? '' : 's'} under way`)
      app.close().then(
        () => {
          app.log.info('stopped')
          whenLogged(app.log, () => process.exit(0))
        },
        () => process.exit(1),
      )
    })
  }
}

/** Returns what an operator wants to know at the start: no key, and no user name or password of a URL. */
function describeService({ model, tokens }: Settings, address: string): Record<string, unknown> {
  const summarizer =
    model === undefined
      ? { summarizer: 'embedded' }
      : { summarizer: 'openai', modelServer: hostsOf(model), candidates: model.candidates }
  return { address, docs: `${address}/docs`, ...summarizer, tokensRequired: tokens.length > 0 }
}

const hostsOf = ({ candidates, ...settings }: ModelSettings): string =>
  [...new Set(candidates.map(({ model }) => URL.parse(serverOf(model, settings).baseUrl)?.host))].join(', ')
