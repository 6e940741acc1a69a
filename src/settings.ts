import { availableParallelism } from 'node:os'
import { REDIS_URL, VariableReader, type Environment } from './environment.ts'
import { readModel, type ModelSettings } from './model-settings.ts'
import { MAX_TIMER_MS } from './runtime/abort.ts'
import { defined } from './text/defined.ts'

/** The limits of a request that sets none. */
export interface SummaryLimits {
  /** The cap: the upper limit of any summary, in tokens. */
  readonly maxSummaryTokens: number
  /** The budget of the transcript that one summary is written from, in tokens; absent: it depends on what is summarized. */
  readonly transcriptTokens?: number | undefined
}

/** The settings that the work of requests reads. They go to worker processes: no key is among them. */
export interface WorkSettings extends SummaryLimits {
  /** Whether secrets are replaced. */
  readonly redact: boolean
}

export const workSettingsOf = ({ maxSummaryTokens, transcriptTokens, redact }: WorkSettings): WorkSettings =>
  defined({ maxSummaryTokens, transcriptTokens, redact })

export interface Settings extends WorkSettings {
  readonly host: string
  readonly port: number
  readonly logLevel: string
  /** Absent: the embedded summarizer is used. */
  readonly model?: ModelSettings
  /** The window of the first candidate, in tokens, also without a model server. */
  readonly contextWindow: number
  readonly deadlineMs: number
  readonly bodyLimitBytes: number
  /** The least rate of bodies and of replies that are being sent, in bytes per second; 0: any. */
  readonly minRate: number
  /** Jobs at the same time: requests with work of their own. */
  readonly concurrency: number
  /** Model calls at the same time, over all jobs. */
  readonly modelConcurrency: number
  /** Worker processes for the CPU work of requests, and the memory of each. */
  readonly workers: { count: number; memoryMb: number }
  /** Jobs that may wait while `concurrency` jobs are running. */
  readonly queue: number
  readonly onFailure: 'error' | 'embedded'
  /** How often a waiting JSON reply sends a space; 0: never. */
  readonly heartbeatMs: number
  /** The cache of finished model answers; 0 in either field turns it off. */
  readonly cache: { ttlMs: number; entries: number }
  /** `POST /v1/compress`: the limit of a request that sets none, and how long a request may wait for a summary. */
  readonly compress: { limitTokens: number; waitMs: number }
  /** Redis or Valkey, where several replicas share the cache and the rate limits. */
  readonly redisUrl?: string
  /** The secret with which replicas seal what they share in Redis; absent: summaries are not shared. */
  readonly storeKey?: string
  /** Requests per minute for each caller; absent: no limit. */
  readonly rateLimit?: number
  /** Service tokens: a request needs one of them, if there are any. */
  readonly tokens: string[]
  /** Names of the service, in lower case: requests for them are accepted also without tokens and at a loopback address. */
  readonly hosts: string[]
  /** Origins whose web pages may use the service. */
  readonly corsOrigins: string[]
  /** Whether the service has its page at `/`. */
  readonly page: boolean
  /** The folder with the operator's own prompts; absent: those of the package. */
  readonly prompts?: string
  /** The module with the operator's hooks, and the time limit of each. */
  readonly hookModule: { file?: string; limitMs: number }
  /** Whether spans are sent; OpenTelemetry's SDK reads its other variables itself. */
  readonly tracing: boolean
}

/** More workers than this help only services with much traffic. */
const MAX_DEFAULT_WORKERS = 4

const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const

/** A shorter secret can be guessed. */
const MIN_STORE_KEY = 32

/** The cache allocates a list of its maximum length. */
const MAX_CACHE_ENTRIES = 1_000_000

/**
 * Returns the configuration from environment variables (docs/configuration.md). An empty variable counts as unset.
 * @throws Error with one line for each invalid variable, and without values, which may be secrets
 */
