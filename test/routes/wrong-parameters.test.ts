import t from 'tap'
import type { ProblemBody } from '../../src/schemas/problem.ts'
import { startApp } from '../support/start-app.ts'

const MESSAGES = [{ role: 'user', content: 'Fix the parser.' }]
const LINES = MESSAGES.map((message) => JSON.stringify({ type: 'message', id: 'a', parentId: null, message })).join(
  '\n',
)
const INTEGER = 'must be an integer of at least 0'

t.test('a wrong query parameter is named as one, with a pointer that begins with its name', async (t) => {
  const { app } = await startApp(t)
  const problemOf = async (url: string, payload: string | object = LINES) => {
    const { detail, errors } = (await app.inject({ method: 'POST', url, payload })).json<ProblemBody>()
    return [detail.replace(' See `errors` for each fault.', ''), errors]
  }
  const keep = { pointer: '/keepRecentTokens', detail: INTEGER, parameter: 'keepRecentTokens' }
  const one = ['The query parameter `keepRecentTokens` is not valid.', [keep]]
  t.strictSame(await problemOf('/compaction?keepRecentTokens=x'), one)
  t.strictSame(await problemOf('/compaction/plan?keepRecentTokens=-1'), one)
  t.strictSame(await problemOf('/compaction?keepRecentTokens=x', { messages: MESSAGES }), one)
  t.strictSame(await problemOf('/compaction?keepRecentTokens=x', { session: LINES }), one)
  t.strictSame(await problemOf('/compaction?settings={"keepRecentTokens":"x"}'), [
    'The query parameter `settings` is not valid.',
    [{ ...keep, pointer: '/settings/keepRecentTokens', parameter: 'settings' }],
  ])
  t.strictSame(await problemOf('/prune?protectTokens=x&minimumSavings=y'), [
    'The query parameters `protectTokens` and `minimumSavings` are not valid.',
    ['protectTokens', 'minimumSavings'].map((name) => ({ pointer: `/${name}`, detail: INTEGER, parameter: name })),
  ])
  const reserveTokens = { pointer: '/settings/reserveTokens', detail: 'must be an integer of at least 1' }
  t.match(await problemOf('/compaction?keepRecentTokens=x', { messages: MESSAGES, settings: { reserveTokens: 0 } }), [
    'The request body and the query parameter `keepRecentTokens` are not valid.',
    [keep, { pointer: reserveTokens.pointer }],
  ])
})

t.test('a field that the body has itself, or as a part of a form, is a fault of the body', async (t) => {
  const { app } = await startApp(t)
  const settings = { keepRecentTokens: 'x' }
  const errors = [{ pointer: '/settings/keepRecentTokens', detail: INTEGER }]
  const own = await app.inject({
    ...{ method: 'POST', url: '/compaction?keepRecentTokens=5' },
    payload: { messages: MESSAGES, settings },
  })
  const detail = 'The request body is not valid. See `errors` for each fault.'
  t.match(own.json(), { detail, errors })
  const part = (name: string, value: string) =>
    `--b\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`
  const form = await app.inject({
    ...{ method: 'POST', url: '/compaction', headers: { 'content-type': 'multipart/form-data; boundary=b' } },
    payload: `${part('session', LINES)}${part('keepRecentTokens', 'x')}--b--\r\n`,
  })
  t.match(form.json(), { detail, errors })
})
