import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { Value } from '@sinclair/typebox/value'
import t from 'tap'
import { readSettings } from '../src/settings.ts'
import { createSummarizer } from '../src/model/create-summarizer.ts'
import type { Summarizer } from '../src/model/summarizer.ts'
import { CompactionReplySchema } from '../src/schemas/compaction-reply.ts'
import { ContextReplySchema } from '../src/schemas/context.ts'
import { HandoffReplySchema } from '../src/schemas/handoff.ts'
import { PlanReplySchema } from '../src/schemas/plan.ts'
import { PruneReplySchema } from '../src/schemas/prune.ts'
import { startModelServer } from './support/model-server.ts'
import { startApp } from './support/start-app.ts'
import { templates } from './support/templates.ts'

/** Real sessions that lie beside a checkout; they are not the project's to hand on. */
const FOLDER = new URL('../../shared/sessions/', import.meta.url)
const files = existsSync(FOLDER) ? readdirSync(FOLDER).filter((name) => name.endsWith('.jsonl')) : []

/** The two small ones fit the default budget whole. */
const KEEP: Record<string, number> = { 'pi-v1-large.jsonl': 20_000 }

/** Files of the plan that a command has deleted since: a summary leaves them out (planning rule 9). */
const DELETED: Record<string, string> = { 'pi-v1-large.jsonl': '~/.pi/agent/themes/nord.json' }

const ROUTES = [
  ['/compaction', CompactionReplySchema],
  ['/compaction/plan', PlanReplySchema],
  ['/prune', PruneReplySchema],
  ['/context', ContextReplySchema],
  ['/handoff', HandoffReplySchema],
] as const

const embedded = await createSummarizer(readSettings({}), templates)

if (files.length === 0)
  t.test(
    'real sessions pass through every route',
    { skip: 'no real sessions beside this checkout' },
    async () => undefined,
  )

for (const file of files) {
  const body = readFileSync(new URL(file, FOLDER), 'utf8')
  const query = `?keepRecentTokens=${KEEP[file] ?? 100}`

  const postAll = async (app: Awaited<ReturnType<typeof startApp>>['app'], path: string) =>
    app.inject({
      method: 'POST',
      url: path + query,
      headers: { 'content-type': 'application/x-ndjson' },
      payload: body,
    })

  t.test(`${file} passes through every route with the embedded summarizer`, async (t) => {
    const { app } = await startApp(t, { summarizer: embedded })
    const replies = []
    for (const [path, schema] of ROUTES) {
      const response = await postAll(app, path)
      t.equal(response.statusCode, 200, path)
      replies.push(response.json())
      t.ok(Value.Check(schema, replies.at(-1)), `${path} replies in its form`)
    }
    const [reply, plan] = replies
    t.equal(reply.firstKeptEntryId, plan.firstKeptEntryId, 'the plan and the compaction agree')
    const existing = (names: string[]): string[] => names.filter((name) => name !== DELETED[file])
    t.strictSame(reply.details, {
      readFiles: existing(plan.details.readFiles),
      modifiedFiles: existing(plan.details.modifiedFiles),
    })
    t.match(reply, {
      report: { model: 'embedded', strategy: 'embedded', calls: 0 },
      tokensBefore: Number,
      tokensAfter: Number,
    })
  })

  t.test(`${file} is compacted through a model server`, async (t) => {
    const server = await startModelServer(t, ['## Goal\nGo on.\n\n<short-summary>I went on.</short-summary>'])
    const summarizer: Summarizer = await createSummarizer(readSettings({ OPENAI_BASE_URL: server.url }), templates)
    const { app } = await startApp(t, { summarizer })
    const reply = (await postAll(app, '/compaction')).json()
    t.match(reply, { summary: /^## Goal\nGo on\./, shortSummary: 'I went on.', firstKeptEntryId: String })
    t.equal(reply.report.calls, server.requests.length)
    for (const { body } of server.requests) {
      const [, user] = body['messages'] as { content: string }[]
      t.equal(user?.content.split('<conversation>').length, 2, 'one pair of tags a prompt')
    }
  })
}

t.test(
  'both leaves of a real tree: the branch that was left is summarized',
  { skip: files.length === 0 },
  async (t) => {
    const { app } = await startApp(t, { summarizer: embedded })
    const entries = readFileSync(new URL('pi-1.5.2-session.jsonl', FOLDER), 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    const payload = { entries, fromId: '810498bc', targetId: '2396231a' }
    const reply = (await app.inject({ method: 'POST', url: '/branch-summary', payload })).json()
    t.equal(reply.commonAncestorId, '5324efad')
    t.equal(reply.entryIds.at(-1), '810498bc')
    t.strictSame(reply.details, { readFiles: [], modifiedFiles: ['b.txt'] })
  },
)
