import { pathToFileURL } from 'node:url'
import t from 'tap'
import { JobRunner } from '../../src/jobs/job-runner.ts'
import { WorkerPool } from '../../src/runtime/worker-pool.ts'
import { assistant, buildRawEntries, call, named, result, tokens, user } from '../support/build-entries.ts'
import { compiled } from '../support/compile-source.ts'
import { fakeSummarizer } from '../support/fake-summarizer.ts'
import { startApp } from '../support/start-app.ts'
import { startSummarizer } from '../support/start-summarizer.ts'

const SECRET = 'hunter2-Very-Secret'

/** Each form of a request has the secret with its name at one place only: at the end, in what stays. */
const MESSAGES = [
  { role: 'user', content: `The db accepts ${SECRET}.` },
  { role: 'assistant', content: `I connect with ${SECRET}.` },
  { role: 'user', content: `Then use DB_PASSWORD=${SECRET}` },
  { role: 'assistant', content: 'Done.' },
]

const FORMS: [url: string, payload: object][] = [
  ['/compaction', { messages: MESSAGES, settings: { keepRecentTokens: 8 } }],
  ['/compaction', { conversation: MESSAGES.map(({ content }) => `[User]: ${content}`).join('\n\n') }],
  ['/compaction', { prompt: MESSAGES.map(({ content }) => content).join('\n'), systemPrompt: `Hide ${SECRET}.` }],
  ['/handoff', { messages: MESSAGES, customInstructions: `Do not tell ${SECRET}.` }],
  ['/v1/chat/completions', { model: 'm', messages: [{ role: 'system', content: `Hide ${SECRET}.` }, ...MESSAGES] }],
  ['/v1/responses/compact', { model: 'm', input: MESSAGES }],
]

for (const [url, payload] of FORMS)
  t.test(
    `${url}, ${Object.keys(payload).join()}: a value that is named once is in no prompt and no reply`,
    async (t) => {
      const summarizer = fakeSummarizer(`## Goal\nConnect with ${SECRET}.`)
      const { app } = await startApp(t, { summarizer })
      const response = await app.inject({ method: 'POST', url, payload })
      t.equal(response.statusCode, 200, response.body)
      t.ok(summarizer.tasks.length > 0)
      const { summary, document } = response.json()
      const seen = JSON.stringify([summarizer.tasks, summary ?? document ?? ''])
      t.notMatch(seen, SECRET)
      t.match(seen, /accepts \[redacted:password\]/)
    },
  )

t.test(
  'include=entries and include=prompts show no value that is named elsewhere, and no secret argument',
  async (t) => {
    const { app } = await startApp(t)
    const entries = buildRawEntries([
      named('ask', user(`The db accepts ${SECRET}.`)),
      named('call', assistant('', [call('c', 'login', { password: SECRET })])),
      named('out', result('c', 'ok')),
      named('kept', user(tokens(30))),
    ])
    const url = '/compaction/plan?include=entries,prompts'
    const payload = { entries, settings: { keepRecentTokens: 30 } }
    const response = await app.inject({ method: 'POST', url, payload })
    t.notMatch(response.body, SECRET)
    t.strictSame(
      response
        .json()
        .entries.slice(0, 2)
        .map(({ text }: { text: string }) => text),
      ['The db accepts [redacted:password].', 'login [redacted:password]'],
    )
  },
)

t.test('a value that the model writes raw is neither in the report nor in the prompt of a repair', async (t) => {
  const german = (text: string): string => `Die Datenbank ${text} wird jetzt von uns für die neue Anwendung benutzt.`
  const prompts: string[] = []
  const summarizer = fakeSummarizer(({ prompt }) => {
    prompts.push(prompt)
    return `The database connects with \`${SECRET}\` and \`config/${SECRET}.ts\`.`
  })
  const { app } = await startApp(t, {
    summarizer: {
      ...summarizer,
      async summarize(task, budget) {
        const { prompt, promptTokens } = task
        return { ...(await summarizer.summarize(task, budget)), lastPrompt: { prompt, promptTokens } }
      },
    },
  })
  const messages = [{ role: 'user', content: german(`DB_PASSWORD=${SECRET}`) }, ...MESSAGES.slice(1)]
  const response = await app.inject({
    method: 'POST',
    url: '/compaction',
    payload: { messages, settings: { keepRecentTokens: 8 } },
  })
  t.equal(response.statusCode, 200, response.body)
  t.match(prompts.at(-1), /<first-draft>[^]*\[redacted:password\][^]*<\/first-draft>/)
  t.notMatch(JSON.stringify(prompts), SECRET)
  t.notMatch(response.body, SECRET)
  t.equal(response.json().report.checks.repaired, 1)
})

for (const place of ['this process', 'a worker'])
  t.test(`a value that the model writes raw of one chunk is not in the prompt of the merge, in ${place}`, async (t) => {
    const prompts: string[] = []
    const candidates = [{ model: 'first', contextWindow: 2500 }]
    const { summarizer } = await startSummarizer(
      t,
      ({ body }) => {
        prompts.push(JSON.stringify(body['messages']))
        return {
          text: `## Goal\nThe importer reads the rows of all files, and each step of the work is done.\n\n## Key Decisions\nThe database connects with ${SECRET}.`,
        }
      },
      { candidates, maxSummaryTokens: 400 },
    )
    const pool = new WorkerPool({ script: pathToFileURL(compiled('src/worker.ts')), workers: 1, memoryMb: 512 })
    t.teardown(() => {
      pool.close()
    })
    const jobs = new JobRunner(place === 'a worker' ? pool : undefined)
    const { app } = await startApp(t, { summarizer, jobs, settings: { maxSummaryTokens: 400 } })
    const steps = Array.from({ length: 60 }, (_, index) => ({
      role: index % 2 === 0 ? 'user' : 'assistant',
      content: `Step ${index}. ${'The importer reads a row. '.repeat(30)}`,
    }))
    const response = await app.inject({
      method: 'POST',
      url: '/compaction',
      payload: { messages: [...steps, ...MESSAGES], settings: { keepRecentTokens: 8 } },
    })
    t.equal(response.statusCode, 200, response.body)
    const merges = prompts.filter((prompt) => prompt.includes('--- Part 1 of'))
    t.ok(merges.length > 0 && prompts.length - merges.length > 1)
    for (const prompt of merges) t.match(prompt, /The database connects with \[redacted:password\]\./)
    t.notMatch(prompts.join(), SECRET)
    t.notMatch(response.body, SECRET)
  })
