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
    return [detail, errors]
  }
  const keep = { pointer: '/keepRecentTokens', detail: INTEGER, parameter: 'keepRecentTokens' }
  const one = [`The query parameter \`keepRecentTokens\` is not valid: /keepRecentTokens ${INTEGER}.`, [keep]]
  t.strictSame(await problemOf('/compaction?keepRecentTokens=x'), one)
  t.strictSame(await problemOf('/compaction/plan?keepRecentTokens=-1'), one)
  t.strictSame(await problemOf('/compaction?keepRecentTokens=x', { messages: MESSAGES }), one)
  t.strictSame(await problemOf('/compaction?keepRecentTokens=x', { session: LINES }), one)
  t.strictSame(await problemOf('/compaction?settings={"keepRecentTokens":"x"}'), [
    `The query parameter \`settings\` is not valid: /settings/keepRecentTokens ${INTEGER}.`,
    [{ ...keep, pointer: '/settings/keepRecentTokens', parameter: 'settings' }],
  ])
  t.strictSame(await problemOf('/prune?protectTokens=x&minimumSavings=y'), [
    `The query parameters \`protectTokens\` and \`minimumSavings\` are not valid: /protectTokens ${INTEGER}. See \`errors\` for each fault.`,
    ['protectTokens', 'minimumSavings'].map((name) => ({ pointer: `/${name}`, detail: INTEGER, parameter: name })),
  ])
  t.strictSame(await problemOf('/branch-summary'), [
    'The query parameters `fromId` and `targetId` are not valid: /fromId is required. See `errors` for each fault.',
    ['fromId', 'targetId'].map((name) => ({ pointer: `/${name}`, detail: 'is required', parameter: name })),
  ])
  t.match(
    await problemOf('/branch-summary', { entries: LINES.split('\n').map((line) => JSON.parse(line) as object) }),
    [/^The request body is not valid: \/fromId is required\./],
  )
  const reserveTokens = { pointer: '/settings/reserveTokens', detail: 'must be an integer of at least 1' }
  t.match(await problemOf('/compaction?keepRecentTokens=x', { messages: MESSAGES, settings: { reserveTokens: 0 } }), [
    /^The request body and the query parameter `keepRecentTokens` are not valid: \/keepRecentTokens /,
    [keep, { pointer: reserveTokens.pointer }],
  ])
})

t.test('a wrong parameter of the reply, the format or the candidate is named as a parameter', async (t) => {
  const { app } = await startApp(t)
  const problemOf = async (query: string) => {
    const { detail, errors } = (
      await app.inject({ method: 'POST', url: `/compaction?${query}`, payload: LINES })
    ).json<ProblemBody>()
    return [
      detail.replace(/ not valid: .*/, ' not valid.'),
      errors?.map(({ pointer, parameter }) => [pointer, parameter]),
    ]
  }
  const named = (name: string) => [[`/${name}`, name]]
  const notValid = (name: string) => [`The query parameter \`${name}\` is not valid.`, named(name)]
  t.strictSame(await problemOf('reply=text&maxChars=x'), notValid('maxChars'))
  t.strictSame(await problemOf('reply=text&maxChars=9&part=x'), notValid('part'))
  t.strictSame(await problemOf('reply=x'), notValid('reply'))
  t.strictSame(await problemOf('newSession=x'), notValid('newSession'))
  t.strictSame(await problemOf('part=2'), ['The query parameter `part` needs `maxChars`.', named('part')])
  t.match(await problemOf('format=x'), [/`format`/, named('format')])
  t.match(await problemOf('candidate=x'), [/`candidate`/, named('candidate')])
  const twice = (name: string) => [
    `The query parameter \`${name}\` is there twice, and must be there only once.`,
    named(name),
  ]
  t.strictSame(await problemOf('keepRecentTokens=1&keepRecentTokens=2'), twice('keepRecentTokens'))
  t.strictSame(await problemOf('reply=text&reply=native'), twice('reply'))
  t.strictSame(await problemOf('format=pi&format=chat'), twice('format'))
  t.strictSame(await problemOf('candidate=a&candidate=b'), twice('candidate'))
  t.strictSame(await problemOf('include=x'), [
    'The query parameter `include` must be provenance or items, or several of them with commas between them.',
    named('include'),
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
  const detail = `The request body is not valid: /settings/keepRecentTokens ${INTEGER}.`
  t.match(own.json(), { detail, errors })
  const part = (name: string, value: string) =>
    `--b\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`
  const form = await app.inject({
    ...{ method: 'POST', url: '/compaction', headers: { 'content-type': 'multipart/form-data; boundary=b' } },
    payload: `${part('session', LINES)}${part('keepRecentTokens', 'x')}--b--\r\n`,
  })
  t.match(form.json(), { detail, errors })
})
