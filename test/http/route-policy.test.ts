import t from 'tap'
import { startApp } from '../support/start-app.ts'

t.test('an unknown route, and a wrong method on a probe, need a token: only declared routes are exempt', async (t) => {
  const { app } = await startApp(t, { settings: { tokens: ['one'] } })
  for (const request of [
    { method: 'GET', url: '/nowhere' },
    { method: 'POST', url: '/healthz' },
    { method: 'PUT', url: '/compaction' },
    { method: 'GET', url: '/docs' },
  ] as const)
    t.equal((await app.inject(request)).statusCode, 401, `${request.method} ${request.url}`)
})

t.test('HEAD of a probe is a probe', async (t) => {
  const { app } = await startApp(t, { settings: { tokens: ['one'], rateLimit: 1 } })
  for (let count = 0; count < 3; count++)
    t.equal((await app.inject({ method: 'HEAD', url: '/healthz' })).statusCode, 200)
})

t.test('unknown routes do not count for the rate limit', async (t) => {
  const { app } = await startApp(t, { settings: { rateLimit: 1 } })
  for (let count = 0; count < 3; count++) t.equal((await app.inject('/nowhere')).statusCode, 404)
  t.equal((await app.inject('/favicon.ico')).statusCode, 200)
})

t.test('a malformed URL gets a problem, though no route is known for it', async (t) => {
  const { app } = await startApp(t, { settings: { tokens: ['one'] } })
  t.match((await app.inject('/%zz')).json(), { type: /invalid-request$/, status: 400 })
})
