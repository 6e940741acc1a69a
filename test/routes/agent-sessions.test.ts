import { readFileSync, readdirSync } from 'node:fs'
import type { FastifyInstance } from 'fastify'
import t from 'tap'
import { readSample } from '../support/read-document.ts'
import { fakeSummarizer } from '../support/fake-summarizer.ts'
import { startApp } from '../support/start-app.ts'

/** Sessions that real clients wrote, and that the service must read. */
const SAMPLES = [
  ...['claude-code/session-2.1.39-4d5611e5.jsonl', 'claude-code/session-2.1.39-ae4a77f8.jsonl'],
  ...['claude-code/session-1.0.98.jsonl', 'claude-code/session-2.1.330-with-compact.jsonl'],
  ...['claude-code/session-2.1.330-subagent.jsonl', 'codex/rollout-0.120.0-compacted-to-user-message.jsonl'],
  ...['codex/rollout-0.120.0-tools-patch-image-compact-v1.jsonl', 'codex/rollout-legacy-2025-bare.jsonl'],
  ...['codex/rollout-0.169.0-tools-image-compact-v2.jsonl', 'openai-responses/codex-0.120.0-request.json'],
  ...['openai-responses/codex-0.120.0-compact-request.json', 'openhands/v0-trajectory-basic.json'],
  ...['openai-responses/codex-0.169.0-compaction-trigger-request.json', 'openhands/v1-sdk-events.jsonl'],
  ...['openai-chat/opencode-1.18.33-turn-request.json', 'openai-chat/opencode-1.18.33-compaction-request.json'],
  ...['openai-chat/opencode-1.18.33-compaction-update-request.json', 'swe-agent/function_calling_simple.traj'],
  ...['anthropic-messages/claude-code-2.1.330-compaction-request.json', 'aider/chat-history-session.md'],
  ...['anthropic-messages/claude-code-2.1.330-first-request-after-compaction.json', 'atif/harbor_openhands.json'],
  ...['anthropic-messages/claude-code-2.1.330-turn-request.json', 'atif/multi_tool_trajectory.json'],
  ...['gemini/gemini-cli-0.61.0-session-with-compress.jsonl', 'atif/parallel_tools_mixed_results.json'],
  ...['gemini/gemini-cli-0.61.0-generateContent-request.json', 'atif/v17_embedded_subagents.json'],
  ...['qwen-code/qwen-code-0.24.4-session-with-compress.jsonl', 'cline/cline-3.0.65-session.messages.json'],
  ...['opencode/opencode-1.18.33-export-two-compactions.json', 'cline/repo-fixture-session.messages.json'],
  ...['cline/repo-fixture-agentic.compaction.json', 'cline/repo-fixture-basic.compaction.json'],
]

const FOLDER = new URL('../fixtures/formats/', import.meta.url)
const FIXTURES = readdirSync(FOLDER).map((name) => [name, readFileSync(new URL(name, FOLDER), 'utf8')] as const)
const DOCUMENTS = [...FIXTURES, ...SAMPLES.map((path) => [path, readSample(path)] as const)]

interface Way {
  headers?: Record<string, string>
  payload: (name: string, text: string) => string
}

const asItIs = (_name: string, text: string): string => text

/** How a session may be sent: what `curl --data-binary` says, what a browser says, what is right, and with a file name. */
const WAYS: Readonly<Record<string, Way>> = {
  'curl --data-binary': { headers: { 'content-type': 'application/x-www-form-urlencoded' }, payload: asItIs },
  JSON: { headers: { 'content-type': 'application/json' }, payload: asItIs },
  NDJSON: { headers: { 'content-type': 'application/x-ndjson' }, payload: asItIs },
  text: { headers: { 'content-type': 'text/plain; charset=utf-8' }, payload: asItIs },
  'a download': {
    headers: { 'content-type': 'application/octet-stream', 'content-disposition': 'attachment; filename="s.jsonl"' },
    payload: asItIs,
  },
  'curl -F': {
    headers: { 'content-type': 'multipart/form-data; boundary=------------------------b' },
    payload: (name, text) =>
      '--------------------------b\r\nContent-Disposition: form-data; name="session"; filename="' +
      `${name}"\r\nContent-Type: application/octet-stream\r\n\r\n${text}\r\n--------------------------b--\r\n`,
  },
}

