import { readFileSync, readdirSync } from 'node:fs'
import t from 'tap'
import { collectFiles } from '../../src/extract/collect-files.ts'
import { pairMessages } from '../../src/extract/runs.ts'
import { planCompaction } from '../../src/plan/plan-compaction.ts'
import { FORMAT_IDS } from '../../src/schemas/format-ids.ts'
import { selectBranch } from '../../src/session/link-session.ts'
import { findLatestRequest } from '../../src/summary/requests.ts'
import { readDocument, readSample } from '../support/read-document.ts'

interface Expected {
  /** Undefined if the body is one of the service's own forms. */
  format: string | undefined
  /** The roles of the active branch, each with its number. */
  roles: Record<string, number>
  /** The beginning of the newest request of the user. */
  request: string
  /** The files that the whole branch names, or their number. */
  read?: string[] | number
  modified?: string[] | number
  /** The beginning of the summary of an earlier compaction. */
  previous?: string
  ignored?: object
}

/** What small sessions of each format are read as (test/fixtures/formats). */
const FIXTURES: Record<string, Expected> = {
  'ai-model.json': {
    format: 'ai-model',
    roles: { user: 2, assistant: 2, toolResult: 2 },
    request: 'Now test it',
    modified: ['calc.py'],
  },
  'ai-ui-v4.json': {
    format: 'ai-ui',
    roles: { user: 2, assistant: 2, toolResult: 1 },
    request: 'Now test it',
    modified: ['calc.py'],
  },
  'ai-ui.json': {
    format: 'ai-ui',
    roles: { user: 2, assistant: 3, toolResult: 2 },
    request: 'Now test it',
    modified: ['calc.py'],
  },
  'aider.md': {
    format: 'aider',
    roles: { assistant: 4, toolResult: 2, user: 2, custom: 1, bashExecution: 1 },
    request: 'Now test it',
    modified: ['calc.py'],
  },
  'anthropic.json': {
    format: 'anthropic',
    roles: { user: 2, assistant: 2, toolResult: 1 },
    request: 'Now test it',
    modified: ['calc.py'],
  },
  'atif.json': {
    format: 'atif',
    roles: { user: 2, assistant: 2, toolResult: 2, compaction: 1 },
    request: 'Now test it',
    modified: ['calc.py'],
    previous: '## Goal\nFix add in calc.py.',
  },
  'chat.json': {
    format: undefined,
    roles: { message: 1, user: 2, assistant: 2, toolResult: 1 },
    request: 'Now test it',
    modified: ['calc.py'],
    ignored: { fields: { model: 1 } },
  },
  'claude-code.jsonl': {
    format: 'claude-code',
    roles: { user: 2, assistant: 3, toolResult: 3, compaction: 1 },
    request: 'Now test it',
    modified: ['calc.py'],
    previous: '## Goal\nFix add in calc.py.',
  },
  'cline-legacy.json': {
    format: 'cline-legacy',
    roles: { user: 2, assistant: 2, toolResult: 1, compaction: 1 },
    request: 'Now test it',
    modified: ['calc.py'],
    previous: '## Goal\nFix add in calc.py.',
  },
  'cline-legacy-text.json': {
    format: 'cline-legacy',
    roles: { user: 3, assistant: 6, toolResult: 4 },
    request: 'Thanks, now commit',
    read: ['calc.py', 'test.py'],
  },
  'cline.json': {
    format: 'cline',
    roles: { user: 2, assistant: 2, toolResult: 1, compaction: 1 },
    request: 'Now test it',
    modified: ['calc.py'],
    previous: '## Goal\nFix add in calc.py.',
  },
  'codex-2025-bare.jsonl': {
    format: 'codex',
    roles: { custom: 1, user: 1, assistant: 3, toolResult: 2 },
    request: 'Fix add in calc.py',
    modified: ['calc.py'],
  },
  'codex.jsonl': {
    format: 'codex',
    roles: { custom: 1, user: 3, assistant: 3, toolResult: 2, compaction: 1 },
    request: 'Now test it',
    modified: ['calc.py'],
    previous: '## Goal\nFix add in calc.py.',
  },
  'gemini-contents.json': {
    format: 'gemini-contents',
    roles: { user: 2, assistant: 2, toolResult: 1 },
    request: 'Now test it',
  },
  'gemini.jsonl': {
    format: 'gemini',
    roles: { user: 2, assistant: 2, toolResult: 2, compaction: 1 },
    request: 'Now test it',
    modified: ['calc.py'],
    previous: '## Goal\nFix add in calc.py.',
  },
  'gencode-compacted.json': {
    format: 'gencode',
    roles: { compaction: 1, user: 1, assistant: 1 },
    request: 'Now test it',
    previous: '## Goal\nFix add in calc.py.',
  },
  'gencode.json': {
    format: 'gencode',
    roles: { user: 2, assistant: 2, toolResult: 1, compaction: 1 },
    request: 'Now test it',
    modified: ['calc.py'],
    previous: '## Goal\nFix add in calc.py.',
  },
  'goose-before-1.10.jsonl': {
    format: 'goose',
    roles: { user: 1, assistant: 2, toolResult: 1 },
    request: 'Fix add in calc.py',
  },
  'goose.json': {
    format: 'goose',
    roles: { user: 2, assistant: 3, toolResult: 2, compaction: 1 },
    request: 'Now test it',
    modified: ['calc.py'],
    previous: '## Goal\nFix add in calc.py.',
  },
  'opencode-reverted.json': {
    format: 'opencode',
    roles: { user: 2, assistant: 2, toolResult: 2, compaction: 1 },
    request: 'Explain',
    modified: ['calc.py'],
    previous: '## Goal\nFix add in calc.py.',
  },
  'opencode-v2.json': {
    format: 'opencode',
    roles: { user: 3, assistant: 2, toolResult: 1, compaction: 1, custom: 1, bashExecution: 1 },
    request: 'Now test it',
    modified: ['calc.py'],
    previous: '## Goal\nFix add in calc.py.',
  },
  'opencode.json': {
    format: 'opencode',
    roles: { user: 3, assistant: 3, toolResult: 2, compaction: 1 },
    request: 'Now test it',
    modified: ['calc.py'],
    previous: '## Goal\nFix add in calc.py.',
  },
  'openhands-v0.json': {
    format: 'openhands-v0',
    roles: { assistant: 3, toolResult: 2, compaction: 1, user: 2 },
    request: 'Now test it',
    modified: ['calc.py'],
    previous: '## Goal\nFix add in calc.py.',
  },
  'openhands-v1.jsonl': {
    format: 'openhands-v1',
    roles: { assistant: 2, toolResult: 2, compaction: 1, user: 2 },
    request: 'Now test it',
    previous: '## Goal\nFix add in calc.py.',
  },
  'pi.jsonl': {
    format: 'pi',
    roles: { user: 2, assistant: 2, toolResult: 1, compaction: 1 },
    request: 'Now test it',
    modified: ['calc.py'],
    previous: '## Goal\nFix add in calc.py.',
  },
  'qwen.jsonl': {
    format: 'qwen',
    roles: { user: 2, assistant: 2, toolResult: 1, compaction: 1 },
    request: 'Now test it',
    modified: ['calc.py'],
    previous: '## Goal\nFix add in calc.py.',
  },
  'responses.json': {
    format: 'responses',
    roles: { user: 2, assistant: 3, toolResult: 2 },
    request: 'Now test it',
    modified: ['calc.py'],
  },
  'swe-agent.json': {
    format: 'swe-agent',
    roles: { user: 1, assistant: 2, toolResult: 2 },
    request: 'Fix add in calc.py',
    modified: ['calc.py'],
  },
}

