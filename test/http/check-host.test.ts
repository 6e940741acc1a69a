import t from 'tap'
import { startApp } from '../support/start-app.ts'

/** A request whose body is not read if the request is refused: it is no JSON. */
const post = (host: string) => ({
  method: 'POST' as const,
  url: '/compaction',
  headers: { 'content-type': 'application/json', host },
  payload: '{"broken',
})

const LOOPBACK = [
  'localhost',
  'LOCALHOST:8080',
  '127.0.0.1:1',
  '127.1.2.3',
  '[::1]',
  '[::1]:8080',
  'localhost.',
  'localhost.:80',
]
const OTHERS = ['evil.example', 'localhost.evil.example:8080', '127.0.0.1.evil.example', '10.0.0.1', '[::2]', 'a b']

for (const host of ['127.0.0.1', '::1', 'localhost'])
  t.test(`a service at ${host} accepts only a loopback Host, before it reads the body`, async (t) => {
    const { app } = await startApp(t, { settings: { host } })
    for (const name of LOOPBACK) t.equal((await app.inject(post(name))).statusCode, 400, name)
    for (const name of OTHERS) {
      const response = await app.inject(post(name))
      t.equal(response.statusCode, 421, name)
      t.match(response.json(), {
        type: 'urn:precis:problem:wrong-host',
        title: response.statusMessage,
        status: 421,
        detail: /\bPRECIS_HOSTS\b/,
      })
    }
    t.equal((await app.inject({ url: '/healthz', headers: { host: 'evil.example' } })).statusCode, 421)
  })

/** Names that nobody can register, and what only looks like one. */
const PRIVATE = [
  ...LOOPBACK,
  ...['10.0.0.7', '10.0.0.7:8080', '203.0.113.5', '[2001:db8::7]:80', 'precis', 'Precis:8080', 'my_host', 'a-b'],
  ...['precis.tools.svc', 'precis.tools.svc:80', 'precis.tools.svc.cluster.local', 'precis.corp.internal'],
  ...['precis.tools.svc.cluster.local.', 'precis.corp.internal.:8080', 'precis.'],
]
const PUBLIC = [
  ...['evil.example', 'EVIL.example:8080', 'localhost.evil.example', '127.0.0.1.evil.example', 'localhost..', 'a b'],
  ...['10.0.0.7.nip.io', '10.0.0', 'svc.example', 'evilsvc.example', 'svc.cluster.local.example', 'internal.example'],
  ...[
    'precis.local',
    '[::1',
    '1.2.3.4.5',
    'evil.example:',
    'evil.example.',
    '.',
    'evil.example:8080:1',
    'evil.example/.svc.example',
  ],
]

t.test('a service without tokens accepts only names that no web page can have, before it reads the body', async (t) => {
  const { app } = await startApp(t, { settings: { host: '0.0.0.0' } })
  for (const name of PRIVATE) t.equal((await app.inject(post(name))).statusCode, 400, name)
  for (const name of PUBLIC) {
    const { statusCode, payload } = await app.inject(post(name))
    t.equal(statusCode, 421, name)
    t.match(JSON.parse(payload), { type: 'urn:precis:problem:wrong-host', detail: /\bPRECIS_HOSTS\b/ })
  }
})

t.test('a page whose name was pointed to the service is refused, although its Origin is that name', async (t) => {
  const { app } = await startApp(t, { settings: { host: '0.0.0.0' } })
  const request = post('evil.example:9971')
  const headers = { ...request.headers, origin: 'http://evil.example:9971' }
  t.equal((await app.inject({ ...request, headers })).statusCode, 421)
})

t.test('probes may send any Host to a service at another address', async (t) => {
  const { app } = await startApp(t, { settings: { host: '0.0.0.0' } })
  for (const url of ['/healthz', '/health', '/readyz'])
    t.equal((await app.inject({ url, headers: { host: 'precis.example' } })).statusCode, 200, url)
  for (const url of ['/', '/openapi.json', '/metrics', '/nowhere', '/page/access.json'])
    t.equal((await app.inject({ url, headers: { host: 'precis.example' } })).statusCode, 421, url)
})

t.test('the names of PRECIS_HOSTS are accepted, at any address, with any port', async (t) => {
  for (const host of ['127.0.0.1', '0.0.0.0']) {
    const { app } = await startApp(t, { settings: { host, hosts: ['precis.example'] } })
    for (const name of ['precis.example', 'Precis.Example:8443', 'precis.example.', 'precis.example.:80'])
      t.equal((await app.inject(post(name))).statusCode, 400, name)
    for (const name of ['evil.example', 'www.precis.example', 'precis.example.evil.example'])
      t.equal((await app.inject(post(name))).statusCode, 421, name)
  }
})

t.test('a service with tokens accepts any Host at another address: a page has no token', async (t) => {
  const { app } = await startApp(t, { settings: { host: '0.0.0.0', tokens: ['one'] } })
  const request = post('precis.example')
  t.equal((await app.inject({ ...request, headers: { ...request.headers, 'x-api-key': 'one' } })).statusCode, 400)
  t.equal((await app.inject(request)).statusCode, 404)
})
