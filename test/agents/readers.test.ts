import { readFileSync } from 'node:fs'
import t from 'tap'
import { asLines, outline, readDocument } from '../support/read-document.ts'

const CLINE_READS =
  'Reading.\n<read_file>\n<path>calc.py</path>\n</read_file>\n<read_file>\n<path>test.py</path>\n</read_file>'
const CLINE_RUNS = 'Test it.\n<execute_command>\n<command>cat a\ncat b</command>\n</execute_command>'

/** The entries of fixtures: results joined to calls, how they ended, and what an earlier compaction covers and keeps. */
const OUTLINES: Record<string, unknown[]> = {
  'aider.md': [
    ['line:10', 'assistant', 'read | calc.py'],
    ['line:10.2', 'toolResult', 'Added calc.py to the chat.', 'read'],
    ['line:14', 'user', 'Fix add in calc.py\nand keep it short'],
    ['line:16', 'assistant', 'The minus is wrong.\n\n#### Why\n\nIt subtracts.'],
    ['line:23', 'assistant', 'edit | calc.py'],
    ['line:23.2', 'toolResult', 'Applied edit to calc.py', 'edit'],
    ['line:23.3', 'custom', 'Commit 1234567 fix: Add numbers'],
    ['line:29', 'bashExecution', 'pytest | 1 passed'],
    ['line:31', 'user', 'Now test it'],
    ['line:34', 'assistant', 'It passes.'],
  ],
  // Results in blocks of their own: what follows a head is never the user's, except the words after the agent's turn.
  'cline-legacy-text.json': [
    ['item:1', 'user', 'Fix add in calc.py'],
    ['item:2', 'assistant', `${CLINE_READS} | read_file | calc.py | read_file | test.py`],
    ['item:3', 'toolResult', '1 | def add', 'read_file'],
    ['item:3.2', 'toolResult', '[note] | <feedback>\nRun all.\n</feedback>', 'read_file'],
    ['item:4', 'assistant', `${CLINE_RUNS} | execute_command | cat a\ncat b`],
    [
      'item:5',
      'toolResult',
      'The tool execution failed with the following error:\n<error>\nno b\n</error>',
      'execute_command',
      'failed',
    ],
    ['item:6', 'assistant', `<search_files>\n<path>src</path>\n</search_files> | search_files | ${'x'.repeat(600)}`],
    ['item:7', 'toolResult', 'Found 1 result.', 'search_files'],
    ['item:8', 'assistant', '<attempt_completion>\n<result>Fixed.</result>\n</attempt_completion>'],
    ['item:9', 'user', 'Now test it'],
    ['item:10', 'assistant', 'It passes.'],
    ['item:11', 'user', 'Thanks, now commit'],
    ['item:12', 'assistant', 'Done.'],
  ],
  'atif.json': [
    ['2', 'user', 'Fix add in calc.py'],
    ['3', 'assistant', 'Tests first. | Run it. | bash | pytest | edit | calc.py'],
    ['item:3', 'toolResult', 'failed', 'bash', 'failed', 1],
    ['item:3.2', 'toolResult', 'edited', 'edit'],
    ['4', 'compaction', '## Goal\nFix add in calc.py.', null],
    ['5', 'user', 'Now test it'],
    ['6', 'assistant', 'It passes.'],
  ],
  'openhands-v0.json': [
    ['2', 'assistant', 'Run it. | run | pytest'],
    ['3', 'toolResult', 'failed', 'run', 'failed', 1],
    ['4', 'assistant', 'Fix it. | str_replace_editor | calc.py | str_replace'],
    ['5', 'toolResult', 'edited', 'str_replace_editor'],
    ['6', 'compaction', '## Goal\nFix add in calc.py.', null],
    ['1', 'user', 'Fix add in calc.py'],
    ['8', 'user', 'Now test it'],
    ['9', 'assistant', 'It passes.'],
  ],
  'openhands-v1.jsonl': [
    ['e2', 'assistant', 'Tests first. | Run it. | terminal | pytest | file_editor | calc.py | str_replace'],
    ['e4', 'toolResult', 'failed', 'terminal', 'failed', 1],
    ['e5', 'toolResult', 'No such text', 'file_editor', 'failed'],
    ['e6', 'compaction', '## Goal\nFix add in calc.py.', null],
    ['e1', 'user', 'Fix add in calc.py'],
    ['e8', 'user', 'Now test it'],
    ['e9', 'assistant', 'It passes.'],
  ],
  'swe-agent.json': [
    ['item:3', 'user', 'Fix add in calc.py'],
    ['item:4', 'assistant', 'Run it. | bash | pytest'],
    ['item:5', 'toolResult', 'Old environment output: (12 lines omitted)', 'bash', 'pruned'],
    ['item:6', 'assistant', 'Fix it. | str_replace_editor | calc.py | str_replace'],
    ['item:7', 'toolResult', 'edited', 'str_replace_editor'],
  ],
  'goose.json': [
    ['g1', 'user', 'Fix add in calc.py'],
    ['g2', 'assistant', 'Run it. | developer__text_editor | calc.py | str_replace'],
    ['g3', 'toolResult', 'edited', 'developer__text_editor'],
    ['g4', 'compaction', '## Goal\nFix add in calc.py.', null],
    ['g6', 'user', 'Now test it'],
    ['g7', 'assistant', 'unknown | bad JSON'],
    ['g8', 'toolResult', 'bad JSON', 'unknown', 'failed'],
    ['g9', 'assistant', 'It passes.'],
  ],
  'gencode.json': [
    ['item:2', 'user', 'Fix add in calc.py'],
    ['item:3', 'assistant', 'edit | calc.py'],
    ['item:4', 'toolResult', '[Old tool result cleared]', 'edit', 'pruned'],
    ['sum1', 'compaction', '## Goal\nFix add in calc.py.', null],
    ['item:5', 'user', 'Now test it'],
    ['item:6', 'assistant', 'It passes.'],
  ],
  'ai-model.json': [
    ['item:2', 'user', 'Fix add in calc.py'],
    ['item:3', 'assistant', 'Run it. | bash | pytest | edit | calc.py'],
    ['item:4', 'toolResult', 'failed', 'bash', 'failed'],
    ['item:4.2', 'toolResult', '{"ok":true}', 'edit'],
    ['item:5', 'user', 'Now test it'],
    ['item:6', 'assistant', 'It passes.'],
  ],
  'ai-ui.json': [
    ['m1', 'user', 'Fix add in calc.py'],
    ['m2', 'assistant', 'Run it. | bash | pytest | edit | calc.py'],
    ['item:2', 'toolResult', 'failed', 'bash', 'failed'],
    ['item:2.2', 'toolResult', '{"ok":true}', 'edit'],
    ['item:2.3', 'assistant', 'Fixed.'],
    ['m3', 'user', 'Now test it'],
    ['m4', 'assistant', 'It passes.'],
  ],
  'opencode-v2.json': [
    ['msg_1', 'user', 'Fix add in calc.py'],
    ['msg_2', 'assistant', 'Run it. | edit | calc.py'],
    ['item:2', 'toolResult', 'edited', 'edit'],
    ['msg_3', 'compaction', '## Goal\nFix add in calc.py.', null],
    ['item:3', 'user', 'Explain'],
    ['msg_4', 'custom', 'Continue if you have next steps'],
    ['msg_5', 'user', 'Now test it'],
    ['msg_6', 'bashExecution', 'pytest | 1 passed'],
    ['msg_7', 'assistant', 'It passes.'],
  ],
  'opencode-reverted.json': [
    ['msg_1', 'user', 'Fix add in calc.py'],
    ['msg_2', 'assistant', 'bash | pytest | edit | calc.py', 'toolUse'],
    ['prt_1', 'toolResult', 'failed', 'bash', 1],
    ['prt_2', 'toolResult', 'edited', 'edit'],
    ['msg_3', 'user', 'Explain'],
    ['msg_4', 'assistant', 'A minus.', 'stop'],
    ['msg_6', 'compaction', '## Goal\nFix add in calc.py.', 'msg_3'],
  ],
}

