import t, { type Test } from 'tap'
import type { ModelSummarizer } from '../../src/model/summarizer.ts'
import { fakeSummarizer } from '../support/fake-summarizer.ts'
import { bodyOf, numberedModel, poster, SETTINGS } from '../support/preparing.ts'
import { startApp, type StartOptions } from '../support/start-app.ts'
import { until } from '../support/until.ts'

async function open(t: Test, { isHeld = false, ...options }: StartOptions & { isHeld?: boolean } = {}) {
  const model = numberedModel({ isHeld })
  const summarizer = fakeSummarizer(model.answer)
  const { app, log } = await startApp(t, { summarizer, ...options })
  const ended = (outcome: string, count: number) =>
    until(() => log().split(`"outcome":"${outcome}"`).length - 1 === count)
  return { ...poster(app), app, log, model, summarizer, ready: (count: number) => ended('ready', count), ended }
}

type Opened = Awaited<ReturnType<typeof open>>

/** Prepares the session of ten turns. */
async function prepareTen(opened: Opened, body: object = bodyOf(10)): Promise<{ calls: number; firstKept: string }> {
  const { status, body: reply } = await opened.prepare(body)
  if (status !== 202) throw new Error(`The status is ${status}.`)
  await opened.ready(1)
  return { calls: opened.summarizer.tasks.length, firstKept: String(reply.firstKeptEntryId) }
}

t.test('a summary is prepared in the background, and the next compaction of the session uses it at once', async (t) => {
  const opened = await open(t)
  const { calls, firstKept } = await prepareTen(opened)
  const grown = bodyOf(11)
  const planned = await opened.plan(grown)
  t.strictSame(planned.body.prepared, { use: 'whole', firstKeptEntryId: firstKept, isReady: true })
  const { status, body } = await opened.compact(grown)
  t.same([status, opened.summarizer.tasks.length], [200, calls], 'no model is called')
  t.equal(body.firstKeptEntryId, firstKept)
  t.match(body.report, { model: 'fake', prepared: { use: 'whole', ageMs: Number } })
  t.match(body.summary, /Summary \d of the/)
  const metrics = await opened.app.inject('/metrics')
  t.match(metrics.body, /precis_prepared_uses_total\{use="whole"\} 1/)
  t.match(metrics.body, /precis_prepared_summaries_total\{route="\/compaction\/prepare",outcome="ready"\} 1/)
})