/** One message, or one message after a compaction: there is nothing to compact. */
const HAS_NOTHING_NEW = new Set([
  'openai-chat/opencode-1.18.33-compaction-request.json',
  'openai-chat/opencode-1.18.33-compaction-update-request.json',
  'atif/v17_embedded_subagents.json',
])

/** Without a configured model. */
const EMBEDDED = { name: 'embedded' as const, windowTokens: () => 128_000 }

/** Beside the plan, which has a test of its own. */
const ROUTES = ['/compaction', '/context', '/handoff']

/** Who writes, and the routes on which that makes a difference. */
const SUMMARIZERS = {
  'a model': [fakeSummarizer(), ROUTES],
  'the embedded summarizer': [EMBEDDED, ['/compaction', '/handoff']],
} as const

/** Sends a session and returns the reply, or the title of the problem. */
async function send(app: FastifyInstance, url: string, sent: { way: Way; document: string; text: string }) {
  const { way, document, text } = sent
  const payload = way.payload(document, text)
  const reply = await app.inject({ method: 'POST', url, headers: way.headers ?? {}, payload })
  const body = reply.json<Record<string, unknown>>()
  return { status: reply.statusCode, body: reply.statusCode === 200 ? body : body['title'] }
}

const isDone = (document: string, status: number): boolean =>
  status === 200 || (HAS_NOTHING_NEW.has(document) && status === 422)

/** Lines of pi that are sent as such are one of our own forms, for which no format is reported. */
const isOwnForm = (document: string, wayName: string): boolean => document === 'pi.jsonl' && wayName === 'NDJSON'

t.test('the plan of every session is the same, however it is sent', async (t) => {
  const { app } = await startApp(t)
  const ways = Object.entries(WAYS)
  for (const [position, [document, text]] of DOCUMENTS.entries()) {
    if (text === undefined) continue
    // Each format has a short session, which is sent in all ways.
    const tried = position < FIXTURES.length ? ways : [ways[position % ways.length] ?? ways[0]]
    const sendBy = (way: Way) => send(app, '/compaction/plan?keepRecentTokens=1', { way, document, text })
    const { status, body } = await sendBy({ payload: asItIs })
    t.ok(isDone(document, status), `${document}: ${status}`)
    for (const [name, way] of tried.filter((one) => one !== undefined)) {
      const { report: _report, ...withoutReport } = Object(body) as { report?: unknown }
      const expected = isOwnForm(document, name) ? withoutReport : body
      t.strictSame(await sendBy(way), { status, body: expected }, `${document}, ${name}`)
    }
  }
})

for (const [name, [summarizer, routes]] of Object.entries(SUMMARIZERS))
  t.test(`every session passes on ${routes.join(', ')} with ${name}`, async (t) => {
    const { app } = await startApp(t, { summarizer })
    const ways = Object.entries({ 'no content type': { payload: asItIs }, ...WAYS })
    for (const [position, [document, text]] of DOCUMENTS.entries()) {
      if (text === undefined) continue
      for (const [index, route] of routes.entries()) {
        const [wayName = '', way = { payload: asItIs }] = ways[(position + index) % ways.length] ?? []
        const { status, body } = await send(app, `${route}?keepRecentTokens=1`, { way, document, text })
        const outcome = status === 200 ? 'done' : JSON.stringify(body)
        t.ok(isDone(document, status), `${document} on ${route}, ${wayName}: ${outcome}`)
      }
    }
  })
