import t from 'tap'
import { CHALLENGE_HEADER, createChallenge, PROOF_HEADER } from '../../src/http/token-proof.ts'
import { startApp } from '../support/start-app.ts'

const basic = (pair: string) => `Basic ${Buffer.from(pair).toString('base64')}`

const cases: [name: string, authorization: string | undefined, isLetIn: boolean][] = [
  ['no token', undefined, false],
  ['a Bearer token', 'Bearer one', true],
  ['another Bearer token', 'bearer two', true],
  ['a wrong Bearer token', 'Bearer three', false],
  ['a part of a token', 'Bearer on', false],
  ['Basic with the token as the password', basic('x:two'), true],
  ['Basic with a password that has a colon', basic('x:fo:ur'), true],
  ['Basic with a wrong password', basic('one:three'), false],
  ['Basic with the token but no colon', basic('two'), false],
  ['another scheme', 'Digest one', false],
  ['an empty token', 'Bearer ', false],
]

for (const [name, authorization, isLetIn] of cases)
  t.test(`${name} is ${isLetIn ? 'let in' : 'refused, with 404 where agents call and 401 elsewhere'}`, async (t) => {
    const { app, log } = await startApp(t, { settings: { tokens: ['one', 'two', 'fo:ur'] } })
    const headers = authorization === undefined ? {} : { authorization }
    const post = await app.inject({ method: 'POST', url: '/compaction', headers, payload: { prompt: 'p' } })
    const get = await app.inject({ url: '/favicon.ico', headers })
    t.same([post.statusCode, get.statusCode], isLetIn ? [200, 200] : [404, 401])
    if (!isLetIn) {
      t.match(post.json(), { type: 'urn:precis:problem:token-refused', status: 404, title: post.statusMessage })
      t.equal(get.headers['www-authenticate'], 'Bearer realm="precis", Basic realm="precis"')
    }
    t.notMatch(log(), /one|two|three|fo:ur/)
  })

t.test('a wrong token is 404 where oh-my-pi calls, and 401 everywhere else', async (t) => {
  const { app } = await startApp(t, { settings: { tokens: ['one'] } })
  const headers = { authorization: 'Bearer one' }
  const { paths } = (await app.inject({ url: '/openapi.json', headers })).json<{ paths: Record<string, object> }>()
  const routes = Object.entries(paths).flatMap(([path, methods]) => ('post' in methods ? [path] : []))
  const statuses = await Promise.all(
    routes.map(async (url) => (await app.inject({ method: 'POST', url, payload: {} })).statusCode),
  )
  t.same(
    routes.filter((_, index) => statuses[index] === 404),
    ['/compaction', '/v1/chat/completions'],
  )
  t.same([...new Set(statuses)].toSorted(), [401, 404])
})

t.test('it is decided before the body is read', async (t) => {
  const { app } = await startApp(t, { settings: { tokens: ['one'], bodyLimitBytes: 10 } })
  const response = await app.inject({
    method: 'POST',
    url: '/compaction',
    payload: { prompt: 'longer than ten bytes' },
  })
  t.equal(response.statusCode, 404)
})

t.test('probes need no token, and without tokens nobody does', async (t) => {
  const guarded = await startApp(t, { settings: { tokens: ['one'] } })
  t.equal((await guarded.app.inject('/healthz')).statusCode, 200)
  t.equal((await guarded.app.inject('/readyz')).statusCode, 200)
  const open = await startApp(t)
  t.equal((await open.app.inject('/favicon.ico')).statusCode, 200)
})

t.test('an address that sends more than 20 wrong tokens in a minute gets 429; a right token is let in', async (t) => {
  const { app, log } = await startApp(t, { settings: { tokens: ['one', 'two'] } })
  const send = (authorization?: string, remoteAddress = '10.0.0.1') =>
    app.inject({ url: '/favicon.ico', headers: authorization === undefined ? {} : { authorization }, remoteAddress })
  for (let count = 0; count < 25; count++) {
    t.equal((await send()).statusCode, 401, 'a request without a token is no guess')
    t.equal((await send('Bearer one')).statusCode, 200, 'a right token is none either')
  }
  for (let count = 0; count < 20; count++) t.equal((await send(`Bearer guess-${count}`)).statusCode, 401)
  const refused = await send('Bearer guess-20')
  t.equal(refused.statusCode, 429)
  t.match(refused.headers, { 'retry-after': /^[1-9]\d?$/ })
  t.match(refused.json(), {
    type: 'urn:precis:problem:rate-limited',
    detail: /^More than 20 wrong service tokens came from this address in a minute\. Check .* in \d+ s\.$/,
  })
  const post = await app.inject({
    method: 'POST',
    url: '/compaction',
    headers: { authorization: basic('x:guess') },
    payload: { prompt: 'p' },
    remoteAddress: '10.0.0.1',
  })
  t.equal(post.statusCode, 429, 'whatever the route')
  t.equal((await send('Bearer two')).statusCode, 200)
  t.equal((await send('Bearer guess', '10.0.0.2')).statusCode, 401, 'from another address')
  const metrics = await app.inject({ url: '/metrics', headers: { authorization: 'Bearer one' } })
  t.match(metrics.body, /^precis_refused_total\{reason="wrong-tokens"\} 2$/m)
  t.match(log(), /"status":429,"ms":\d+,"problem":"rate-limited"/)
  t.notMatch(log(), /guess/)
})

