import t from 'tap'
import type { CompactionReply } from '../../src/schemas/compaction-reply.ts'
import { LISTS, SESSIONS } from '../support/agent-sessions.ts'
import { readSample } from '../support/read-document.ts'
import { startApp } from '../support/start-app.ts'
import { afterWriteBack, compactedInPi, outcome, post } from '../support/write-back.ts'

const { app } = await startApp(t)

for (const [format, document] of Object.entries({ ...SESSIONS, ...LISTS })) {
  for (const [kept, end] of [
    ['the newest turn', ''],
    ['the newest turn', '\n'],
    ['one message', '&'],
  ] as const)
    t.test(
      `${format}: a session that keeps ${kept} reads as after a compaction in pi${JSON.stringify(end)}`,
      async (t) => {
        const query = end === '&' ? 'keepRecentTokens=1' : 'keepRecentTokens=50'
        const posted = end === '\n' ? `${document}\n` : document
        const url = `/compaction?native=true&${query}`
        const { summary, firstKeptEntryId, details } = (await post(app, url, posted)).json<CompactionReply>()
        const [found, expected] = [
          await afterWriteBack(app, posted, query),
          await outcome(app, await compactedInPi(app, posted, { summary, firstKeptEntryId, details })),
        ]
        t.strictSame(found, expected)
        t.equal(found.hasPreviousSummary, true)
      },
    )
}

const SAMPLES = [
  'claude-code/session-1.0.98.jsonl',
  'claude-code/session-2.1.330-with-compact.jsonl',
  'codex/rollout-0.120.0-tools-patch-image-compact-v1.jsonl',
  'codex/rollout-0.120.0-compacted-to-user-message.jsonl',
  'codex/rollout-0.169.0-tools-image-compact-v2.jsonl',
  'gemini/gemini-cli-0.61.0-session-with-compress.jsonl',
  'qwen-code/qwen-code-0.24.4-session-with-compress.jsonl',
  'opencode/opencode-1.18.33-export-two-compactions.json',
  'cline/cline-3.0.65-session.messages.json',
  'cline/repo-fixture-session.messages.json',
  'cline/repo-fixture-agentic.compaction.json',
  'anthropic-messages/claude-code-2.1.330-turn-request.json',
  'openhands/v0-trajectory-basic.json',
  'openhands/v1-sdk-events.jsonl',
  'atif/harbor_openhands.json',
  'atif/multi_tool_trajectory.json',
  'openai-responses/codex-0.120.0-request.json',
  'gemini/gemini-cli-0.61.0-generateContent-request.json',
]

for (const path of SAMPLES) {
  const document = readSample(path)
  t.test(`${path} reads as after a compaction in pi`, { skip: document === undefined }, async (t) => {
    const posted = document ?? ''
    const outcomes: string[] = []
    for (const query of ['keepRecentTokens=1&summary=Short.', 'keepRecentTokens=300&summary=Short.']) {
      const reply = await app.inject({ method: 'POST', url: `/compaction?native=true&${query}`, payload: posted })
      outcomes.push(reply.statusCode === 200 ? 'written' : reply.json<{ type: string }>().type)
      if (reply.statusCode !== 200) continue
      const { summary, firstKeptEntryId, details } = reply.json<CompactionReply>()
      // Only Cline has a place for the file lists beside a summary.
      const files = path.startsWith('cline/') ? { details } : {}
      // A request does not keep the messages that its summary covers: their files are not found again.
      const isCutOff = path.endsWith('-request.json')
      const inPi = await compactedInPi(app, posted, { summary, firstKeptEntryId, isCutOff, ...files })
      t.strictSame(await afterWriteBack(app, posted, query), await outcome(app, inPi), query)
    }
    t.ok(outcomes.includes('written'), outcomes.join())
  })
}
