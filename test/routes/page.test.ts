import t from 'tap'
import { startApp } from '../support/start-app.ts'

const BROWSER = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }

t.test('a browser gets the page at /, or an explanation where it is not built', async (t) => {
  const { app } = await startApp(t)
  const response = await app.inject({ url: '/', headers: BROWSER })
  if (response.statusCode === 404) {
    t.match(response.json().detail, /^The page is not built\. Run `npm run build:page`/)
    return
  }
  t.match(response.body, '<title>Précis</title>')
  const policy = String(response.headers['content-security-policy'])
  t.match(policy, /default-src 'none'; script-src 'self'; style-src 'self'/)
  t.notMatch(policy, /unsafe|https?:|\*/)
  const [, script = ''] = /src="([^"]+\.js)"/.exec(response.body) ?? []
  const file = await app.inject({ url: `/${script}`, headers: { 'accept-encoding': 'gzip' } })
  t.match(file.headers, {
    'content-type': 'text/javascript; charset=utf-8',
    'content-encoding': 'gzip',
    'cache-control': 'public, max-age=31536000, immutable',
  })
  const page = await app.inject('/page/index.html')
  t.match([page.statusCode, page.headers['cache-control']], [200, 'no-cache'])
})

t.test('PRECIS_PAGE=false turns the page off: a browser is sent from / to /docs', async (t) => {
  const { app } = await startApp(t, { settings: { page: false } })
  const browser = await app.inject({ url: '/', headers: BROWSER })
  t.match([browser.statusCode, browser.headers.location], [302, 'docs'])
  for (const url of ['/page/access.json', '/page/index.html']) t.equal((await app.inject(url)).statusCode, 404)
})

t.test('a program that asks for / is told that the service runs, and where its routes are described', async (t) => {
  const { app } = await startApp(t)
  const running = 'Précis is running. Its routes: GET /docs, GET /openapi.json.\n'
  for (const headers of [{ accept: '*/*' }, { accept: 'text/plain' }, {}]) {
    const reply = await app.inject({ url: '/', headers })
    t.strictSame(
      [reply.statusCode, reply.headers['content-type'], reply.body],
      [200, 'text/plain; charset=utf-8', `${running}A browser shows the page at this address.\n`],
    )
  }
  const { app: withoutPage } = await startApp(t, { settings: { page: false } })
  t.equal((await withoutPage.inject('/')).body, running)
  const client = await app.inject({ url: '/', headers: { accept: 'application/json' } })
  t.match(client.json(), { status: 404, detail: 'Unknown route. See GET /openapi.json.' })
})

t.test('the page needs no token, but what the service offers does', async (t) => {
  const { app } = await startApp(t, { settings: { tokens: ['secret-token'], transcriptTokens: 12_000 } })
  t.strictSame((await app.inject('/page/access.json')).json(), { tokensRequired: true })
  const refused = await app.inject({ url: '/page/service.json', headers: { 'sec-fetch-dest': 'empty' } })
  t.equal(refused.statusCode, 401)
  t.equal(refused.headers['www-authenticate'], 'Bearer realm="precis"', 'a browser asks its user for nothing')
  const headers = { authorization: 'Bearer secret-token' }
  t.match((await app.inject({ url: '/page/service.json', headers })).json(), {
    candidates: [],
    replyForms: ['json', 'text', 'native', 'claude-code'],
    defaults: { transcriptTokens: 12_000 },
  })
})

t.test('the session that the page opens by itself needs the token; without one, there is no such file', async (t) => {
  const sessionForPage = { name: 'a.jsonl', document: Buffer.from('{"type":"session"}') }
  const { app } = await startApp(t, { settings: { tokens: ['secret-token'] }, sessionForPage })
  const headers = { authorization: 'Bearer secret-token' }
  t.equal((await app.inject('/page/session')).statusCode, 401)
  t.equal((await app.inject({ url: '/page/session', headers })).payload, '{"type":"session"}')
  t.equal((await app.inject({ url: '/page/service.json', headers })).json().session, 'a.jsonl')
  const { app: other } = await startApp(t)
  t.equal((await other.inject('/page/session')).statusCode, 404)
  t.notOk('session' in (await other.inject('/page/service.json')).json())
})

t.test('no path leads out of the folder of the page', async (t) => {
  const { app } = await startApp(t)
  for (const name of ['..%2fserver.js', '%2e%2e/server.js', '__proto__', ''])
    t.equal((await app.inject(`/page/${name}`)).statusCode, 404, name)
})
