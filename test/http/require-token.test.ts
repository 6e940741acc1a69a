import t from 'tap'
import { startApp } from '../support/start-app.ts'

const basic = (pair: string) => `Basic ${Buffer.from(pair).toString('base64')}`

const cases: [name: string, authorization: string | undefined, isLetIn: boolean][] = [
  ['no token', undefined, false],
  ['a Bearer token', 'Bearer one', true],
  ['another Bearer token', 'bearer two', true],
  ['a wrong Bearer token', 'Bearer three', false],
  ['a part of a token', 'Bearer on', false],
  ['Basic with the token as the password', basic('x:two'), true],
  ['Basic with a wrong password', basic('one:three'), false],
  ['Basic with the token but no colon', basic('two'), false],
  ['another scheme', 'Digest one', false],
  ['an empty token', 'Bearer ', false],
]

for (const [name, authorization, isLetIn] of cases)
  t.test(`${name} is ${isLetIn ? 'let in' : 'refused, with 404 where agents call and 401 elsewhere'}`, async (t) => {
    const { app, log } = await startApp(t, { config: { tokens: ['one', 'two'] } })
    const headers = authorization === undefined ? {} : { authorization }
    const post = await app.inject({ method: 'POST', url: '/compaction', headers, payload: { prompt: 'p' } })
    const get = await app.inject({ url: '/openapi.json', headers })
    t.same([post.statusCode, get.statusCode], isLetIn ? [200, 200] : [404, 401])
    if (!isLetIn) {
      t.match(post.json(), { type: 'urn:precis:problem:token-refused', status: 404, title: post.statusMessage })
      t.equal(get.headers['www-authenticate'], 'Bearer realm="precis", Basic realm="precis"')
    }
    t.notMatch(log(), /one|two|three/)
  })

t.test('it is decided before the body is read', async (t) => {
  const { app } = await startApp(t, { config: { tokens: ['one'], bodyLimitBytes: 10 } })
  const response = await app.inject({
    method: 'POST',
    url: '/compaction',
    payload: { prompt: 'longer than ten bytes' },
  })
  t.equal(response.statusCode, 404)
})

t.test('probes need no token, and without tokens nobody does', async (t) => {
  const guarded = await startApp(t, { config: { tokens: ['one'] } })
  t.equal((await guarded.app.inject('/healthz')).statusCode, 200)
  t.equal((await guarded.app.inject('/readyz')).statusCode, 200)
  const open = await startApp(t)
  t.equal((await open.app.inject('/openapi.json')).statusCode, 200)
})
