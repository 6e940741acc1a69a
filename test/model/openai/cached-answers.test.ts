import t from 'tap'
import { cachedAnswersBy } from '../../../src/model/openai/call-context.ts'
import { createSummarizer } from '../../../src/model/create-summarizer.ts'
import { UNOBSERVED } from '../../../src/model/observer.ts'
import { createMemoryStore, createRedisStore, tierStores } from '../../../src/model/sharing/result-store.ts'
import { readSettings } from '../../../src/settings.ts'
import { connectToRedis, countErrors } from '../../support/connect-redis.ts'
import { startFakeRedis } from '../../support/fake-redis.ts'
import { startModelServer } from '../../support/model-server.ts'
import { candidates, openBudget, TASK } from '../../support/start-summarizer.ts'
import { templates } from '../../support/templates.ts'
import { until } from '../../support/until.ts'

const ANSWER = { text: 'A summary.', model: 'first' }
const GOOD = { value: [ANSWER], redactions: 0 }

/** What another program, another version or an attacker may have put into Redis. */
const WRONG: [name: string, stored: unknown][] = [
  ['null', null],
  ['an empty object', {}],
  ['an empty list', []],
  ['a number', 5],
  ['a string', 'x'],
  ['true', true],
  ['a value that is a string', { ...GOOD, value: 'x' }],
  ['no value', { redactions: 0 }],
  ['a value that is null', { ...GOOD, value: null }],
  ['a value without answers', { ...GOOD, value: [] }],
  ['an answer that is null', { ...GOOD, value: [null] }],
  ['an answer that is a string', { ...GOOD, value: ['A summary.'] }],
  ['a text that is a number', { ...GOOD, value: [{ ...ANSWER, text: 5 }] }],
  ['a text that is missing', { ...GOOD, value: [{ model: 'first' }] }],
  ['a blank text', { ...GOOD, value: [{ ...ANSWER, text: ' \n' }] }],
  ['a text of invisible characters', { ...GOOD, value: [{ ...ANSWER, text: '\u200b\u2028' }] }],
  ['half a secret', { ...GOOD, redactions: 0.5 }],
  ['a count whose sum with another one is infinite', { ...GOOD, redactions: 1e308 }],
  ['a second answer that is blank', { ...GOOD, value: [ANSWER, { ...ANSWER, text: '' }] }],
  ['no model', { ...GOOD, value: [{ text: 'A summary.' }] }],
  ['a model that is not a candidate', { ...GOOD, value: [{ ...ANSWER, model: 'The user wants the parser fixed.' }] }],
  ['no count', { value: [ANSWER] }],
  ['a count that is a string', { ...GOOD, redactions: '1' }],
  ['a negative count', { ...GOOD, redactions: -1 }],
  ['a count that is null', { ...GOOD, redactions: null }],
  ['100,000 lists in one another', JSON.parse(`${'['.repeat(100_000)}${']'.repeat(100_000)}`)],
]

t.equal(WRONG.length, 26)

const storedText = (name: string, stored: unknown): string =>
  name.startsWith('100,000') ? `${'['.repeat(100_000)}${']'.repeat(100_000)}` : JSON.stringify(stored)

t.test('a value of a wrong shape in Redis is an error and a miss, and is not kept in this process', async (t) => {
  const redis = await startFakeRedis(t)
  const shared = await connectToRedis(t, redis.url)
  const { onError, errors } = countErrors()
  const far = createRedisStore(shared.client, {
    ttlMs: 1000,
    isResult: cachedAnswersBy(candidates('first', 'second')),
    onError,
  })
  far.set('good', GOOD)
  await until(() => redis.values.size === 1)
  const key = [...redis.values.keys()][0] ?? ''
  const near = createMemoryStore<typeof GOOD>({ entries: 100, ttlMs: 60_000 })
  t.same(await tierStores(near, far).get('good'), GOOD)
  t.same([errors(), near.count()], [0, 1], 'a result is kept')
  for (const [name, stored] of WRONG) {
    redis.values.set(key.replace('good', name), storedText(name, stored))
    const before = errors()
    t.equal(await tierStores(near, far).get(name), undefined, name)
    t.same([errors() - before, near.count(), near.get(name)], [1, 1, undefined], name)
  }
  redis.values.set(key.replace('good', 'garbage'), '{"value": [')
  t.equal(await far.get('garbage'), undefined)
})

t.test('a replica that finds a wrong shape asks the model, and overwrites it', async (t) => {
  const redis = await startFakeRedis(t)
  const server = await startModelServer(t, ['A summary.'])
  const summarize = async () => {
    const shared = await connectToRedis(t, redis.url)
    const config = readSettings({ OPENAI_BASE_URL: server.url, PRECIS_MODEL: 'first' })
    const lookups: string[] = []
    const observer = {
      ...UNOBSERVED,
      lookedUp: (result: string) => {
        lookups.push(result)
      },
    }
    const summarizer = await createSummarizer(config, templates, { shared, observer })
    if (summarizer.name === 'embedded') throw new Error('no model')
    const { text } = await summarizer.summarize(TASK, openBudget())
    await until(() => redis.commands.at(-1) === (lookups.includes('hit') ? 'get' : 'set'))
    return { text, lookups, calls: server.requests.length }
  }
  t.same(await summarize(), { text: 'A summary.', lookups: ['miss'], calls: 1 })
  t.same(await summarize(), { text: 'A summary.', lookups: ['hit'], calls: 1 })
  for (const key of redis.values.keys()) redis.values.set(key, '{"value":[null]}')
  t.same(await summarize(), { text: 'A summary.', lookups: ['error', 'miss'], calls: 2 })
  t.same(await summarize(), { text: 'A summary.', lookups: ['hit'], calls: 2 })
})
