import t from 'tap'
import { startApp } from '../support/start-app.ts'

const ask = (authorization = '') => ({ method: 'GET' as const, url: '/openapi.json', headers: { authorization } })

t.test('past the limit a caller is told when to come again; others and probes are not limited by it', async (t) => {
  const { app } = await startApp(t, { config: { rateLimit: 2, tokens: ['one', 'two'] } })
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
  t.match(third.json(), { type: /rate-limited$/, title: 'Too many requests', status: 429 })
  t.equal((await app.inject(ask('Bearer two'))).statusCode, 200)
  for (let count = 0; count < 5; count++) t.equal((await app.inject('/healthz')).statusCode, 200)
})

t.test('without tokens a caller is an address', async (t) => {
  const { app } = await startApp(t, { config: { rateLimit: 1 } })
  t.equal((await app.inject({ ...ask(), remoteAddress: '10.0.0.1' })).statusCode, 200)
  t.equal((await app.inject({ ...ask(), remoteAddress: '10.0.0.1' })).statusCode, 429)
  t.equal((await app.inject({ ...ask(), remoteAddress: '10.0.0.2' })).statusCode, 200)
})

t.test('without a limit nobody is limited, and no header tells of one', async (t) => {
  const { app } = await startApp(t)
  const { statusCode, headers } = await app.inject(ask())
  t.equal(statusCode, 200)
  t.notHas(headers, 'ratelimit-limit')
})
