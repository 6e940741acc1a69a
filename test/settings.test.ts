import t from 'tap'
import { serverOf } from '../src/model-settings.ts'
import { readSettings } from '../src/settings.ts'

const DEFAULTS = {
  host: '127.0.0.1',
  port: 8080,
  logLevel: 'info',
  contextWindow: 128_000,
  maxSummaryTokens: 16_384,
  deadlineMs: 170_000,
  bodyLimitBytes: 67_108_864,
  minRate: 1024,
  concurrency: 8,
  modelConcurrency: 8,
  workers: { count: 2, memoryMb: 1024 },
  queue: 64,
  onFailure: 'error',
  heartbeatMs: 0,
  redact: true,
  cache: { ttlMs: 600_000, entries: 500 },
  compress: { limitTokens: 100_000, waitMs: 0 },
  tokens: [],
  hosts: [],
  corsOrigins: [],
  page: true,
  hookModule: { limitMs: 2000 },
  tracing: false,
}

t.test('without variables, and with empty ones, the embedded summarizer serves with the defaults', async (t) => {
  t.strictSame(readSettings({}, 2), DEFAULTS)
  t.strictSame(readSettings({ PORT: '', OPENAI_API_KEY: ' ', PRECIS_MODEL: '' }, 2), DEFAULTS)
})

t.test('a key alone, or an address alone, is a model server; that of OpenAI has the published windows', async (t) => {
  const [known, candidates] = [272_000, 128_000].map((contextWindow) => [{ model: 'gpt-5-mini', contextWindow }])
  t.strictSame(readSettings({ OPENAI_API_KEY: 'k' }).model, { apiKey: 'k', candidates: known })
  const baseUrl = 'https://api.openai.com/v1/'
  t.strictSame(readSettings({ OPENAI_BASE_URL: baseUrl }).model, { baseUrl, candidates: known })
  t.strictSame(readSettings({ OPENAI_BASE_URL: 'http://127.0.0.1:1/v1' }).model, {
    baseUrl: 'http://127.0.0.1:1/v1',
    candidates,
  })
})

t.test('candidates stand in order, with one window for all or one for each', async (t) => {
  const windowsOf = (PRECIS_CONTEXT_WINDOW: string) =>
    readSettings({ OPENAI_API_KEY: 'k', PRECIS_MODEL: 'big, small', PRECIS_CONTEXT_WINDOW }).model?.candidates
  t.strictSame(windowsOf('64000'), [
    { model: 'big', contextWindow: 64_000 },
    { model: 'small', contextWindow: 64_000 },
  ])
  t.strictSame(windowsOf('64000,8000'), [
    { model: 'big', contextWindow: 64_000 },
    { model: 'small', contextWindow: 8_000 },
  ])
})

t.test(
  'a key that no header can carry, and credentials in the address of the model server, stop the start',
  async (t) => {
    const key = 'OPENAI_API_KEY must be one line of printable ASCII characters: it is sent in a header'
    const url = 'OPENAI_BASE_URL must not contain a user name or a password: put the key into OPENAI_API_KEY'
    const faultOf = (env: Record<string, string>) => {
      t.throws(() => readSettings(env))
      try {
        readSettings(env)
      } catch (error) {
        return (error as Error).message
      }
    }
    for (const OPENAI_API_KEY of ['sk-a\nb', 'sk-a\r\nb', 'sk-\u0000', 'sk-größe', 'sk-\u200b'])
      t.equal(faultOf({ OPENAI_API_KEY }), `Invalid configuration:\n${key}`)
    for (const credentials of ['user:pass', 'user', ':pass'])
      t.equal(faultOf({ OPENAI_BASE_URL: `https://${credentials}@host/v1` }), `Invalid configuration:\n${url}`)
    t.equal(readSettings({ OPENAI_API_KEY: 'sk-a\n' }).model?.apiKey, 'sk-a', 'the line end of a file of secrets')
  },
)