/** What the sessions of real clients are read as. */
const SAMPLES: Record<string, Expected> = {
  'aider/chat-history-session.md': {
    format: 'aider',
    roles: { assistant: 6, toolResult: 2, user: 3, custom: 4 },
    request: 'if we can get a language, add it to `platform_text`. but don',
    modified: ['aider/coders/base_coder.py'],
  },
  'anthropic-messages/claude-code-2.1.330-compaction-request.json': {
    format: 'anthropic',
    roles: { user: 2, custom: 4, assistant: 8, toolResult: 6 },
    request: 'Explain the fix',
    modified: ['/tmp/demo-claude/calc.py'],
  },
  'anthropic-messages/claude-code-2.1.330-first-request-after-compaction.json': {
    format: 'anthropic',
    roles: { compaction: 1, assistant: 1, custom: 2, user: 1 },
    request: 'Anything else?',
    previous: '1. Primary Request and Intent:',
  },
  'anthropic-messages/claude-code-2.1.330-turn-request.json': {
    format: 'anthropic',
    roles: { user: 1, custom: 2, assistant: 6, toolResult: 6 },
    request: 'Fix the failing test in calc.py',
    modified: ['/tmp/demo-claude/calc.py'],
  },
  'atif/harbor_openhands.json': {
    format: 'atif',
    roles: { user: 1, assistant: 2, toolResult: 1 },
    request: 'Create a file called hello.txt with "Hello, world!" as the c',
    modified: ['/app/hello.txt'],
  },
  'atif/multi_tool_trajectory.json': {
    format: 'atif',
    roles: { user: 1, assistant: 3, toolResult: 4 },
    request: 'Compare the latest quarterly revenue for AAPL and MSFT, and ',
  },
  'atif/parallel_tools_mixed_results.json': {
    format: 'atif',
    roles: { user: 1, assistant: 2, toolResult: 3 },
    request: 'Get weather, stock price, and news for NYC',
  },
  'atif/v17_embedded_subagents.json': {
    format: 'atif',
    roles: { user: 1, assistant: 2, toolResult: 1, compaction: 1 },
    request: 'Research current ATIF v1.7 support.',
    previous: 'Compacted context: the user as',
  },
  'claude-code/session-1.0.98.jsonl': {
    format: 'claude-code',
    roles: { user: 1, custom: 1, assistant: 7, toolResult: 12 },
    request: '/init',
  },
  'claude-code/session-2.1.330-subagent.jsonl': {
    format: 'claude-code',
    roles: { user: 1, assistant: 1 },
    request: 'Run the tests @@nosum',
  },
  'claude-code/session-2.1.330-with-compact.jsonl': {
    format: 'claude-code',
    roles: { user: 4, assistant: 9, toolResult: 6, custom: 1, compaction: 1 },
    request: 'Anything else?',
    modified: ['/tmp/demo-claude/calc.py'],
    previous: '1. Primary Request and Intent:',
  },
  'claude-code/session-2.1.39-4d5611e5.jsonl': {
    format: 'claude-code',
    roles: { user: 2, assistant: 139, toolResult: 150, compaction: 1, custom: 1 },
    request: 'continue',
    read: [
      '/home/USER/projects/spotter-worktrees/spotter-dov/deps/ash_computer/lib/ash_computer.ex',
      '/home/USER/projects/spotter-worktrees/spotter-dov/deps/ash_computer/lib/ash_computer/live_view.ex',
      '/home/USER/projects/spotter-worktrees/spotter-dov/lib/spotter_web/live/pane_list_live.ex',
      '/home/USER/projects/spotter-worktrees/spotter-dov/test/spotter_web/live/session_live_test.exs',
      '/tmp/claude-1000/-home-USER-projects-spotter-worktrees-spotter-dov/tasks/b7636e2.output',
    ],
    modified: 11,
    previous: '1. Primary Request and Intent:',
  },
  'claude-code/session-2.1.39-ae4a77f8.jsonl': {
    format: 'claude-code',
    roles: { user: 3, assistant: 217, toolResult: 242, custom: 1, compaction: 1 },
    request: 'continue implementation',
    read: [
      '/home/USER/projects/spotter-worktrees/spotter-4te/deps/opentelemetry_bandit/lib/opentelemetry_bandit.ex',
      '/home/USER/projects/spotter-worktrees/spotter-4te/test/spotter_web/live/session_live_test.exs',
      '/home/USER/projects/spotter-worktrees/spotter-4te/test/support/data_case.ex',
    ],
    modified: 21,
    previous: '1. Primary Request and Intent:',
  },
  'cline/cline-3.0.65-session.messages.json': {
    format: 'cline',
    roles: { user: 1, assistant: 4, toolResult: 3 },
    request: 'Fix the failing test in calc.py',
    modified: ['/tmp/demo-cline/calc.py'],
  },
  'cline/repo-fixture-agentic.compaction.json': {
    format: 'cline',
    roles: { compaction: 1, user: 1, assistant: 1 },
    request: 'hello',
    previous: '## Goal\nAlign spacing/padding ',
  },
  'cline/repo-fixture-basic.compaction.json': {
    format: 'cline',
    roles: { user: 5, custom: 4, assistant: 5 },
    request: 'hello',
  },
  'cline/repo-fixture-session.messages.json': {
    format: 'cline',
    // A file that the user attached.
    roles: { user: 5, custom: 1, assistant: 16, toolResult: 11 },
    request: 'hello',
    read: ['/Users/example/dev/cline/apps/examples/desktop-app/webview/components/ui/button.tsx'],
    modified: ['/Users/example/dev/cline/apps/examples/desktop-app/webview/components/agent-sidebar.tsx'],
  },
  'codex/rollout-0.120.0-compacted-to-user-message.jsonl': {
    format: 'codex',
    roles: { custom: 3, user: 3, assistant: 3 },
    request: 'turn 2 FACT-2=abc2 @@usage 5000@@',
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
  },
  'codex/rollout-legacy-2025-bare.jsonl': {
    format: 'codex',
    roles: { custom: 1, user: 1, assistant: 2, toolResult: 1 },
    request: 'Fix the failing test in calc.py',
  },
  'gemini/gemini-cli-0.61.0-generateContent-request.json': {
    format: 'gemini-contents',
    roles: { user: 1, assistant: 3, toolResult: 4 },
    request: 'Fix the failing test in calc.py',
    read: ['calc.py'],
    modified: ['/tmp/demo-gemini/calc.py'],
  },
  'gemini/gemini-cli-0.61.0-session-with-compress.jsonl': {
    format: 'gemini',
    roles: { user: 4, assistant: 10, toolResult: 8, compaction: 1 },
    request: 'Anything else?',
    read: ['calc.py'],
    modified: ['/tmp/demo-gemini/calc.py'],
    previous: '<overall_goal>Fix the failing ',
  },
  'openai-chat/opencode-1.18.33-compaction-request.json': {
    format: undefined,
    roles: { message: 1, user: 1 },
    request: 'Here is the conversation so far:\n\n<conversation>\n[User]: Fix',
    ignored: { fields: { model: 1, max_tokens: 1, stream: 1, stream_options: 1 } },
  },
  'openai-chat/opencode-1.18.33-compaction-update-request.json': {
    format: undefined,
    roles: { message: 1, user: 1 },
    request: 'Here is the conversation so far:\n\n<conversation>\n[User]: Any',
    ignored: { fields: { model: 1, max_tokens: 1, stream: 1, stream_options: 1 } },
  },
  'openai-chat/opencode-1.18.33-turn-request.json': {
    format: undefined,
    roles: { message: 1, user: 2, assistant: 5, toolResult: 5 },
    request: 'Explain the fix\nERROR: Cannot read "px.png" (this model does',
    modified: ['/tmp/demo-opencode/calc.py'],
    ignored: { fields: { model: 1, max_tokens: 1, tools: 1, tool_choice: 1, stream: 1, stream_options: 1 } },
  },
  'openai-responses/codex-0.120.0-compact-request.json': {
    format: 'responses',
    roles: { custom: 1, user: 2, assistant: 7, toolResult: 6 },
    request: 'Explain the fix',
    modified: ['calc.py'],
  },
  'openai-responses/codex-0.120.0-request.json': {
    format: 'responses',
    roles: { custom: 1, user: 2, assistant: 6, toolResult: 6 },
    request: 'Explain the fix',
    modified: ['calc.py'],
  },
  'openai-responses/codex-0.169.0-compaction-trigger-request.json': {
    format: 'responses',
    roles: { custom: 1, user: 2, assistant: 7, toolResult: 6 },
    request: 'Explain the fix',
  },
  'opencode/opencode-1.18.33-export-two-compactions.json': {
    format: 'opencode',
    roles: { user: 3, assistant: 8, toolResult: 5, compaction: 2, custom: 1 },
    request: 'Anything else?',
    modified: ['/tmp/demo-opencode/calc.py'],
    previous: 'Fix calc test',
  },
  'openhands/v0-trajectory-basic.json': {
    format: 'openhands-v0',
    roles: { user: 1, assistant: 2, toolResult: 1 },
    request: 'Please create a simple 2048 game. No need to run it. Please ',
    modified: ['/workspace/game_2048.py'],
  },
  'openhands/v1-sdk-events.jsonl': { format: 'openhands-v1', roles: { assistant: 2, toolResult: 3 }, request: '' },
  'qwen-code/qwen-code-0.24.4-session-with-compress.jsonl': {
    format: 'qwen',
    roles: { user: 4, assistant: 6, toolResult: 4, compaction: 1 },
    request: 'Anything else?',
    modified: ['/tmp/demo-qwen/calc.py'],
    previous: '1. Primary Request and Intent:',
  },
  'swe-agent/function_calling_simple.traj': {
    format: 'swe-agent',
    roles: { user: 1, assistant: 5, toolResult: 5 },
    request: "We're currently solving the following issue within our repos",
    modified: ['/SWE-agent__test-repo/tests/missing_colon.py'],
  },
}

