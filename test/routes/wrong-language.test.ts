import { existsSync, readdirSync, readFileSync } from 'node:fs'
import t, { type Test } from 'tap'
import { readSettings } from '../../src/settings.ts'
import { createSummarizer } from '../../src/model/create-summarizer.ts'
import { REQUIRED_SECTIONS } from '../../src/prompt/templates.ts'
import { detectLanguage } from '../../src/summary/checks/detect-language.ts'
import type { Summarizer } from '../../src/model/summarizer.ts'
import { startModelServer } from '../support/model-server.ts'
import { startApp, templates } from '../support/start-app.ts'

const SESSION = readFileSync(new URL('../../examples/session.jsonl', import.meta.url), 'utf8')

/** A summary with all headings that were asked for, and the prose of a language below them. */
function summaryIn(code: string, prompt: string): string {
  const prose = readFileSync(new URL(`../fixtures/prose/${code}.txt`, import.meta.url), 'utf8')
  const items = prose.split('\n').filter((line) => line !== '' && !/^(?:#|```|for \()/.test(line))
  const kind = prompt.includes('## Early Progress') ? 'turn-prefix' : 'history'
  return REQUIRED_SECTIONS[kind].map((heading, index) => `${heading}\n${items[index] ?? '(none)'}`).join('\n\n')
}

async function compact(t: Test, summarizer: Summarizer, { body = SESSION, query = '' } = {}) {
  const { app } = await startApp(t, { summarizer })
  const type = body.startsWith('{') && body.includes('}\n{') ? 'application/x-ndjson' : 'application/json'
  return app.inject({ method: 'POST', url: `/compaction${query}`, headers: { 'content-type': type }, payload: body })
}

const DEMAND = /It is written in German, but the user writes in English\./

/** A model that writes in one language, and in another one if it is asked for a repair. */
async function startModel(t: Test, code: string, repaired: string) {
  const server = await startModelServer(t, ({ body }) => {
    const prompt = JSON.stringify(body)
    return { text: summaryIn(DEMAND.test(prompt) ? repaired : code, prompt) }
  })
  return { server, summarizer: await createSummarizer(readSettings({ OPENAI_BASE_URL: server.url }), templates) }
}

t.test('a German summary for users who write English is repaired by one further call', async (t) => {
  const { server, summarizer } = await startModel(t, 'de', 'en')
  const { report } = (await compact(t, summarizer, { query: '?keepRecentTokens=20000' })).json()
  const demands = server.requests.filter(({ body }) => DEMAND.test(JSON.stringify(body)))
  t.equal(demands.length, 1)
  t.match(report, { calls: server.requests.length, checks: { language: { expected: 'en' }, repaired: 1 } })
})

t.test('an English summary for users who write English needs no further call', async (t) => {
  const { server, summarizer } = await startModel(t, 'en', 'de')
  const { report } = (await compact(t, summarizer)).json()
  t.match(report, { calls: server.requests.length, checks: { language: { expected: 'en', found: 'en' }, repaired: 0 } })
})

t.test('an extract is never in a wrong language: it quotes the user and the agent', async (t) => {
  const message = (role: string, text: string) => ({
    type: 'message',
    message: { role, content: [{ type: 'text', text }] },
  })
  const read = (code: string): string =>
    readFileSync(new URL(`../fixtures/prose/${code}.txt`, import.meta.url), 'utf8')
      .split('\n\n')
      .at(-1) ?? ''
  const answers = Array.from({ length: 8 }, () => message('assistant', read('en')))
  const body = JSON.stringify({
    entries: [message('user', read('de').slice(0, 900)), ...answers, message('user', 'Weiter.')],
    settings: { keepRecentTokens: 10 },
  })
  const embedded = await createSummarizer(readSettings({}), templates)
  const { report } = (await compact(t, embedded, { body })).json()
  t.match(report, { model: 'embedded', checks: { language: { expected: 'de', found: null } } })
})

/** Sessions of real agents that are beside a checkout; they are not part of the project. */
const SHARED = new URL('../../../shared/', import.meta.url)
const listFiles = (): string[] =>
  ['sessions', 'agents/samples'].flatMap((folder) =>
    readdirSync(new URL(folder, SHARED), { recursive: true, encoding: 'utf8' }).map((file) => `${folder}/${file}`),
  )
const files = existsSync(SHARED) ? listFiles().filter((file) => /\.(?:jsonl|json|traj)$/.test(file)) : []

t.test(
  'no extract of a real session is found to be in another language than the user writes',
  { skip: files.length === 0 && 'no real sessions beside this checkout' },
  async (t) => {
    const embedded = await createSummarizer(readSettings({}), templates)
    for (const file of files) {
      const body = readFileSync(new URL(file, SHARED), 'utf8')
      const response = await compact(t, embedded, { body, query: '?keepRecentTokens=10' })
      if (response.statusCode !== 200) continue
      const { summary, report } = response.json()
      const { expected, found } = report.checks.language ?? {}
      const ofWhole = detectLanguage(summary)
      t.ok(
        expected === null || (found ?? ofWhole ?? expected) === expected,
        `${file}: ${expected}, ${found}, ${ofWhole}`,
      )
    }
  },
)