for (const [name, expected] of Object.entries(OUTLINES))
  t.test(`${name} is read entry by entry`, async (t) => {
    const text = readFileSync(new URL(`../fixtures/formats/${name}`, import.meta.url), 'utf8')
    t.strictSame(outline(readDocument(text)), expected)
  })

const claude = { isSidechain: false, sessionId: 's' }
const said = (type: string, uuid: string, parentUuid: string | null, content: unknown, more: object = {}) => ({
  ...claude,
  type,
  uuid,
  parentUuid,
  message: { role: type, content },
  ...more,
})

t.test(
  'a partial compaction of Claude Code that keeps the beginning is the summary of a branch that was left',
  async (t) => {
    const preserved = { anchorUuid: 'b1', uuids: ['u1', 'a1'] }
    const boundary = {
      subtype: 'compact_boundary',
      logicalParentUuid: 'a2',
      compactMetadata: { preservedMessages: preserved },
    }
    const lines = [
      said('user', 'u1', null, 'Fix calc.py'),
      said('assistant', 'a1', 'u1', [{ type: 'text', text: 'Fixed' }]),
      said('user', 'u2', 'a1', 'Try another way'),
      said('assistant', 'a2', 'u2', [{ type: 'text', text: 'It is worse' }]),
      { ...claude, type: 'system', uuid: 'b1', parentUuid: null, ...boundary },
      said('user', 's1', 'b1', 'Summary:\nAnother way is worse.', { isCompactSummary: true }),
      said('user', 'u3', 's1', 'Go on'),
    ]
    t.strictSame(
      outline(readDocument(asLines(lines))).map((entry) => (entry as unknown[]).slice(0, 2)),
      [
        ['u1', 'user'],
        ['a1', 'assistant'],
        ['s1', 'branchSummary'],
        ['u3', 'user'],
      ],
    )
  },
)

const item = (role: string, text: string) => ({
  type: 'response_item',
  payload: { type: 'message', role, content: [{ type: role === 'assistant' ? 'output_text' : 'input_text', text }] },
})

