import { readFileSync, readdirSync } from 'node:fs'
import t from 'tap'
import { readSample } from '../support/read-document.ts'
import { fakeSummarizer } from '../support/fake-summarizer.ts'
import { startApp } from '../support/start-app.ts'

/** Sessions that real clients wrote, one of each kind of file; small ones, since every route reads each of them. */
const SAMPLES = [
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

/** What `curl --data-binary` says, what a browser says, and what is right. */
const CONTENT_TYPES = ['application/x-www-form-urlencoded', 'application/json', 'application/x-ndjson', undefined]

/** One message, or one message after a compaction: there is nothing to compact. */
const HAS_NOTHING_NEW = new Set([
  'openai-chat/opencode-1.18.33-compaction-request.json',
  'openai-chat/opencode-1.18.33-compaction-update-request.json',
  'atif/v17_embedded_subagents.json',
])

/** Chat messages are one of our own forms: their settings are a field of the body. */
const payloadOf = (name: string, text: string): string =>
  name.includes('chat') && name.endsWith('.json')
    ? JSON.stringify({ ...(JSON.parse(text) as object), settings: { keepRecentTokens: 1 } })
    : text

/** Without a configured model. */
const EMBEDDED = { name: 'embedded' as const, windowTokens: () => 128_000 }

const ROUTES = ['/compaction/plan', '/compaction', '/context', '/handoff']

const SUMMARIZERS = { 'a model': fakeSummarizer(), 'the embedded summarizer': EMBEDDED }

for (const [name, summarizer] of Object.entries(SUMMARIZERS))
  t.test(`every session passes on every route with ${name}, whatever its content type says`, async (t) => {
    const { app } = await startApp(t, { summarizer })
    for (const [position, [document, text]] of DOCUMENTS.entries()) {
      if (text === undefined) continue
      for (const [index, route] of ROUTES.entries()) {
        const type = CONTENT_TYPES[(position + index) % CONTENT_TYPES.length]
        const headers = type === undefined ? {} : { 'content-type': type }
        const url = `${route}?keepRecentTokens=1`
        const reply = await app.inject({ method: 'POST', url, headers, payload: payloadOf(document, text) })
        const hasNothing = HAS_NOTHING_NEW.has(document) && reply.statusCode === 422
        t.ok(reply.statusCode === 200 || hasNothing, `${document} on ${route} as ${type}: ${reply.body.slice(0, 300)}`)
      }
    }
  })