for (const name of ['x-api-key', 'X-Headroom-Token', 'X-Headroom-Proxy-Token'])
  t.test(`a token in ${name} counts too, beside an Authorization that is for another server`, async (t) => {
    const { app } = await startApp(t, { settings: { tokens: ['one'], rateLimit: 2 } })
    const send = (headers: Record<string, string>) => app.inject({ url: '/favicon.ico', headers })
    t.equal((await send({ [name]: 'one' })).statusCode, 200)
    t.equal((await send({ [name]: 'one', authorization: 'Bearer sk-of-another-server' })).statusCode, 200)
    t.equal((await send({ [name]: 'two' })).statusCode, 401)
    t.equal((await send({ authorization: 'Bearer one' })).statusCode, 429, 'it is the same caller')
  })

t.test('wrong tokens in any header count as guesses', async (t) => {
  const { app } = await startApp(t, { settings: { tokens: ['one'] } })
  const guess = () => app.inject({ url: '/favicon.ico', headers: { 'x-api-key': 'guess' } })
  for (let count = 0; count < 20; count++) t.equal((await guess()).statusCode, 401)
  t.equal((await guess()).statusCode, 429)
})

t.test('who shows that they know a token, without sending it, gets a proof that the service knows it', async (t) => {
  const { app, log } = await startApp(t, { settings: { tokens: ['one', 'two'] } })
  const ask = (header: string) =>
    app.inject({ method: 'POST', url: '/compaction/plan', headers: { [CHALLENGE_HEADER]: header }, payload: {} })
  const challenge = createChallenge('two')
  const reply = await ask(challenge.header)
  t.match(reply.json(), { type: 'urn:precis:problem:token-refused', status: 401 })
  t.equal(reply.headers[PROOF_HEADER], challenge.proof)
  t.notMatch(log(), /one|two/)
  // A number with the HMAC of another one, and texts that are no challenge.
  const [, mac = ''] = createChallenge('two').header.split('.')
  const [number = ''] = challenge.header.split('.')
  for (const wrong of [
    createChallenge('three').header,
    `${number}.${mac}`,
    number,
    `${number}.`,
    '.',
    'x'.repeat(5000),
  ])
    t.same([(await ask(wrong)).headers[PROOF_HEADER]], [undefined], wrong.slice(0, 80))
})

t.test('a wrong challenge counts as a wrong token: nobody can try tokens faster with it', async (t) => {
  const { app } = await startApp(t, { settings: { tokens: ['one'] } })
  const ask = (token: string) =>
    app.inject({ url: '/favicon.ico', headers: { [CHALLENGE_HEADER]: createChallenge(token).header } })
  for (let count = 0; count < 20; count++) t.equal((await ask(`guess-${count}`)).statusCode, 401)
  t.equal((await ask('guess')).statusCode, 429)
  t.match((await ask('one')).headers, { [PROOF_HEADER]: String })
})

t.test('a service without tokens proves nothing', async (t) => {
  const { app } = await startApp(t)
  const headers = { [CHALLENGE_HEADER]: createChallenge('').header }
  t.same((await app.inject({ url: '/favicon.ico', headers })).headers[PROOF_HEADER], undefined)
})

t.test('the refusal says whether there was no token, an empty one or a wrong one', async (t) => {
  const { app } = await startApp(t, { settings: { tokens: ['one'] } })
  const detailOf = async (headers: Record<string, string>): Promise<string> =>
    (await app.inject({ url: '/favicon.ico', headers })).json<{ detail: string }>().detail
  const remedy = 'Send a service token as Bearer, as the password of Basic authentication, or in the header X-Api-Key.'
  t.equal(await detailOf({}), remedy)
  for (const authorization of ['Bearer ', 'Token one'])
    t.equal(await detailOf({ authorization }), `The header of the token is empty, or of an unknown scheme. ${remedy}`)
  t.equal(await detailOf({ 'x-api-key': 'two' }), `The service does not know this token. ${remedy}`)
})

t.test('the log line of a request has the position of its token, and none of a token that is refused', async (t) => {
  const { app, log } = await startApp(t, { settings: { tokens: ['first-token', 'second-token'] } })
  for (const token of ['second-token', 'first-token', 'token-of-nobody'])
    await app.inject({ url: '/favicon.ico', headers: { authorization: `Bearer ${token}` } })
  const lines = log()
    .split('\n')
    .filter((line) => line.includes('"msg":"request"'))
    .map((line) => (JSON.parse(line) as { token?: number }).token)
  t.same(lines, [2, 1, undefined])
  t.notMatch(log(), /first-token|second-token|token-of-nobody/)
})