const FOLDER = new URL('../fixtures/formats/', import.meta.url)

t.test('every format has a fixture, and every fixture has an expected outcome', async (t) => {
  t.strictSame(readdirSync(FOLDER).sort(), Object.keys(FIXTURES).sort())
  const found = new Set(Object.values(FIXTURES).map(({ format = 'chat' }) => format))
  t.strictSame(
    FORMAT_IDS.filter((id) => !found.has(id)),
    [],
  )
})

const DOCUMENTS: readonly (readonly [string, Expected, string | undefined])[] = [
  ...Object.entries(FIXTURES).map(([name, one]) => [name, one, readFileSync(new URL(name, FOLDER), 'utf8')] as const),
  ...Object.entries(SAMPLES).map(([path, one]) => [path, one, readSample(path)] as const),
]

for (const [name, expected, text] of DOCUMENTS) {
  // As JSON and as NDJSON: what a body is counts more than its content type.
  for (const isLines of [false, true])
    t.test(
      `${name} is read as ${expected.format ?? 'one of our own forms'}${isLines ? ', also as NDJSON' : ''}`,
      { skip: text === undefined },
      async (t) => {
        const read = readDocument(text ?? '', { isLines })
        const isOwn = expected.format === undefined || expected.format === 'pi'
        t.strictSame(outcomeOf(read, expected), { ...expected, ...(isOwn ? { format: read.format } : {}) })
      },
    )
}

function outcomeOf(read: ReturnType<typeof readDocument>, expected: Expected): Expected {
  const branch = selectBranch(read.session)
  const roles: Record<string, number> = {}
  for (const { type, message } of branch) {
    const role = message?.role ?? type
    roles[role] = (roles[role] ?? 0) + 1
  }
  const messages = branch.flatMap(({ message }) => message ?? [])
  const { readFiles, modifiedFiles } = collectFiles(pairMessages(messages))
  const { previousSummary } = planCompaction(branch, { keepRecentTokens: 1 })
  const filesOf = (files: string[], wanted: Expected['read']) => (typeof wanted === 'number' ? files.length : files)
  return {
    format: read.format,
    roles,
    request: (findLatestRequest(messages) ?? '').slice(0, 60),
    ...(readFiles.length === 0 ? {} : { read: filesOf(readFiles, expected.read) }),
    ...(modifiedFiles.length === 0 ? {} : { modified: filesOf(modifiedFiles, expected.modified) }),
    ...(previousSummary === undefined ? {} : { previous: previousSummary.slice(0, 30) }),
    ...(read.ignored === undefined ? {} : { ignored: read.ignored }),
  }
}
