import t from 'tap'
import { readSettings } from '../src/settings.ts'
import { startWarnings } from '../src/start-warnings.ts'

const LONG = '0123456789abcdef'
const OPEN =
  'HOST is not a loopback address, and PRECIS_TOKENS is not set: everybody who can reach the port can use this service.'

t.test('settings that are likely not meant so are named at the start, without their values', async (t) => {
  const cases: [Record<string, string>, string[]][] = [
    [{}, []],
    [{ OPENAI_API_KEY: 'sk-1', PRECIS_MODEL: 'm', PRECIS_TOKENS: LONG, HOST: '0.0.0.0' }, []],
    [{ HOST: '127.0.0.2' }, []],
    [{ HOST: '::1' }, []],
    [{ HOST: '0.0.0.0' }, [OPEN]],
    [{ HOST: '::' }, [OPEN]],
    [{ HOST: '192.168.0.7' }, [OPEN]],
    [
      { ANTHROPIC_API_KEY: 'k', GEMINI_API_KEY: 'k', OPENAI_API_KEY: 'k', PRECIS_MODEL: 'gemini:gemini-2.5-pro' },
      [
        'ANTHROPIC_API_KEY has no effect: PRECIS_MODEL names no model of its server. Write anthropic:NAME there.',
        'OPENAI_API_KEY has no effect: PRECIS_MODEL names no model of its server. Write openai:NAME there.',
      ],
    ],
    [
      { ANTHROPIC_API_KEY: 'k' },
      ['ANTHROPIC_API_KEY has no effect: PRECIS_MODEL names no model of its server. Write anthropic:NAME there.'],
    ],
    [{ OPENAI_API_KEY: 'k' }, []],
    [
      { OPENAI_BASE_URL: 'http://127.0.0.1:1/v1' },
      [
        'OPENAI_BASE_URL is set, and PRECIS_MODEL is not: the model is gpt-5-mini. Name the model of your server if it has another.',
      ],
    ],
    [{ PRECIS_TOKENS: `${LONG} b` }, ['PRECIS_TOKENS has a token with a blank in it. Separate tokens by commas.']],
    [{ OPENAI_API_KEY: 'k', OPENAI_BASE_URL: 'http://127.0.0.1:1/v1', PRECIS_MODEL: 'qwen3' }, []],
    [
      { PRECIS_MODEL: 'qwen3' },
      [
        'PRECIS_MODEL has no effect: neither OPENAI_BASE_URL nor OPENAI_API_KEY is set. The embedded summarizer is used.',
      ],
    ],
    [
      { OPENAI_API_BASE: 'http://127.0.0.1:1/v1', OPENAI_KEY: 'sk-2', OPENAI_MODEL: ' ' },
      [
        'OPENAI_API_BASE is not read. Did you mean OPENAI_BASE_URL?',
        'OPENAI_KEY is not read. Did you mean OPENAI_API_KEY?',
      ],
    ],
    [{ OPENAI_API_BASE: 'http://a/v1', OPENAI_BASE_URL: 'http://b/v1', PRECIS_MODEL: 'm' }, []],
    [{ PRECIS_REDIS_URL: 'redis://a', PRECIS_STORE_KEY: LONG + LONG }, []],
    [
      { PRECIS_REDIS_URL: 'redis://a' },
      [
        'PRECIS_REDIS_URL is set, and PRECIS_STORE_KEY is not: replicas share no prepared summaries. Create one secret for all of them with: openssl rand -hex 32',
      ],
    ],
    [
      { PRECIS_TOKENS: `${LONG},short` },
      [
        'PRECIS_TOKENS has a token of less than 16 characters, which can be guessed. Create one with: openssl rand -hex 32',
      ],
    ],
  ]
  for (const [env, expected] of cases) t.same(startWarnings(readSettings(env), env), expected)
})
