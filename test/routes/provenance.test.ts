import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import t from 'tap'
import type { CompactionReply } from '../../src/schemas/compaction-reply.ts'
import type { Summarizer } from '../../src/model/summarizer.ts'
import { startApp } from '../support/start-app.ts'

/** Real sessions that lie beside a checkout, the sessions of our tests, and the example. */
const FOLDERS = [
  '../../../shared/sessions/',
  '../../../shared/agents/samples/',
  '../fixtures/formats/',
  '../../examples/',
]

const sessions = FOLDERS.map((name) => new URL(name, import.meta.url))
  .filter((folder) => existsSync(folder))
  .flatMap((folder) => readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => new URL(name, folder)))
  .filter((file) => statSync(file).isFile() && /\.(?:jsonl?|traj|md)$/.test(file.pathname))

const EMBEDDED: Summarizer = { name: 'embedded', windowTokens: () => 128_000 }

t.test('all that the embedded summarizer writes has a place in the session', async (t) => {
  const { app } = await startApp(t, { summarizer: EMBEDDED })
  let summaries = 0
  for (const file of sessions)
    for (const keepRecentTokens of [0, 20_000]) {
      const url = `/compaction?include=provenance&keepRecentTokens=${keepRecentTokens}`
      const headers = { 'content-type': 'application/octet-stream' }
      const response = await app.inject({ method: 'POST', url, headers, payload: readFileSync(file) })
      // Some are too short, and some have no session.
      if (response.statusCode !== 200) continue
      const { provenance } = response.json<CompactionReply>()
      if (provenance === undefined) continue
      summaries += 1
      const nowhere = provenance.facts.filter(({ count }) => count === 0).map(({ text }) => text)
      if (nowhere.length > 0) t.same(nowhere, [], file.pathname)
    }
  t.ok(summaries >= 20, `${summaries} summaries`)
})

t.test('what a summary invents stands nowhere, and what only covered entries have does not', async (t) => {
  const { app } = await startApp(t, { summarizer: EMBEDDED })
  const message = (id: string, parentId: string | null, text: string) => ({
    ...{ type: 'message', id, parentId },
    message: { role: 'user', content: [{ type: 'text', text }] },
  })
  const entries = [
    message('a', null, 'Never touch lib/old.ts.'),
    message('b', 'a', 'Go on.'),
    { type: 'compaction', id: 'c', parentId: 'b', summary: 'Nothing yet.', firstKeptEntryId: 'b', tokensBefore: 9 },
    message('d', 'c', 'Fix src/new.ts.'),
    message('e', 'd', 'Thanks.'),
  ]
  const body = {
    entries,
    settings: { keepRecentTokens: 1 },
    summary: 'See lib/old.ts, src/new.ts and src/invented.ts.',
  }
  const response = await app.inject({ method: 'POST', url: '/compaction?include=provenance', payload: body })
  t.strictSame(response.json<CompactionReply>().provenance, {
    facts: [
      { text: 'lib/old.ts', kind: 'path', entryIds: ['a'], count: 1 },
      { text: 'src/new.ts', kind: 'path', entryIds: ['d'], count: 1 },
      { text: 'src/invented.ts', kind: 'path', entryIds: [], count: 0 },
    ],
    entryFacts: { a: 1, d: 1 },
  })
})