t.test('one message names every invalid variable, and no value', async (t) => {
  const bad = {
    PORT: '70000',
    LOG_LEVEL: 'loud',
    OPENAI_BASE_URL: 'ftp://secret-host',
    PRECIS_MODEL: 'a,,b',
    PRECIS_CONTEXT_WINDOW: '1,2',
    PRECIS_MAX_SUMMARY_TOKENS: '0',
    PRECIS_DEADLINE_MS: '1.5',
    PRECIS_BODY_LIMIT: '-1',
    PRECIS_MIN_RATE: '1k',
    PRECIS_CONCURRENCY: 'many',
    PRECIS_MODEL_CONCURRENCY: '0',
    PRECIS_QUEUE: '-1',
    PRECIS_ON_FAILURE: 'panic',
    PRECIS_HEARTBEAT_MS: 'often',
    PRECIS_REDACT: 'yes',
    PRECIS_CACHE_TTL_MS: '10m',
    PRECIS_CACHE_ENTRIES: '1e3',
    PRECIS_REDIS_URL: 'http://secret-host',
    PRECIS_STORE_KEY: 'secret',
    PRECIS_RATE_LIMIT: '0',
    PRECIS_TOKENS: 'secret,',
    PRECIS_HOSTS: 'secret-host:8080',
    PRECIS_CORS_ORIGINS: 'https://secret-host/path',
  }
  t.throws(() => readSettings(bad), {
    message: [
      'Invalid configuration:',
      'PORT must be an integer from 0 to 65535',
      'LOG_LEVEL must be one of trace, debug, info, warn, error, fatal, silent',
      'OPENAI_BASE_URL must be a URL that starts with http:// or https://',
      'PRECIS_MODEL must not have an empty item between its commas',
      'PRECIS_CONTEXT_WINDOW must be an integer of at least 1024',
      'PRECIS_CONTEXT_WINDOW must be one number, or one for each of the 3 candidates',
      'PRECIS_MAX_SUMMARY_TOKENS must be an integer of at least 1',
      'PRECIS_DEADLINE_MS must be an integer from 1 to 2147483647',
      'PRECIS_BODY_LIMIT must be an integer of at least 1',
      'PRECIS_MIN_RATE must be an integer of at least 0: bytes per second, without their name',
      'PRECIS_CONCURRENCY must be an integer of at least 1',
      'PRECIS_MODEL_CONCURRENCY must be an integer of at least 1',
      'PRECIS_QUEUE must be an integer of at least 0',
      'PRECIS_ON_FAILURE must be one of error, embedded',
      'PRECIS_HEARTBEAT_MS must be an integer from 0 to 2147483647',
      'PRECIS_REDACT must be one of true, false',
      'PRECIS_CACHE_TTL_MS must be an integer from 0 to 2147483647: milliseconds, without their name',
      'PRECIS_CACHE_ENTRIES must be an integer from 0 to 1000000',
      'PRECIS_REDIS_URL must be a URL that starts with redis:// or rediss://',
      'PRECIS_STORE_KEY must have at least 32 characters: openssl rand -hex 32',
      'PRECIS_RATE_LIMIT must be an integer of at least 1',
      'PRECIS_TOKENS must not have an empty item between its commas',
      'PRECIS_HOSTS must be names such as precis.example.org, without a scheme, a port or a path',
      'PRECIS_CORS_ORIGINS must be origins such as https://example.org, without a path or a slash at the end',
    ].join('\n'),
  })
})

t.test('as many model calls as jobs are made at the same time, unless their number is set', async (t) => {
  t.match(readSettings({ PRECIS_CONCURRENCY: '3' }), { concurrency: 3, modelConcurrency: 3 })
  const env = { PRECIS_CONCURRENCY: '3', PRECIS_MODEL_CONCURRENCY: '12' }
  t.match(readSettings(env), { concurrency: 3, modelConcurrency: 12 })
})

t.test('a rate limit and Redis are there only when they are set', async (t) => {
  t.match(readSettings({ PRECIS_RATE_LIMIT: '60', PRECIS_REDIS_URL: 'rediss://cache:6380/1' }), {
    rateLimit: 60,
    redisUrl: 'rediss://cache:6380/1',
  })
})

