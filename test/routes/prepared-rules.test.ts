import { readdirSync, readFileSync } from 'node:fs'
import t, { type Test } from 'tap'
import { Problem } from '../../src/errors.ts'
import type { ReadTask } from '../support/fake-summarizer.ts'
import { fakeSummarizer } from '../support/fake-summarizer.ts'
import { openHooks } from '../support/open-hooks.ts'
import { bodyOf, numberedModel, poster, SETTINGS, writeSummary } from '../support/preparing.ts'
import { startApp, type StartOptions } from '../support/start-app.ts'
import { until } from '../support/until.ts'

/** A service whose model answers as it is told. */
async function open(
  t: Test,
  options: StartOptions = {},
  answer: (task: ReadTask) => Promise<string> = numberedModel().answer,
) {
  const summarizer = fakeSummarizer(answer)
  const { app, log } = await startApp(t, { summarizer, ...options })
  const count = (outcome: string): number => log().split(`"outcome":"${outcome}"`).length - 1
  return {
    ...poster(app),
    app,
    log,
    summarizer,
    ended: (outcome: string, most = 1) => until(() => count(outcome) === most),
  }
}

t.test('a summary that was written with what a hook has added is used with the same addition only', async (t) => {
  const hooks = await openHooks(
    t,
    `let calls = 0
    export function compacting() { calls += 1; return { context: [calls < 4 ? 'Rule one.' : 'Rule two.'] } }`,
    { processes: 1 },
  )
  const { prepare, compact, ended, summarizer } = await open(t, { hooks })
  await prepare(bodyOf(10))
  await ended('ready')
  t.match(summarizer.tasks[0]?.prompt, /Rule one\./)
  const useOf = async () => (await compact(bodyOf(11))).body.report.prepared?.use
  t.same([await useOf(), await useOf(), await useOf()], ['whole', 'whole', undefined])
})

t.test('a summary that was prepared without hooks is not used by a service with one that adds nothing', async (t) => {
  const source = 'export function compacting() { return {} }'
  const [one, other] = [await openHooks(t, source), await openHooks(t, `${source} // changed`)]
  t.not(one.digest, other.digest, 'a change of the module is a change of the rules')
})

t.test('the parts of one text come from one summary, also if a preparation ends between them', async (t) => {
  const answers = new Map<string, string>()
  const { app, prepare, ended, summarizer } = await open(t, {}, async ({ prompt }) => {
    // As the cache of a service does: the same prompt has the same answer.
    const known = answers.get(prompt) ?? writeSummary(`Summary ${answers.size} of these.`)
    answers.set(prompt, known)
    return known
  })
  const part = async (number: number) => {
    const { headers, body } = await app.inject({
      method: 'POST',
      url: `/compaction?reply=text&maxChars=400&part=${number}`,
      payload: bodyOf(11),
    })
    return { of: headers['x-precis-summary'], body }
  }
  const first = await part(1)
  const { length: calls } = summarizer.tasks
  t.equal((await prepare(bodyOf(10))).status, 202)
  await ended('ready')
  const second = await part(2)
  t.equal(second.of, first.of)
  t.ok(calls > 0)
  t.match((await poster(app).compact(bodyOf(11))).body.report.prepared, { use: 'whole' }, 'any other request uses it')
})

t.test('a compaction that waits for a preparation which fails writes its own summary', async (t) => {
  let fail = (): void => undefined
  let isFirst = true
  const { prepare, compact, plan, ended, summarizer } = await open(t, {}, async () => {
    if (!isFirst) return writeSummary('Own summary.')
    isFirst = false
    return new Promise<string>((_resolve, reject) => {
      fail = () => {
        reject(new Error('The model breaks.'))
      }
    })
  })
  await prepare(bodyOf(10))
  await until(() => summarizer.tasks.length > 0)
  t.match((await plan(bodyOf(11))).body.prepared, { use: 'whole', isReady: false })
  const compacted = compact(bodyOf(11))
  await new Promise((resolve) => setImmediate(resolve))
  fail()
  await ended('failed')
  const { status, body } = await compacted
  t.same([status, body.report.prepared], [200, undefined])
  t.match(body.summary, /Own summary/)
  t.equal((await plan(bodyOf(11))).body.prepared, undefined, 'a plan does not promise it either')
  t.match((await prepare(bodyOf(10))).body, { state: 'nothing', reason: 'failed' })
})

t.test('the log says how the calls of a preparation that failed have ended', async (t) => {
  const facts = { model: 'm', outcome: 'refused-key', upstreamStatus: 401 }
  const { prepare, log, ended } = await open(t, {}, () =>
    Promise.reject(new Problem('model-misconfigured', 'm: the model server rejected the API key.', { facts })),
  )
  await prepare(bodyOf(10))
  await ended('refused-key')
  t.match(log(), /"problem":"model-misconfigured",[^\n]*"upstreamStatus":401,[^\n]*"msg":"no summary prepared"/)
})

