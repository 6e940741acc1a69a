import t from 'tap'
import { createSummarizer } from '../../src/model/create-summarizer.ts'
import { readSettings } from '../../src/settings.ts'
import { startModelServer } from '../support/model-server.ts'
import { startApp, templates } from '../support/start-app.ts'

const SUMMARY = '## Goal\nFix it.\n\n## Progress\nNothing was done yet.'

t.test('the calls and tokens of a cached answer are those of the request that has caused them', async (t) => {
  const server = await startModelServer(t, [{ text: SUMMARY }])
  const settings = readSettings({ OPENAI_BASE_URL: server.url, PRECIS_MODEL: 'a' })
  const { app, log } = await startApp(t, { settings, summarizer: await createSummarizer(settings, templates) })
  const payload = { messages: [{ role: 'user', content: 'Fix it. '.repeat(200) }], settings: { keepRecentTokens: 1 } }
  const send = async () =>
    (await app.inject({ method: 'POST', url: '/handoff', payload })).json<{
      report: { calls: number; usage: { inputTokens: number; outputTokens: number } }
    }>().report
  const [first, second] = [await send(), await send()]
  t.equal(server.requests.length, first.calls)
  t.ok(first.calls > 0 && first.usage.inputTokens > 0)
  t.same([second.calls, second.usage], [0, { inputTokens: 0, outputTokens: 0 }])
  const lines = log()
    .split('\n')
    .filter((line) => line.includes('"msg":"request"'))
    .map((line) => JSON.parse(line) as Record<string, unknown>)
  t.same(
    lines.map(({ calls, inputTokens, outputTokens }) => [calls, inputTokens, outputTokens]),
    [
      [first.calls, first.usage.inputTokens, first.usage.outputTokens],
      [0, 0, 0],
    ],
  )
})
