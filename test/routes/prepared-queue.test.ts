import t, { type Test } from 'tap'
import { createSummarizer } from '../../src/model/create-summarizer.ts'
import { readSettings } from '../../src/settings.ts'
import { buildRawEntries, user } from '../support/build-entries.ts'
import { connectToRedis } from '../support/connect-redis.ts'
import { startModelServer } from '../support/model-server.ts'
import { poster, SETTINGS, turns, writeSummary } from '../support/preparing.ts'
import { startApp } from '../support/start-app.ts'
import { SKIP_WITHOUT_REDIS, startRedis } from '../support/start-redis.ts'
import { templates } from '../support/templates.ts'
import { until } from '../support/until.ts'

/** A session of so many turns that its name tells apart from others. */
const session = (name: string, count = 10) => ({
  entries: buildRawEntries([user(`This is the session ${name}.`), ...turns(count)]),
  settings: SETTINGS,
})

/** A service whose model answers about a session when it is told to; by default it answers at once. */
async function open(t: Test, environment: Record<string, string> = {}, redisUrl?: string) {
  const asked: string[] = []
  const answers = new Map<string, () => void>()
  const model = await startModelServer(t, ({ body }) => {
    const [, name = ''] = /This is the session (\w+)\./.exec(JSON.stringify(body['messages'])) ?? []
    asked.push(name)
    const after = new Promise<void>((resolve) => {
      if (name.startsWith('held')) answers.set(name, resolve)
      else resolve()
    })
    return { text: writeSummary(`Summary of ${name}.`), after }
  })
  const settings = readSettings({ OPENAI_BASE_URL: model.url, PRECIS_MODEL: 'm', ...environment })
  const shared = redisUrl === undefined ? undefined : await connectToRedis(t, redisUrl)
  const summarizer = await createSummarizer(settings, templates)
  const { app } = await startApp(t, { summarizer, settings, ...(shared && { shared }) })
  t.teardown(() => {
    for (const answer of answers.values()) answer()
  })
  const answer = (name: string) => answers.get(name)?.()
  return { ...poster(app), app, asked, answer }
}

/** Prepares sessions, until models are asked about the first two of them. */
async function prepareThree(opened: Awaited<ReturnType<typeof open>>): Promise<void> {
  for (const name of ['held1', 'held2', 'held3']) {
    t.equal((await opened.prepare(session(name))).status, 202)
    if (name !== 'held3') await until(() => opened.asked.includes(name))
  }
}

t.test(
  'a request waits for no summary that its caller prepares, and takes no place in the queue behind them',
  async (t) => {
    const opened = await open(t, { PRECIS_CONCURRENCY: '4', PRECIS_QUEUE: '0' })
    await prepareThree(opened)
    const replies = await Promise.all([opened.compact(session('one')), opened.compact(session('two'))])
    t.same(
      replies.map(({ status }) => status),
      [200, 200],
    )
    const [first, second, ...requested] = opened.asked
    t.same(
      [first, second, requested.toSorted()],
      ['held1', 'held2', ['one', 'two']],
      'half of the places are for requests',
    )
    opened.answer('held1')
    await until(() => opened.asked.includes('held3'))
  },
)

t.test('a summary that a compaction waits for is written before others that are prepared', async (t) => {
  const opened = await open(t, { PRECIS_CONCURRENCY: '4', PRECIS_QUEUE: '0' })
  await prepareThree(opened)
  await opened.prepare(session('held4'))
  t.match((await opened.plan(session('held4', 11))).body.prepared, { use: 'whole', isReady: false })
  const compacted = opened.compact(session('held4', 11))
  await until(() => opened.asked.includes('held4'))
  t.same(opened.asked, ['held1', 'held2', 'held4'])
  opened.answer('held4')
  t.match((await compacted).body.report.prepared, { use: 'whole' })
})

const REDIS = { skip: SKIP_WITHOUT_REDIS }

t.test(
  'a compaction that may use nothing else waits for a summary whose turn comes in another replica; others write their own',
  REDIS,
  async (t) => {
    const { url } = await startRedis(t)
    const environment = {
      ...{ PRECIS_CONCURRENCY: '4', PRECIS_QUEUE: '0' },
      PRECIS_STORE_KEY: 'a secret of all replicas, 32 characters',
    }
    const one = await open(t, environment, url)
    const other = await open(t, environment, url)
    await prepareThree(one)
    const patient = other.compact({ ...session('held3'), prepared: 'only' })
    const compacted = other.compact(session('held3'))
    await until(() => other.asked.length > 0)
    other.answer('held3')
    const { status, body } = await compacted
    t.same([status, body.report.prepared], [200, undefined], 'it does not wait for the queue of the first one')
    t.match((await other.prepare(session('held3'))).body, { state: 'nothing', reason: 'prepared' }, 'it is due there')
    one.answer('held1')
    await until(() => one.asked.includes('held3'))
    t.match((await other.plan(session('held3', 11))).body.prepared, { use: 'whole', isReady: false })
    one.answer('held3')
    t.match((await patient).body.report.prepared, { use: 'whole' })
    t.match((await other.compact(session('held3', 11))).body.report.prepared, { use: 'whole' })
    t.same([one.asked, other.asked], [['held1', 'held2', 'held3'], ['held3']])
  },
)