t.test('a service that drains ends what it prepares, and its log says so', async (t) => {
  const { app, prepare, log, summarizer } = await open(t, {}, () => new Promise<string>(() => undefined))
  await prepare(bodyOf(10))
  await until(() => summarizer.tasks.length > 0)
  await app.close()
  t.match(log(), /"route":"\/compaction\/prepare","outcome":"cancelled"[^\n]*"problem":"draining"/)
})

t.test(
  'without a window, a prepared summary keeps at most 15 % of the threshold more, or else of the context',
  async (t) => {
    const { prepare, compact, ended } = await open(t, {
      summarizer: { ...fakeSummarizer(numberedModel().answer), windowTokens: () => 1_000_000 },
    })
    const { contextWindow: _window, ...settings } = SETTINGS
    await prepare(bodyOf(10, { settings }))
    await ended('ready')
    const useOf = async (count: number, more: object = {}) =>
      (await compact(bodyOf(count, { settings: { ...settings, ...more } }))).body.report.prepared?.use
    t.same([await useOf(11), await useOf(15)], ['whole', 'earlier'])
    t.equal(await useOf(15, { thresholdTokens: 20_000 }), 'whole')
  },
)

t.test('the plan has the cut and the prompts of the compaction that follows it', async (t) => {
  const opened = await open(t)
  const planAndCompact = async (count: number) => {
    const plan = await opened.app.inject({
      method: 'POST',
      url: '/compaction/plan?include=prompts',
      payload: bodyOf(count),
    })
    const { prompts, firstKeptEntryId, promptTokens, windows } = plan.json()
    const { length: before } = opened.summarizer.tasks
    const { body } = await opened.compact(bodyOf(count))
    const sent = opened.summarizer.tasks.slice(before)
    t.same(
      { prompts: prompts.map(({ prompt }: ReadTask) => prompt), firstKeptEntryId, windows },
      { prompts: sent.map(({ prompt }) => prompt), firstKeptEntryId: body.firstKeptEntryId, windows: sent.length },
    )
    t.equal(promptTokens > 0, sent.length > 0)
    return body.report.prepared?.use
  }
  t.equal(await planAndCompact(10), undefined)
  await opened.prepare(bodyOf(10))
  await opened.ended('ready')
  t.equal(await planAndCompact(11), 'whole')
  t.equal(await planAndCompact(15), 'earlier')
})

t.test('`prepared: only` is refused for a prompt and a transcript, which are never prepared', async (t) => {
  const { compact } = await open(t)
  for (const form of [{ prompt: 'Summarize.' }, { conversation: '[User]: Hello.' }]) {
    const { status, body } = await compact({ ...form, prepared: 'only' })
    t.match(
      { status, ...body },
      { status: 409, type: /not-prepared$/, detail: /Send the session to \/compaction\/prepare/ },
    )
    t.equal((await compact({ ...form, prepared: 'never' })).status, 200)
  }
})

t.test('the messages of a client without ids are the same as long as they begin alike', async (t) => {
  const { prepare, compact, ended } = await open(t)
  const messages = (count: number) =>
    Array.from({ length: count }, (_, turn) => [
      { role: 'user', content: `Request ${turn}.` },
      { role: 'assistant', content: `Done with ${turn}. ${'word '.repeat(150)}` },
    ]).flat()
  const of = (count: number) => ({ messages: messages(count), settings: SETTINGS })
  await prepare(of(12))
  await ended('ready')
  t.match((await compact(of(13))).body.report.prepared, { use: 'whole' })
  const other = of(13)
  t.equal((await compact({ ...other, messages: other.messages.slice(2) })).body.report.prepared, undefined)
})

const FOLDER = new URL('../fixtures/formats/', import.meta.url)

t.test('the session files of all agents are prepared, and their compactions use it', async (t) => {
  const used: string[] = []
  const { app, ended, summarizer } = await open(t, {}, async () => writeSummary('A summary.'))
  for (const name of readdirSync(FOLDER)) {
    const payload = readFileSync(new URL(name, FOLDER), 'utf8')
    const headers = { 'content-type': 'application/x-ndjson' }
    const post = (path: string) => app.inject({ method: 'POST', url: `${path}?keepRecentTokens=1`, headers, payload })
    const prepared = await post('/compaction/prepare')
    if (prepared.statusCode === 200) {
      // Some of these files begin with the session of another one.
      t.match(prepared.json().reason, /^(?:too-small|prepared)$/, name)
      continue
    }
    t.equal(prepared.statusCode, 202, name)
    used.push(name)
    await ended('ready', used.length)
    const { length: calls } = summarizer.tasks
    const compacted = await post('/compaction')
    t.match(
      compacted.json(),
      { firstKeptEntryId: prepared.json().firstKeptEntryId, report: { prepared: { use: 'whole' } } },
      name,
    )
    t.equal(summarizer.tasks.length, calls, name)
  }
  t.ok(used.length > 20)
})