t.test('a rollback of Codex removes the newest turns of the user', async (t) => {
  const lines = [
    item('user', 'Fix calc.py'),
    item('assistant', 'Fixed'),
    item('user', 'Undo it'),
    item('assistant', 'Undone'),
    { type: 'event_msg', payload: { type: 'thread_rolled_back', num_turns: 1 } },
    item('user', 'Test it'),
  ]
  t.strictSame(outline(readDocument(asLines(lines))), [
    ['line:1', 'user', 'Fix calc.py'],
    ['line:2', 'assistant', 'Fixed'],
    ['line:6', 'user', 'Test it'],
  ])
})

t.test('a compaction of Codex of 2025 without a history keeps the messages of the user', async (t) => {
  const lines = [
    item('user', 'Fix calc.py'),
    item('assistant', 'Fixed'),
    { type: 'compacted', payload: { message: 'It is fixed.' } },
    item('user', 'Test it'),
  ]
  t.strictSame(outline(readDocument(asLines(lines))), [
    ['line:1', 'user', 'Fix calc.py'],
    ['line:2', 'assistant', 'Fixed'],
    ['line:3', 'compaction', 'It is fixed.', null],
    ['line:3.2', 'user', 'Fix calc.py'],
    ['line:4', 'user', 'Test it'],
  ])
})

t.test('calls of Gemini without ids are joined to their results in their order', async (t) => {
  const call = (path: string) => ({ functionCall: { name: 'read_file', args: { path } } })
  const result = (output: string) => ({ functionResponse: { name: 'read_file', response: { output } } })
  const { session } = readDocument({
    contents: [
      { role: 'user', parts: [{ text: 'Read both' }] },
      { role: 'model', parts: [call('a.ts'), call('b.ts')] },
      { role: 'user', parts: [result('A'), result('B')] },
    ],
  })
  t.strictSame(
    session.entries.map(({ message }) =>
      message?.role === 'assistant'
        ? message.content.map((block) => block.type === 'toolCall' && block.id)
        : message?.role === 'toolResult' && message.toolCallId,
    ),
    [false, ['read_file:0', 'read_file:1'], 'read_file:0', 'read_file:1'],
  )
})

t.test('a thought of OpenHands 0.x, and the call after it in the same response, are one answer', async (t) => {
  const call = (id: string, name: string, values: object) => ({
    ...{ id, type: 'function' },
    function: { name, arguments: JSON.stringify(values) },
  })
  const calls = [call('c1', 'think', { thought: 'Two ways.' }), call('c2', 'read', { path: 'calc.py' })]
  const model_response = { id: 'r1', choices: [{ message: { content: 'Let me think.', tool_calls: calls } }] }
  const metadata = (tool_call_id: string) => ({ tool_call_metadata: { tool_call_id, model_response } })
  const read = readDocument([
    { id: 0, source: 'user', action: 'message', args: { content: 'Fix calc.py', image_urls: ['data:,', null] } },
    { id: 1, source: 'agent', action: 'think', args: { thought: 'Two ways.' }, ...metadata('c1') },
    { id: 2, source: 'agent', observation: 'think', content: 'Your thought has been logged.', ...metadata('c1') },
    { id: 3, source: 'agent', action: 'read', args: { path: 'calc.py', thought: 'Let me think.' }, ...metadata('c2') },
    { id: 4, source: 'agent', observation: 'read', content: 'def add', ...metadata('c2') },
  ])
  t.strictSame(outline(read), [
    ['0', 'user', 'Fix calc.py'],
    ['1', 'assistant', 'Let me think. | Two ways. | read | calc.py'],
    ['4', 'toolResult', 'def add', 'read'],
  ])
})

t.test('messages of Roo before a truncation are left out', async (t) => {
  const read = readDocument([
    { role: 'user', ts: 1, content: 'Fix calc.py', truncationParent: 'x' },
    { role: 'user', ts: 2, content: 'Kept by no marker', truncationParent: 'y' },
    { role: 'user', ts: 3, content: 'Truncated', isTruncationMarker: true, truncationId: 'x' },
    { role: 'assistant', ts: 4, type: 'reasoning', summary: [{ text: 'Think' }] },
    { role: 'user', ts: 5, content: 'Go on' },
  ])
  t.strictSame(outline(read), [
    ['item:2', 'user', 'Kept by no marker'],
    ['item:4', 'assistant', 'Think'],
    ['item:5', 'user', 'Go on'],
  ])
})

t.test('a format that only the fields after its list show is read again in that format', async (t) => {
  const messages = [{ role: 'user', content: 'Fix calc.py' }]
  t.equal(readDocument({ messages, system: 'Be brief.' }).format, 'anthropic')
  t.equal(readDocument({ messages, metadata: { id: 's' }, summaries: [] }).format, 'gencode')
  const calls = [{ role: 'assistant', content: null, tool_calls: [{ id: 'c', function: { name: 'ls' } }] }]
  t.equal(readDocument({ messages: calls, system: 'Be brief.' }).format, undefined)
})
