import t from 'tap'
import { planCompaction } from '../../../src/plan/plan-compaction.ts'
import { selectBranch } from '../../../src/session/link-session.ts'
import { findLatestRequest } from '../../../src/summary/requests.ts'
import { outline, readDocument, readSample } from '../../support/read-document.ts'

interface Expected {
  format: string
  /** The roles of the active branch, each with its number. */
  roles: Record<string, number>
  request: string
  modified?: string[]
  /** The beginning of the summary of an earlier compaction. */
  previous?: string
}

const FIX = 'Fix the failing test in calc.py'
const SUMMARY = '1. Primary Request and Intent:'

/** What the sessions of real clients are read as. */
const SAMPLES: Record<string, Expected> = {
  'claude-code/session-2.1.330-with-compact.jsonl': {
    format: 'claude-code',
    roles: { user: 4, assistant: 9, toolResult: 6, custom: 1, compaction: 1 },
    request: 'Anything else?',
    previous: SUMMARY,
  },
  'claude-code/session-2.1.330-subagent.jsonl': {
    format: 'claude-code',
    roles: { user: 1, assistant: 1 },
    request: 'Run the tests @@nosum',
  },
  'codex/rollout-0.120.0-tools-patch-image-compact-v1.jsonl': {
    format: 'codex',
    roles: { custom: 2, user: 3, assistant: 8, toolResult: 6 },
    request: 'Anything else?',
    modified: ['calc.py'],
  },
  'codex/rollout-0.169.0-tools-image-compact-v2.jsonl': {
    format: 'codex',
    roles: { custom: 1, user: 3, assistant: 8, toolResult: 6 },
    request: 'Anything else?',
    modified: ['calc.py'],
  },
  'codex/rollout-legacy-2025-bare.jsonl': {
    format: 'codex',
    roles: { custom: 1, user: 1, assistant: 2, toolResult: 1 },
    request: FIX,
  },
  'openai-responses/codex-0.120.0-request.json': {
    format: 'responses',
    roles: { custom: 1, user: 2, assistant: 6, toolResult: 6 },
    request: 'Explain the fix',
    modified: ['calc.py'],
  },
  'opencode/opencode-1.18.33-export-two-compactions.json': {
    format: 'opencode',
    roles: { user: 3, assistant: 8, toolResult: 5, compaction: 2, custom: 1 },
    request: 'Anything else?',
    previous: 'Fix calc test',
  },
  'gemini/gemini-cli-0.61.0-session-with-compress.jsonl': {
    format: 'gemini',
    roles: { user: 4, assistant: 10, toolResult: 8, compaction: 1 },
    request: 'Anything else?',
    previous: '<overall_goal>',
  },
  'gemini/gemini-cli-0.61.0-generateContent-request.json': {
    format: 'gemini-contents',
    roles: { user: 1, assistant: 3, toolResult: 4 },
    request: FIX,
  },
  'qwen-code/qwen-code-0.24.4-session-with-compress.jsonl': {
    format: 'qwen',
    roles: { user: 4, assistant: 6, toolResult: 4, compaction: 1 },
    request: 'Anything else?',
    previous: SUMMARY,
  },
  'cline/cline-3.0.65-session.messages.json': {
    format: 'cline',
    roles: { user: 1, assistant: 4, toolResult: 3 },
    request: FIX,
    modified: ['/tmp/demo-cline/calc.py'],
  },
  'anthropic-messages/claude-code-2.1.330-turn-request.json': {
    format: 'anthropic',
    roles: { user: 1, custom: 2, assistant: 6, toolResult: 6 },
    request: FIX,
    modified: ['/tmp/demo-claude/calc.py'],
  },
}

for (const [path, { format, roles, request, modified = [], previous }] of Object.entries(SAMPLES)) {
  const text = readSample(path)
  // As JSON and as NDJSON: what a body is counts more than its content type.
  for (const isLines of [false, true])
    t.test(
      `${path} is read as ${format}${isLines ? ', also as NDJSON' : ''}`,
      { skip: text === undefined },
      async (t) => {
        const read = readDocument(text ?? '', { isLines })
        const branch = selectBranch(read.session)
        const counts: Record<string, number> = {}
        for (const { type, message } of branch) {
          const role = message?.role ?? type
          counts[role] = (counts[role] ?? 0) + 1
        }
        const plan = planCompaction(branch, { keepRecentTokens: 1 })
        t.strictSame(
          {
            format: read.format,
            roles: counts,
            request: findLatestRequest(branch.flatMap(({ message }) => message ?? [])),
            modified: plan.files.modifiedFiles,
            ignored: read.ignored,
          },
          { format, roles, request, modified, ignored: undefined },
        )
        t.equal(plan.previousSummary?.slice(0, previous?.length ?? 0), previous)
        t.equal(outline(read).length, branch.length)
      },
    )
}
