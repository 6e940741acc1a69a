import t from 'tap'
import { connectToRedis } from '../support/connect-redis.ts'
import { startFakeRedis } from '../support/fake-redis.ts'
import { startApp } from '../support/start-app.ts'
import { until } from '../support/until.ts'

const ask = (authorization = '') => ({ method: 'GET' as const, url: '/favicon.ico', headers: { authorization } })

t.test('over the limit a caller gets 429 and the time to wait; other callers and probes are not limited', async (t) => {
  const { app } = await startApp(t, { settings: { rateLimit: 2, tokens: ['one', 'two'] } })
  const first = await app.inject(ask('Bearer one'))
  t.equal(first.statusCode, 200)
  t.match(first.headers, { 'ratelimit-limit': '2', 'ratelimit-remaining': '1', 'ratelimit-reset': /^\d+$/ })
  await app.inject(ask('Bearer one'))
  const third = await app.inject(ask('Bearer one'))
  t.equal(third.statusCode, 429)
  t.match(third.headers, {
    'content-type': /^application\/problem\+json/,
    'retry-after': /^\d+$/,
    'ratelimit-remaining': '0',
  })
  t.match(third.json(), {
    type: /rate-limited$/,
    title: 'Too many requests',
    status: 429,
    detail: /^The limit is 2 requests per minute\. Send the next request in \d+ s\.$/,
  })
  t.equal((await app.inject(ask('Bearer two'))).statusCode, 200)
  for (let count = 0; count < 5; count++) t.equal((await app.inject('/healthz')).statusCode, 200)
})

t.test('without tokens a caller is an address', async (t) => {
  const { app } = await startApp(t, { settings: { rateLimit: 1 } })
  t.equal((await app.inject({ ...ask(), remoteAddress: '10.0.0.1' })).statusCode, 200)
  t.equal((await app.inject({ ...ask(), remoteAddress: '10.0.0.1' })).statusCode, 429)
  t.equal((await app.inject({ ...ask(), remoteAddress: '10.0.0.2' })).statusCode, 200)
})

t.test('without a limit nobody is limited, and no reply has its headers', async (t) => {
  const { app } = await startApp(t)
  const { statusCode, headers } = await app.inject(ask())
  t.equal(statusCode, 200)
  t.notHas(headers, 'ratelimit-limit')
})

t.test('replicas share their counts in Redis', async (t) => {
  const redis = await startFakeRedis(t)
  const start = async () => startApp(t, { settings: { rateLimit: 2 }, shared: await connectToRedis(t, redis.url) })
  const [one, two] = [await start(), await start()]
  t.match((await one.app.inject(ask())).headers, { 'ratelimit-remaining': '1', 'ratelimit-reset': '42' })
  t.match((await two.app.inject(ask())).headers, { 'ratelimit-remaining': '0' })
  const third = await one.app.inject(ask())
  t.equal(third.statusCode, 429)
  t.match(third.headers, { 'ratelimit-remaining': '0', 'retry-after': '42' })
  t.same([...redis.counts], [['precis:rate:127.0.0.1', 3]])
})

t.test('while Redis hangs, a replica counts alone, and only the request that notices it waits', async (t) => {
  const redis = await startFakeRedis(t)
  const shared = await connectToRedis(t, redis.url, {})
  const { app } = await startApp(t, { settings: { rateLimit: 1 }, shared })
  redis.hang()
  t.equal((await app.inject(ask())).statusCode, 200)
  await until(() => !shared.isUp())
  const sent = redis.commands.length
  t.equal((await app.inject(ask())).statusCode, 429)
  t.equal(redis.commands.length, sent, 'Redis is not asked, so nothing waits for it')
})

const WRONG_COUNTS = [
  ':1',
  '*0',
  '*2\r\n$1\r\nx\r\n$1\r\ny',
  '*2\r\n:1\r\n:99999999999',
  '*2\r\n:-5\r\n:5',
  '*2\r\n:1\r\n$-1',
]

t.test('a replica counts alone where Redis answers with something else than a count', async (t) => {
  for (const answer of WRONG_COUNTS) {
    const redis = await startFakeRedis(t)
    const { app } = await startApp(t, { settings: { rateLimit: 1 }, shared: await connectToRedis(t, redis.url) })
    redis.answerWith(([command = '']) => (/^eval/i.test(command) ? `${answer}\r\n` : undefined))
    const [first, second] = [await app.inject(ask()), await app.inject(ask())]
    t.match([first.statusCode, second.statusCode], [200, 429], answer)
    t.match(first.headers, { 'ratelimit-remaining': '0', 'ratelimit-reset': /^\d\d$/ }, answer)
    t.match(second.headers, { 'retry-after': /^\d\d$/ }, answer)
  }
})