t.test('a summary is paid for when it is written: its uses report no calls, no tokens and no repairs', async (t) => {
  const model = fakeSummarizer('A draft without headings.')
  const summarizer: ModelSummarizer = {
    ...model,
    // With its prompt, a draft can be repaired.
    summarize: async (task, budget) => ({ ...(await model.summarize(task, budget)), lastPrompt: task }),
  }
  const opened = await open(t, { summarizer })
  await prepareTen(opened)
  const metrics = async () => (await opened.app.inject('/metrics')).body
  const countIn = (text: string, name: string) => Number(new RegExp(`^${name} (\\d+)`, 'm').exec(text)?.[1] ?? 0)
  const prepared = await metrics()
  t.ok(countIn(prepared, 'precis_repairs_total') > 0)
  t.notMatch(prepared, /precis_compactions_total\{/, 'none was sent')
  for (let use = 0; use < 2; use++) {
    const { report } = (await opened.compact(bodyOf(11))).body
    t.match(report, { calls: 0, usage: { inputTokens: 0, outputTokens: 0 }, checks: { repaired: 0 } })
  }
  const used = await metrics()
  t.equal(countIn(used, 'precis_repairs_total'), countIn(prepared, 'precis_repairs_total'))
  const lines = opened.log().split('\n')
  const [line = ''] = lines.filter((one) => one.includes('"route":"/compaction",'))
  t.match(JSON.parse(line), { prepared: 'whole', calls: 0, inputTokens: 0, outputTokens: 0, repairs: 0 })
  const [written = ''] = lines.filter((one) => one.includes('"summary prepared"'))
  t.ok(JSON.parse(written).calls > 0)
  t.ok(JSON.parse(written).inputTokens > 0)
  const isAsking = (one: string): boolean => one.includes('"route":"/compaction/prepare"') && one.includes('"request"')
  t.equal(JSON.parse(written).reqId, JSON.parse(lines.find(isAsking) ?? '{}').reqId, 'the id of the request')
})

t.test(
  'the newest request, evidence and files of a summary that was prepared are those of the compaction',
  async (t) => {
    const opened = await open(t)
    await prepareTen(opened)
    const { body } = await opened.compact(bodyOf(11, { settings: { ...SETTINGS, recall: 'Call the tool recall.' } }))
    const direct = await opened.compact(bodyOf(11, { prepared: 'never' }))
    t.match(body.summary, /## User Messages\n[^]*Request 0:/)
    t.match(body.summary, /## Looking things up/)
    t.same(body.details.readFiles.length, direct.body.details.readFiles.length - 1, 'of one turn less')
  },
)

t.test(
  'one that is older than a step of the window is the earlier summary, and a model reads what came after it',
  async (t) => {
    const opened = await open(t)
    const { calls } = await prepareTen(opened)
    const grown = bodyOf(15)
    t.match((await opened.plan(grown)).body.prepared, { use: 'earlier', isReady: true })
    const { body } = await opened.compact(grown)
    t.match(body.report.prepared, { use: 'earlier' })
    const tasks = opened.summarizer.tasks.slice(calls)
    t.equal(tasks.length, 1)
    const [{ prompt } = { prompt: '' }] = tasks
    t.match(prompt, /<previous-summary>[^]*Summary \d of the/)
    t.notMatch(prompt, /\[User\]: Request 4:/)
    t.match(prompt, /\[User\]: Request 12:/)
    t.match(body.summary, /## User Messages\n[^]*Request 4:/, 'code reads the whole span')
    const direct = await opened.compact(bodyOf(15, { prepared: 'never' }))
    t.equal(body.firstKeptEntryId, direct.body.firstKeptEntryId, 'the cut is that of the request')
    t.equal(body.details.readFiles.length, direct.body.details.readFiles.length)
  },
)

t.test('a compaction waits for a summary that is being written, and asks no model itself', async (t) => {
  const opened = await open(t, { isHeld: true })
  await opened.prepare(bodyOf(10))
  await until(() => opened.model.held.length > 0)
  t.match((await opened.plan(bodyOf(11))).body.prepared, { use: 'whole', isReady: false })
  const compacted = opened.compact(bodyOf(11))
  const calls = opened.model.held.length
  await until(async () => {
    for (const answer of opened.model.held.splice(0)) answer()
    return opened.log().includes('"outcome":"ready"')
  })
  t.match((await compacted).body.report.prepared, { use: 'whole' })
  t.equal(opened.summarizer.tasks.length, calls)
})

t.test('`prepared: never` uses none, and `only` nothing else: 409 says what to do', async (t) => {
  const opened = await open(t)
  const refused = await opened.compact(bodyOf(11, { prepared: 'only' }))
  t.match(refused, {
    status: 409,
    body: { type: /not-prepared$/, detail: /POST the same body without `prepared` to \/compaction\/prepare/ },
  })
  const { calls } = await prepareTen(opened)
  t.match((await opened.compact(bodyOf(11, { prepared: 'only' }))).body.report.prepared, { use: 'whole' })
  t.match(await opened.compact(bodyOf(15, { prepared: 'only' })), { status: 409 }, 'this one would need a model')
  t.equal(opened.summarizer.tasks.length, calls)
  t.equal((await opened.compact(bodyOf(11, { prepared: 'never' }))).body.report.prepared, undefined)
  t.ok(opened.summarizer.tasks.length > calls)
})

t.test('there is nothing to prepare if it is too small, prepared already, or without a model', async (t) => {
  const opened = await open(t)
  t.match(await opened.prepare(bodyOf(1)), { status: 200, body: { state: 'nothing', reason: 'too-small' } })
  await prepareTen(opened)
  t.match(await opened.prepare(bodyOf(10)), { status: 200, body: { state: 'nothing', reason: 'prepared' } })
  t.match(await opened.prepare(bodyOf(11)), { status: 200, body: { state: 'nothing', reason: 'prepared' } })
  const embedded = await open(t, { summarizer: { name: 'embedded', windowTokens: () => 128_000 } })
  t.match(await embedded.prepare(bodyOf(10)), { status: 200, body: { state: 'nothing', reason: 'embedded' } })
  t.match(await embedded.compact(bodyOf(10, { prepared: 'only' })), { status: 409, body: { detail: /has no model/ } })
})

t.test('a later preparation reads only what is new, with its share of the budget', async (t) => {
  const opened = await open(t)
  const { calls } = await prepareTen(opened)
  t.match(await opened.prepare(bodyOf(15)), { status: 202 })
  await opened.ready(2)
  const [task, ...others] = opened.summarizer.tasks.slice(calls)
  t.same(others, [])
  t.match(task?.prompt, /<previous-summary>/)
  t.notMatch(task?.prompt, /\[User\]: Request 4:/)
  const { body } = await opened.compact(bodyOf(16))
  t.match(body.report.prepared, { use: 'whole' })
  t.match(body.summary, /## User Messages\n[^]*Request 6:/)
  t.equal(opened.summarizer.tasks.length, calls + 1)
})

t.test(
  'the plan says `prepare` from 0.7 of the threshold on, until a summary is there, and again after a step',
  async (t) => {
    const opened = await open(t)
    const action = async (count: number, fields: object = {}) =>
      (await opened.plan(bodyOf(count, { settings: { ...SETTINGS, thresholdTokens: 3500, ...fields } }))).body.action
    t.equal(await action(10), 'none')
    t.equal(await action(10, { prepareAt: 0.5 }), 'prepare')
    t.equal(await action(13), 'prepare')
    t.equal(await action(20), 'compact')
    const settings = { ...SETTINGS, thresholdTokens: 3500 }
    await opened.prepare(bodyOf(13, { settings }))
    await opened.ready(1)
    t.equal(await action(13), 'none')
    t.equal(await action(14), 'none')
    t.equal(await action(17), 'prepare', 'a step later')
  },
)
