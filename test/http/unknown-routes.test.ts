import t from 'tap'
import { startApp } from '../support/start-app.ts'

const json = { 'content-type': 'application/json' }

t.test('an unknown path is 404', async (t) => {
  const { app } = await startApp(t)
  const response = await app.inject({ method: 'DELETE', url: '/nowhere?secret=1' })
  t.match(response.json(), { status: 404, detail: 'Unknown route. See GET /openapi.json.' })
  t.equal(response.headers.allow, undefined)
})

t.test('a path that is nearly that of a route is told so', async (t) => {
  const { app } = await startApp(t)
  const near: [path: string, meant: string][] = [
    ['/v1/chat/completion', '/v1/chat/completions'],
    ['/compact', '/compaction'],
    ['/compacton/plan?x=1', '/compaction/plan'],
    ['/chat/completions', '/v1/chat/completions'],
    ['/messages', '/v1/messages'],
  ]
  for (const [url, meant] of near) {
    const { detail } = (await app.inject({ method: 'POST', url })).json<{ detail: string }>()
    t.equal(detail, `Unknown route. See GET /openapi.json. Did you mean ${meant}?`)
  }
})

const wrong: [method: 'GET' | 'PUT' | 'OPTIONS' | 'POST', url: string, allow: string, detail: string][] = [
  ['GET', '/compaction', 'POST', 'This route needs POST, not GET.'],
  ['PUT', '/compaction/?x=1', 'POST', 'This route needs POST, not PUT.'],
  ['OPTIONS', '/v1/chat/completions', 'POST', 'This route needs POST, not OPTIONS.'],
  ['POST', '/healthz', 'GET, HEAD', 'This route needs GET, not POST.'],
  ['PUT', '/page/index.css', 'GET, HEAD', 'This route needs GET, not PUT.'],
]

for (const [method, url, allow, detail] of wrong)
  t.test(`${method} ${url} is 405 and names the methods of the route`, async (t) => {
    const { app, log } = await startApp(t)
    const response = await app.inject({ method, url, headers: json, payload: '{"broken' })
    t.equal(response.headers.allow, allow)
    // Below /v1, it also has the error of another API (error-format.test.ts).
    const { error: _error, ...problem } = response.json()
    t.same(problem, {
      type: 'urn:precis:problem:method-not-allowed',
      title: 'Method not allowed',
      status: 405,
      detail,
    })
    t.match(log(), /"route":"none","status":405,.*"problem":"method-not-allowed"/)
  })

t.test('a slash at the end of a path does not count', async (t) => {
  const { app } = await startApp(t)
  const reply = await app.inject({ method: 'POST', url: '/compaction/', payload: { prompt: 'p' } })
  t.equal(reply.statusCode, 200)
  for (const url of ['/healthz/', '/docs']) t.equal((await app.inject(url)).statusCode, 200, url)
  const docs = await app.inject('/docs/?x=1')
  t.match([docs.statusCode, docs.headers.location], [302, '../docs'], 'its links are relative')
})