t.test('spans are sent if there is an endpoint for them', async (t) => {
  t.equal(readSettings({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318' }).tracing, true)
})

t.test('there are as many workers as cores, at most four', async (t) => {
  t.same(
    [1, 3, 16].map((cores) => readSettings({}, cores).workers.count),
    [1, 3, 4],
  )
  t.equal(readSettings({ PRECIS_WORKERS: '6' }, 2).workers.count, 6)
})

t.test('a misspelt variable stops the start, and the message names the probable one', async (t) => {
  const misspelt = {
    PRECIS_TOKEN: 'secret',
    PRECIS_CONCURENCY: '3',
    PRECIS_DEADLINE: '1000',
    PRECIS_BODYLIMIT: '1000',
    precis_model: 'secret',
    PRECIS_LOG_LEVEL: 'debug',
    PRECIS_PORT: '9000',
    PRECIS_OPENAI_API_KEY: 'secret',
    PRECIS_UNHEARD_OF: 'secret',
    PRECIS_QUEUE: 'x',
  }
  t.throws(() => readSettings(misspelt), {
    message: [
      'Invalid configuration:',
      'PRECIS_QUEUE must be an integer of at least 0',
      'PRECIS_TOKEN is not a variable of this service. Did you mean PRECIS_TOKENS?',
      'PRECIS_CONCURENCY is not a variable of this service. Did you mean PRECIS_CONCURRENCY?',
      'PRECIS_DEADLINE is not a variable of this service. Did you mean PRECIS_DEADLINE_MS?',
      'PRECIS_BODYLIMIT is not a variable of this service. Did you mean PRECIS_BODY_LIMIT?',
      'precis_model is not a variable of this service. Did you mean PRECIS_MODEL?',
      'PRECIS_LOG_LEVEL is not a variable of this service. Did you mean LOG_LEVEL?',
      'PRECIS_PORT is not a variable of this service. Did you mean PORT?',
      'PRECIS_OPENAI_API_KEY is not a variable of this service. Did you mean OPENAI_API_KEY?',
      'PRECIS_UNHEARD_OF is not a variable of this service. docs/configuration.md lists all variables.',
    ].join('\n'),
  })
})

t.test(
  'the variables that Kubernetes sets for Services are no misspelt ones, nor are empty and foreign ones',
  async (t) => {
    const injected = {
      PRECIS_SERVICE_HOST: '10.0.0.1',
      PRECIS_SERVICE_PORT: '8080',
      PRECIS_SERVICE_PORT_HTTP: '8080',
      PRECIS_PORT: 'tcp://10.0.0.1:8080',
      PRECIS_PORT_8080_TCP: 'tcp://10.0.0.1:8080',
      PRECIS_PORT_8080_TCP_ADDR: '10.0.0.1',
      PRECIS_PORT_8080_TCP_PORT: '8080',
      PRECIS_PORT_8080_TCP_PROTO: 'tcp',
      PRECIS_REDIS_SERVICE_HOST: '10.0.0.2',
      PRECIS_REDIS_PORT: 'tcp://10.0.0.2:6379',
      PRECIS_REDIS_PORT_6379_TCP_ADDR: '10.0.0.2',
      PRECIS_TOKEN: ' ',
      OTHER_VARIABLE: 'x',
    }
    t.strictSame(readSettings(injected, 2), DEFAULTS)
  },
)

t.test('names of the service are read in lower case, and have no scheme, port or path', async (t) => {
  const names = 'Precis.Example, 10.0.0.7, precis.example.org.'
  t.same(readSettings({ PRECIS_HOSTS: names }).hosts, ['precis.example', '10.0.0.7', 'precis.example.org'])
  for (const hosts of ['http://a.example', 'a.example:8080', 'a.example/x', 'a b', '*.example?', 'a@b.example'])
    t.throws(() => readSettings({ PRECIS_HOSTS: hosts }), { message: /\nPRECIS_HOSTS must be names/ }, hosts)
})

t.test('a model can name its server, and candidates can be on different ones', async (t) => {
  const env = {
    PRECIS_MODEL:
      'anthropic:claude-haiku-4-5-20251001, qwen3:8b, gemini:gemini-2.5-flash, openrouter:z-ai/glm-5, openai:gpt-5-mini',
    OPENAI_BASE_URL: 'http://127.0.0.1:1/v1',
    OPENAI_API_KEY: 'k-openai',
    ANTHROPIC_API_KEY: 'k-anthropic',
    GEMINI_API_KEY: 'k-gemini',
    OPENROUTER_API_KEY: 'k-openrouter',
  }
  const { model } = readSettings(env)
  t.strictSame(model, {
    candidates: [
      { model: 'anthropic:claude-haiku-4-5-20251001', contextWindow: 200_000 },
      { model: 'qwen3:8b', contextWindow: 128_000 },
      { model: 'gemini:gemini-2.5-flash', contextWindow: 1_048_576 },
      { model: 'openrouter:z-ai/glm-5', contextWindow: 128_000 },
      { model: 'openai:gpt-5-mini', contextWindow: 272_000 },
    ],
    baseUrl: 'http://127.0.0.1:1/v1',
    apiKey: 'k-openai',
    presetKeys: {
      anthropic: 'k-anthropic',
      openai: 'k-openai',
      gemini: 'k-gemini',
      openrouter: 'k-openrouter',
    },
  })
  const servers = model?.candidates.map(({ model: name }) => serverOf(name, model))
  t.strictSame(servers, [
    { baseUrl: 'https://api.anthropic.com/v1', apiKey: 'k-anthropic', id: 'claude-haiku-4-5-20251001' },
    { baseUrl: 'http://127.0.0.1:1/v1', apiKey: 'k-openai', id: 'qwen3:8b' },
    {
      baseUrl: 'https://generativelanguage.googleapis.com/v1beta/openai',
      apiKey: 'k-gemini',
      id: 'gemini-2.5-flash',
    },
    { baseUrl: 'https://openrouter.ai/api/v1', apiKey: 'k-openrouter', id: 'z-ai/glm-5' },
    { baseUrl: 'https://api.openai.com/v1', apiKey: 'k-openai', id: 'gpt-5-mini' },
  ])
  t.equal(readSettings({ ...env, PRECIS_CONTEXT_WINDOW: '9000' }).contextWindow, 9000, 'what is set counts')
})

t.test('only the keys of servers that are named are kept, and Ollama needs none', async (t) => {
  const env = { PRECIS_MODEL: 'ollama:qwen3:8b', PRECIS_CONTEXT_WINDOW: '32768', ANTHROPIC_API_KEY: 'k' }
  const { model } = readSettings(env)
  t.strictSame(model, { candidates: [{ model: 'ollama:qwen3:8b', contextWindow: 32_768 }] })
  t.strictSame(model && serverOf('ollama:qwen3:8b', model), {
    baseUrl: 'http://127.0.0.1:11434/v1',
    apiKey: undefined,
    id: 'qwen3:8b',
  })
})

t.test('a server without its key, a model or its window, and a model without a server, stop the start', async (t) => {
  const faultOf = (PRECIS_MODEL: string, env: Record<string, string> = {}): string => {
    try {
      readSettings({ PRECIS_MODEL, ...env })
      return 'none'
    } catch (error) {
      return error instanceof Error ? error.message : 'no error'
    }
  }
  const fault = (line: string): string => `Invalid configuration:\n${line}`
  t.equal(
    faultOf('anthropic:claude-haiku-4-5', { OPENAI_API_KEY: 'k' }),
    fault(
      'ANTHROPIC_API_KEY must be set for anthropic:NAME, or name a model of another server ' +
        '(openai:NAME, gemini:NAME, openrouter:NAME, ollama:NAME)',
    ),
  )
  t.equal(
    faultOf('openai:', { OPENAI_API_KEY: 'k' }),
    fault('PRECIS_MODEL must have the name of a model behind each server, such as openai:gpt-5-mini'),
  )
  t.equal(
    faultOf('gemini:gemini-2.5-pro,gpt-5-mini', { GEMINI_API_KEY: 'k' }),
    fault(
      'PRECIS_MODEL has a model without a server: set OPENAI_API_KEY or OPENAI_BASE_URL, or write the server before its ' +
        'name (anthropic:NAME, openai:NAME, gemini:NAME, openrouter:NAME, ollama:NAME)',
    ),
  )
  t.equal(
    faultOf('ollama:qwen3'),
    fault(
      'PRECIS_CONTEXT_WINDOW must be set for a model of Ollama, which cuts a longer prompt without an error: use the ' +
        'number that `ollama ps` shows as CONTEXT',
    ),
  )
  t.equal(
    faultOf('gemini:gemini-2.5-pro', { GEMINI_API_KEY: 'k-geheim\u00fc' }),
    fault('GEMINI_API_KEY must be one line of printable ASCII characters: it is sent in a header'),
  )
})
