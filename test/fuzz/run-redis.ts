import type { Random } from '../../bench/support/create-random.ts'
import { buildApp } from '../../src/app.ts'
import { readSettings } from '../../src/settings.ts'
import { createSummarizer } from '../../src/model/create-summarizer.ts'
import { connectRedis, type SharedMemory } from '../../src/runtime/redis.ts'
import PROMPT_EXAMPLE from '../../examples/api/session.prompt.json' with { type: 'json' }
import { bulk, openFakeRedis } from '../support/fake-redis.ts'
import { openModelServer } from '../support/model-server.ts'
import { templates } from '../support/templates.ts'
import { until } from '../support/until.ts'
import { fuzz, type FuzzOptions, type FuzzReport } from './fuzz-loop.ts'
import { mutateBytes } from './mutate-bytes.ts'
import { mutateValue } from './mutate-value.ts'
import { findFault } from './run-replies.ts'
import { watchLog } from './watch-log.ts'

const FROM_MODEL = '## Goal\nThe model has written this summary of the parser.'
const FROM_CACHE = '## Goal\nAnother replica has cached this summary of the parser.'
const CACHED = { value: [{ text: FROM_CACHE, model: 'first' }], redactions: 0 }
const RATE_LIMIT = 1_000_000

/** Answers of another type than a value has, and counters that the rate limit's script cannot have returned. */
const ANSWERS = [
  '$-1',
  ':5',
  '+OK',
  '-ERR no',
  '-WRONGTYPE Operation',
  '*0',
  '*-1',
  '*1\r\n*1\r\n:1',
  '$0\r\n',
  '*2\r\n:1\r\n$-1',
]
const COUNTERS = [
  ...ANSWERS,
  '*2\r\n:-5\r\n:-5',
  '*2\r\n$1\r\nx\r\n$1\r\ny',
  '*2\r\n:1\r\n:99999999999999',
  '*2\r\n+NaN\r\n+1e999',
  '*3\r\n:1\r\n:2\r\n:3',
]
/** Bytes that end the connection: the client cannot know where the next answer begins. */
const NO_PROTOCOL = ['HTTP/1.1 400 Bad Request\r\n\r\n', '?\r\n', '\0\0\0']

interface RedisCase {
  value: string
  counter: string | undefined
  /** What the service is sent for a value. */
  stored: string
}

/** Sends good requests to a service whose Redis has broken values and broken counters. */
export async function runRedis(options: FuzzOptions): Promise<FuzzReport> {
  const redis = await openFakeRedis()
  const server = await openModelServer(() => FROM_MODEL)
  const shared = connectRedis(redis.url)
  const log = watchLog()
  const app = await openApp({ modelUrl: server.url, shared, logTo: log.logTo })
  const report = await fuzz('redis', options, async (random, number) => {
    const { value, counter, stored } = makeCase(random)
    await until(() => shared.isUp())
    const answers = new Map([['get', value], ...(counter === undefined ? [] : [['evalsha', counter] as const])])
    redis.answerWith(([command = '']) => {
      const answer = answers.get(command.toLowerCase())
      // Once: a request may read several values, and only one of them is wrong.
      answers.delete(command.toLowerCase())
      return answer
    })
    const payload = { ...PROMPT_EXAMPLE, prompt: `${PROMPT_EXAMPLE.prompt} ${number}` }
    const { statusCode, headers, body } = await app.inject({ method: 'POST', url: '/compaction', payload })
    const limits = ['ratelimit-limit', 'ratelimit-remaining', 'ratelimit-reset'].map((name) => headers[name])
    const faults = [findFault('/compaction', statusCode, body), ...(statusCode === 200 ? [findLie(body, stored)] : [])]
    if (!limits.every((limit) => /^\d{1,7}$/.test(String(limit)))) faults.push(`the rate limit is ${limits.join(', ')}`)
    return {
      statuses: [statusCode],
      faults: [...faults.filter((fault) => fault !== undefined), ...log.takeFaults([stored, JSON.stringify(payload)])],
    }
  })
  await app.close()
  await server.close()
  redis.close()
  return report
}

function openApp({ modelUrl, shared, logTo }: { modelUrl: string; shared: SharedMemory; logTo: AppLog }) {
  const config = readSettings({
    OPENAI_BASE_URL: modelUrl,
    PRECIS_RATE_LIMIT: String(RATE_LIMIT),
    PRECIS_CACHE_ENTRIES: '10',
    PRECIS_MODEL: 'first',
  })
  return createSummarizer(config, templates, { shared }).then((summarizer) =>
    buildApp({
      settings: { ...config, logLevel: 'trace', maxSummaryTokens: 2000 },
      prompts: { templates },
      summarizer,
      shared,
      maxEventLoopDelayMs: Infinity,
      logTo,
    }),
  )
}

type AppLog = ReturnType<typeof watchLog>['logTo']

function makeCase(random: Random): RedisCase {
  // There is no JSON of a value that was removed.
  const json = JSON.stringify(random.next() < 0.85 ? mutateValue(CACHED, random) : CACHED) as string | undefined
  const bytes = Buffer.from(json ?? '')
  const stored = (random.next() < 0.3 ? mutateBytes(bytes, random) : bytes).toString()
  const chance = random.next()
  const value = chance < 0.9 ? bulk(stored) : `${random.pick(ANSWERS)}\r\n`
  const counter = random.next() < 0.3 ? `${random.pick(COUNTERS)}\r\n` : undefined
  // The connection is opened anew after each of these, which takes a while.
  return chance < 0.005 ? { value: random.pick(NO_PROTOCOL), counter, stored: '' } : { value, counter, stored }
}

/** A summary is the model's, or that of a value which has the shape of a result. */
function findLie(body: string, stored: string): string | undefined {
  const { summary } = JSON.parse(body) as { summary: string }
  if (summary === FROM_MODEL) return undefined
  try {
    const { value, redactions } = JSON.parse(stored) as typeof CACHED
    const isResult = value.every(({ text, model }) => [text, model].every((field) => typeof field === 'string'))
    if (isResult && value.length > 0 && Number.isSafeInteger(redactions) && redactions >= 0) return undefined
  } catch {
    // Not a result: reported below.
  }
  return `a wrong value in Redis became a summary: ${stored.slice(0, 300)}`
}
