/** Where a variable counts: for every summary, for those that a model writes too, or only in a running service. */
type Use = 'summaries' | 'models' | 'service'

/** Every variable that is read. The compiler refuses to read another one, so that each has its use. */
export const VARIABLES = {
  ANTHROPIC_API_KEY: 'models',
  GEMINI_API_KEY: 'models',
  HOST: 'service',
  PORT: 'service',
  LOG_LEVEL: 'service',
  OPENAI_API_KEY: 'models',
  OPENAI_BASE_URL: 'models',
  OPENROUTER_API_KEY: 'models',
  OTEL_EXPORTER_OTLP_ENDPOINT: 'service',
  PRECIS_BODY_LIMIT: 'service',
  PRECIS_CACHE_ENTRIES: 'service',
  PRECIS_CACHE_TTL_MS: 'service',
  PRECIS_COMPRESS_TOKENS: 'service',
  PRECIS_COMPRESS_WAIT_MS: 'service',
  PRECIS_CONCURRENCY: 'service',
  PRECIS_CONTEXT_WINDOW: 'models',
  PRECIS_CORS_ORIGINS: 'service',
  PRECIS_DEADLINE_MS: 'models',
  PRECIS_HEARTBEAT_MS: 'service',
  PRECIS_HOOKS: 'service',
  PRECIS_HOOK_MS: 'service',
  PRECIS_HOSTS: 'service',
  PRECIS_MAX_SUMMARY_TOKENS: 'summaries',
  PRECIS_MIN_RATE: 'service',
  // A command names its model itself.
  PRECIS_MODEL: 'service',
  PRECIS_MODEL_CONCURRENCY: 'service',
  PRECIS_ON_FAILURE: 'models',
  PRECIS_PAGE: 'service',
  PRECIS_PROMPTS: 'summaries',
  PRECIS_QUEUE: 'service',
  PRECIS_RATE_LIMIT: 'service',
  PRECIS_REASONING_EFFORT: 'models',
  PRECIS_REDACT: 'summaries',
  PRECIS_REDIS_URL: 'service',
  PRECIS_STORE_KEY: 'service',
  PRECIS_TOKENS: 'service',
  PRECIS_TRANSCRIPT_TOKENS: 'summaries',
  PRECIS_WORKERS: 'service',
  PRECIS_WORKER_MEMORY_MB: 'service',
} as const satisfies Record<string, Use>

export type VariableName = keyof typeof VARIABLES

/** Returns the variables with one of some uses. */
export const variablesFor = (...uses: Use[]): VariableName[] =>
  (Object.keys(VARIABLES) as VariableName[]).filter((name) => uses.includes(VARIABLES[name]))
