import { connect } from 'node:net'
import t from 'tap'
import { SECURITY_HEADERS } from '../../src/http/check-origin.ts'
import { listenApp, startApp } from '../support/start-app.ts'

/** A request whose body is not read if the request is refused: it is no JSON. */
const post = (headers: Record<string, string>) => ({
  method: 'POST' as const,
  url: '/compaction',
  headers: { 'content-type': 'application/json', ...headers },
  payload: '{"broken',
})

/** The head and the body of the reply to these lines. */
async function sendLines(url: string, ...lines: string[]): Promise<[head: string, body: string]> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  socket.write(`${lines.join('\r\n')}\r\nConnection: close\r\n\r\n`)
  let reply = ''
  for await (const chunk of socket) reply += String(chunk)
  const [head = '', body = ''] = reply.split('\r\n\r\n')
  return [head, body]
}

t.test('a request of a page of another origin is refused, before its body is read', async (t) => {
  const { app, log } = await startApp(t)
  const foreign = ['https://evil.example', 'null', 'http://localhost:81', 'http://localhost:80, http://localhost:80']
  for (const origin of foreign) {
    const response = await app.inject(post({ origin, host: 'localhost:80' }))
    t.equal(response.statusCode, 403, origin)
    t.match(response.json(), { type: 'urn:precis:problem:foreign-origin', title: response.statusMessage, status: 403 })
    t.notHas(response.headers, 'access-control-allow-origin')
  }
  t.match(log(), /"status":403,"ms":\d+,"problem":"foreign-origin"/)
})

t.test('a page of the service itself may use it, also behind a proxy that takes TLS off', async (t) => {
  const { app } = await startApp(t, { settings: { host: '0.0.0.0', hosts: ['precis.example'] } })
  for (const origin of ['http://precis.example', 'https://precis.example'])
    t.equal((await app.inject(post({ origin, host: 'precis.example' }))).statusCode, 400, origin)
})

t.test('a page of a listed origin may use the service and read the reply', async (t) => {
  const { app } = await startApp(t, { settings: { corsOrigins: ['https://tools.example'], tokens: ['one'] } })
  const origin = 'https://tools.example'
  const preflight = await app.inject({
    method: 'OPTIONS',
    url: '/compaction',
    headers: { origin, 'access-control-request-method': 'POST', 'access-control-request-headers': 'authorization' },
  })
  t.equal(preflight.statusCode, 204, 'a preflight has no token')
  t.match(preflight.headers, {
    'access-control-allow-origin': origin,
    'access-control-allow-methods': 'GET, POST',
    'access-control-allow-headers': 'Authorization, Content-Type, *',
    vary: 'Origin',
  })
  t.notHas(preflight.headers, 'access-control-allow-credentials')
  const { statusCode, headers } = await app.inject(post({ origin, authorization: 'Bearer one' }))
  t.equal(statusCode, 400, 'the body was read')
  t.match(headers, {
    'access-control-allow-origin': origin,
    'access-control-expose-headers': /Retry-After, .*X-Precis-Native, X-Precis-Format, .*X-Precis-Parts/,
    vary: 'Origin',
  })
  const refused = await app.inject(post({ origin }))
  t.equal(refused.statusCode, 404, 'it needs a token like any other client')
  t.equal(refused.headers['access-control-allow-origin'], origin, 'and can read why')
  t.equal((await app.inject(post({ origin: 'https://evil.example' }))).statusCode, 403)
})

t.test('no reply is guessed, stored, run or framed', async (t) => {
  const { app } = await startApp(t)
  const compaction = { method: 'POST' as const, url: '/compaction' }
  const requests = [
    { url: '/healthz' },
    { url: '/metrics' },
    { url: '/openapi.json' },
    { url: '/nowhere' },
    { ...compaction, payload: { prompt: 'p' } },
    { ...compaction, payload: { prompt: 7 } },
    { ...compaction, payload: { prompt: 'p' }, headers: { accept: 'text/event-stream' } },
  ]
  for (const request of requests) t.match((await app.inject(request)).headers, SECURITY_HEADERS, request.url)
  const asset = await app.inject('/docs')
  t.match(
    asset.headers,
    { 'x-content-type-options': 'nosniff', 'cache-control': 'no-cache' },
    'files say it themselves',
  )
})

t.test('the page of the documentation loads only what its policy allows', async (t) => {
  const { app } = await startApp(t)
  const { body, headers } = await app.inject('/docs')
  const policy = new Map(
    String(headers['content-security-policy'])
      .split('; ')
      .map((directive) => [directive.split(' ')[0], directive.split(' ').slice(1)]),
  )
  t.same(Object.fromEntries(policy), {
    'default-src': ["'none'"],
    'script-src': ["'self'"],
    'style-src': ["'self'"],
    'img-src': ["'self'"],
    'connect-src': ["'self'"],
    'base-uri': ["'none'"],
    'form-action': ["'none'"],
    'frame-ancestors': ["'none'"],
  })
  const loaded = [...body.matchAll(/<(?:script|link)\b[^>]*?(?:src|href)="([^"]*)"/g)].map(([, url = '']) => url)
  for (const url of loaded) {
    t.match(url, /^page\//, 'from this service')
    t.equal((await app.inject(`/${url}`)).statusCode, 200, url)
  }
  t.notMatch(body, /<style|style=|\son[a-z]+=|<script(?![^>]*src=)/, 'nothing is inline')
  const sheets = await Promise.all(loaded.filter((url) => url.endsWith('.css')).map((url) => app.inject(`/${url}`)))
  for (const { body: styles } of sheets) t.notMatch(styles, /@import|@font-face|url\(/, 'nothing is loaded by a style')
})

t.test('a request has one Host header, and expects nothing unknown', async (t) => {
  const { url } = await listenApp(t)
  const twice = await sendLines(url, 'GET /healthz HTTP/1.1', 'Host: localhost', 'Host: localhost')
  const none = await sendLines(url, 'GET /healthz HTTP/1.1')
  for (const [head, body] of [twice, none]) {
    t.match(head, /^HTTP\/1\.1 400 Invalid request\r\n/)
    t.match(JSON.parse(body), { type: 'urn:precis:problem:invalid-request', status: 400 })
  }
  const [head, body] = await sendLines(url, 'GET /healthz HTTP/1.1', 'Host: localhost', 'Expect: a-miracle')
  t.match(head, /^HTTP\/1\.1 417 Expectation failed\r\n/)
  t.match(JSON.parse(body), { type: 'urn:precis:problem:expectation-failed', status: 417 })
  const [old] = await sendLines(url, 'GET /healthz HTTP/1.0')
  t.match(old, /^HTTP\/1\.1 200 OK\r\n/, 'HTTP/1.0 had no Host')
  const [broken] = await sendLines(url, 'no request')
  t.match(broken.toLowerCase(), /400 invalid request[^]*x-content-type-options: nosniff\r\n/)
})