export function readSettings(env: Environment, cores = availableParallelism()): Settings {
  const reader = new VariableReader(env)
  const settings: Settings = {
    host: reader.text('HOST') ?? '127.0.0.1',
    port: reader.integer('PORT', { fallback: 8080, min: 0, max: 65_535 }),
    logLevel: reader.choice('LOG_LEVEL', LOG_LEVELS, 'info'),
    ...readModel(reader),
    maxSummaryTokens: reader.integer('PRECIS_MAX_SUMMARY_TOKENS', { fallback: 16_384, min: 1 }),
    ...defined({ transcriptTokens: reader.optionalInteger('PRECIS_TRANSCRIPT_TOKENS', { min: 1000 }) }),
    deadlineMs: reader.integer('PRECIS_DEADLINE_MS', { fallback: 170_000, min: 1, max: MAX_TIMER_MS }),
    bodyLimitBytes: reader.integer('PRECIS_BODY_LIMIT', { fallback: 67_108_864, min: 1 }),
    minRate: reader.integer('PRECIS_MIN_RATE', { fallback: 1024, min: 0 }),
    ...readConcurrency(reader),
    workers: {
      count: reader.integer('PRECIS_WORKERS', { fallback: Math.min(MAX_DEFAULT_WORKERS, cores), min: 1 }),
      memoryMb: reader.integer('PRECIS_WORKER_MEMORY_MB', { fallback: 1024, min: 128 }),
    },
    queue: reader.integer('PRECIS_QUEUE', { fallback: 64, min: 0 }),
    onFailure: reader.choice('PRECIS_ON_FAILURE', ['error', 'embedded'], 'error'),
    heartbeatMs: reader.integer('PRECIS_HEARTBEAT_MS', { fallback: 0, min: 0, max: MAX_TIMER_MS }),
    redact: reader.choice('PRECIS_REDACT', ['true', 'false'], 'true') === 'true',
    cache: {
      ttlMs: reader.integer('PRECIS_CACHE_TTL_MS', { fallback: 600_000, min: 0, max: MAX_TIMER_MS }),
      entries: reader.integer('PRECIS_CACHE_ENTRIES', { fallback: 500, min: 0, max: MAX_CACHE_ENTRIES }),
    },
    compress: {
      limitTokens: reader.integer('PRECIS_COMPRESS_TOKENS', { fallback: 100_000, min: 1 }),
      waitMs: reader.integer('PRECIS_COMPRESS_WAIT_MS', { fallback: 0, min: 0, max: MAX_TIMER_MS }),
    },
    ...defined({ redisUrl: reader.url('PRECIS_REDIS_URL', REDIS_URL), storeKey: readStoreKey(reader) }),
    ...readAccess(reader),
    page: reader.choice('PRECIS_PAGE', ['true', 'false'], 'true') === 'true',
    ...readRules(reader),
    tracing: reader.text('OTEL_EXPORTER_OTLP_ENDPOINT') !== undefined,
  }
  reader.throwIfInvalid()
  return settings
}

/** Reads who may use the service, and how much. */
const readAccess = (reader: VariableReader): Pick<Settings, 'tokens' | 'hosts' | 'corsOrigins' | 'rateLimit'> =>
  defined({
    rateLimit: reader.optionalInteger('PRECIS_RATE_LIMIT', { min: 1 }),
    tokens: reader.list('PRECIS_TOKENS') ?? [],
    hosts: reader.hosts('PRECIS_HOSTS') ?? [],
    corsOrigins: reader.origins('PRECIS_CORS_ORIGINS') ?? [],
  })

function readStoreKey(reader: VariableReader): string | undefined {
  const storeKey = reader.text('PRECIS_STORE_KEY')
  if (storeKey !== undefined && storeKey.length < MIN_STORE_KEY)
    reader.addFault('PRECIS_STORE_KEY', `must have at least ${MIN_STORE_KEY} characters: openssl rand -hex 32`)
  return storeKey
}

/** Reads where the operator's own prompts and hooks are. */
function readRules(reader: VariableReader): Pick<Settings, 'prompts' | 'hookModule'> {
  const limitMs = reader.integer('PRECIS_HOOK_MS', { fallback: 2000, min: 1, max: MAX_TIMER_MS })
  return {
    ...defined({ prompts: reader.text('PRECIS_PROMPTS') }),
    hookModule: defined({ file: reader.text('PRECIS_HOOKS'), limitMs }),
  }
}

function readConcurrency(reader: VariableReader): Pick<Settings, 'concurrency' | 'modelConcurrency'> {
  const concurrency = reader.integer('PRECIS_CONCURRENCY', { fallback: 8, min: 1 })
  return {
    concurrency,
    modelConcurrency: reader.integer('PRECIS_MODEL_CONCURRENCY', { fallback: concurrency, min: 1 }),
  }
}
