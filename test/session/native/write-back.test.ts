import type { FastifyInstance } from 'fastify'
import t from 'tap'
import type { CompactionReply } from '../../../src/schemas/compaction-reply.ts'
import type { PlanReply } from '../../../src/schemas/plan.ts'
import { SESSIONS } from '../../support/agent-sessions.ts'
import { readSample } from '../../support/read-document.ts'
import { startApp } from '../../support/start-app.ts'

interface Context {
  messages: { role: string; content: unknown }[]
}

/** Posts a document as curl does, without a content type of its own. */
async function post(app: FastifyInstance, url: string, payload: string) {
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  const reply = await app.inject({ method: 'POST', url, headers, payload })
  if (reply.statusCode !== 200) throw new Error(`${url}: ${reply.statusCode} ${reply.body}`)
  return reply
}

const read = async <T>(app: FastifyInstance, url: string, payload: string): Promise<T> =>
  (await post(app, url, payload)).json()

/** Returns what a session is after its compaction has been written back. */
async function writtenBack(app: FastifyInstance, document: string, query: string): Promise<string> {
  const { body, headers } = await post(app, `/compaction?reply=native&${query}`, document)
  return headers['x-precis-native'] === 'append' ? document + body : body
}

/** Returns the same session in the format of pi, with the compaction as its last entry. */
async function compactedInPi(app: FastifyInstance, document: string, reply: CompactionReply): Promise<string> {
  const url = '/prune?protectTokens=1000000'
  const { entries } = await read<{ entries: { id?: string; type: string }[] }>(app, url, document)
  const { summary, firstKeptEntryId, details } = reply
  const compaction = { type: 'compaction', id: 'compaction', summary, firstKeptEntryId, details }
  const branch = [...entries.filter(({ type }) => type !== 'session'), compaction]
    // Session version 1 has no ids: an entry has its position.
    .map((entry, at) => ({ ...entry, id: entry.id ?? `e${at}`, parentId: undefined }))
  return JSON.stringify({ entries: branch, settings: { keepRecentTokens: 1 } })
}

/** What a session is to the next compaction. */
async function outcome(app: FastifyInstance, document: string) {
  const { messages } = await read<Context>(app, '/context', document)
  const url = '/compaction/plan?keepRecentTokens=1'
  const { isSplitTurn, hasPreviousSummary, details, tokensKept } = await read<PlanReply>(app, url, document)
  const shown = messages.map(({ role, content }) => ({ role, content }))
  return { shown, isSplitTurn, hasPreviousSummary, details, tokensKept }
}

for (const [format, document] of Object.entries(SESSIONS)) {
  for (const [kept, end] of [
    ['the newest turn', ''],
    ['the newest turn', '\n'],
    ['one message', '&'],
  ] as const)
    t.test(
      `${format}: a session that keeps ${kept} reads as after a compaction in pi${JSON.stringify(end)}`,
      async (t) => {
        const { app } = await startApp(t)
        const query = end === '&' ? 'keepRecentTokens=1' : 'keepRecentTokens=50'
        const posted = end === '\n' ? `${document}\n` : document
        const reply = await read<CompactionReply>(app, `/compaction?native=true&${query}`, posted)
        const written = await writtenBack(app, posted, query)
        const [found, expected] = [
          await outcome(app, written),
          await outcome(app, await compactedInPi(app, posted, reply)),
        ]
        t.strictSame(found, expected)
        t.equal(found.hasPreviousSummary, true)
      },
    )
}

const SAMPLES = [
  'claude-code/session-1.0.98.jsonl',
  'claude-code/session-2.1.330-with-compact.jsonl',
  'claude-code/session-2.1.330-subagent.jsonl',
  'codex/rollout-0.120.0-tools-patch-image-compact-v1.jsonl',
  'codex/rollout-0.120.0-compacted-to-user-message.jsonl',
  'codex/rollout-0.169.0-tools-image-compact-v2.jsonl',
  'gemini/gemini-cli-0.61.0-session-with-compress.jsonl',
  'qwen-code/qwen-code-0.24.4-session-with-compress.jsonl',
  'opencode/opencode-1.18.33-export-two-compactions.json',
  'cline/cline-3.0.65-session.messages.json',
  'cline/repo-fixture-session.messages.json',
  'cline/repo-fixture-agentic.compaction.json',
]

for (const path of SAMPLES) {
  const document = readSample(path)
  t.test(`${path} reads as after a compaction in pi`, { skip: document === undefined }, async (t) => {
    const { app } = await startApp(t)
    const posted = document ?? ''
    for (const query of ['keepRecentTokens=1', 'keepRecentTokens=300']) {
      const reply = await read<CompactionReply>(app, `/compaction?${query}`, posted)
      if ((reply.tokensAfter ?? 0) >= (reply.tokensBefore ?? 0)) continue
      const written = await writtenBack(app, posted, query)
      t.strictSame(await outcome(app, written), await outcome(app, await compactedInPi(app, posted, reply)), query)
    }
  })
}
