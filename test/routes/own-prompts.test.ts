import { pathToFileURL } from 'node:url'
import t from 'tap'
import { JobRunner } from '../../src/jobs/job-runner.ts'
import { surveyMessages } from '../../src/use-cases/compress/compress-messages.ts'
import type { Prompts } from '../../src/prompt/load-prompts.ts'
import { WorkerPool } from '../../src/runtime/worker-pool.ts'
import { compiled } from '../support/compile-source.ts'
import { fakeSummarizer } from '../support/fake-summarizer.ts'
import { conversation } from '../support/gateway.ts'
import { startApp, templates } from '../support/start-app.ts'

const WORKER = pathToFileURL(compiled('src/worker.ts'))

const SUMMARY = 'Answer with this heading, in at most {{tokens}} tokens.\n\n## Risks\nWhat may go wrong.'
const texts = { summary: SUMMARY }
const PROMPTS: Prompts = { templates: { ...templates, ...texts }, replaced: { texts, digest: 'abc123' } }

const sessionOf = (length: number) => ({
  messages: [
    { role: 'user', content: 'Move the parser.' },
    { role: 'assistant', content: 'The parser has moved. '.repeat(length) },
    { role: 'user', content: 'And now the lexer.' },
  ],
  settings: { keepRecentTokens: 1 },
})

t.test('a prompt of the operator is sent, its headings are the form, and the report names its hash', async (t) => {
  const pool = new WorkerPool({ script: WORKER, workers: 1, memoryMb: 512 })
  t.teardown(() => {
    pool.close()
  })
  for (const [where, length] of [
    ['the main process', 20],
    ['a worker', 2000],
  ] as const) {
    const summarizer = fakeSummarizer('## Risks\nThe lexer still reads the old path.')
    const { app } = await startApp(t, { summarizer, prompts: PROMPTS, jobs: new JobRunner(pool) })
    const response = await app.inject({ method: 'POST', url: '/compaction', payload: sessionOf(length) })
    const { summary, report } = response.json()
    t.match(
      summarizer.tasks.map(({ prompt }) => prompt),
      [/Answer with this heading, in at most \d+ tokens\./],
      where,
    )
    t.match(summary, /^## Risks\nThe lexer/m, where)
    t.notMatch(summary, '## Key Decisions', where)
    t.match(report, { prompts: 'abc123', checks: { sections: { missing: [] } }, calls: 1 }, where)
  }
})

t.test('with the prompts of the package, the report names no hash', async (t) => {
  const { app } = await startApp(t)
  const response = await app.inject({ method: 'POST', url: '/compaction', payload: sessionOf(20) })
  t.notOk('prompts' in response.json().report)
})

t.test('a stored cut of /v1/compress is found only with the same prompts', async (t) => {
  const fields = { messages: conversation(30) }
  const body = Buffer.from(JSON.stringify(fields))
  const keysOf = (rules: string) =>
    surveyMessages(
      { fields, body },
      { limitTokens: 2000, tokenDigest: 'c', rules, isBypassed: false },
    ).survey.points.map(({ key }) => key)
  t.same(keysOf(' abc'), keysOf(' abc'))
  t.ok(keysOf('').length > 0)
  t.notOk(keysOf('').some((key) => [...keysOf(' abc'), ...keysOf(' abd')].includes(key)))
})
