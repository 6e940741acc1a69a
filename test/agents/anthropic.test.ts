import t from 'tap'
import { outline, readDocument } from '../support/read-document.ts'

const MESSAGES = [
  { role: 'user', content: 'Fix calc.py' },
  {
    role: 'assistant',
    content: [
      { type: 'thinking', thinking: 'Run it', signature: 'x' },
      { type: 'tool_use', id: 'c1', name: 'Bash', input: { command: 'npm test' } },
      { type: 'tool_use', id: 'c2', name: 'Read', input: { file_path: 'calc.py' } },
    ],
  },
  {
    role: 'user',
    content: [
      { type: 'tool_result', tool_use_id: 'c1', content: 'Exit code 1\nfailed', is_error: true },
      { type: 'tool_result', tool_use_id: 'c2', content: [{ type: 'text', text: 'def add' }] },
      { type: 'text', text: 'Be quick' },
    ],
  },
  { role: 'assistant', content: [{ type: 'text', text: 'Done' }, { type: 'hologram' }] },
]

const READ = [
  ['item:1', 'user', 'Fix calc.py'],
  ['item:2', 'assistant', 'Run it | Bash | npm test | Read | calc.py'],
  ['item:3', 'toolResult', 'Exit code 1\nfailed', 'Bash', 'failed', 1],
  ['item:3.2', 'toolResult', 'def add', 'Read'],
  ['item:3.3', 'user', 'Be quick'],
  ['item:4', 'assistant', 'Done'],
]

t.test('a request of the Anthropic API and its list of messages are the same session', async (t) => {
  const request = { model: 'claude', system: [{ type: 'text', text: 'Be brief' }], messages: MESSAGES }
  for (const document of [request, MESSAGES, { session: request }, { session: MESSAGES }]) {
    const read = readDocument(document)
    t.equal(read.format, 'anthropic')
    t.strictSame(outline(read), READ)
    t.strictSame(read.ignored, { blocks: { hologram: 1 } })
  }
})

t.test('everything before a compaction block is covered', async (t) => {
  const compacted = {
    role: 'assistant',
    content: [
      { type: 'compaction', content: 'It is fixed.' },
      { type: 'text', text: 'Go' },
    ],
  }
  t.strictSame(outline(readDocument([MESSAGES[0], compacted])).slice(1), [
    ['item:2', 'compaction', 'It is fixed.', null],
    ['item:2.2', 'assistant', 'Go'],
  ])
})

t.test('a session of Cline has its own ids, and texts without the tags of the client', async (t) => {
  const messages = [
    {
      id: 'm1',
      role: 'user',
      content: [{ type: 'text', text: '<user_input mode="act">Fix calc.py</user_input>' }],
      ts: 1,
    },
    {
      id: 'm2',
      role: 'assistant',
      content: [{ type: 'tool_use', id: 'c1', name: 'run_commands', input: { commands: ['npm test'] } }],
      ts: 2,
      modelInfo: { id: 'model' },
      metrics: { inputTokens: 100, outputTokens: 5, cacheReadTokens: 60, cacheWriteTokens: 10 },
    },
    {
      id: 'm3',
      role: 'user',
      content: [
        {
          type: 'tool_result',
          tool_use_id: 'c1',
          content: [{ query: 'npm test', result: '[Command exited with code 2]', success: false }],
        },
      ],
      ts: 3,
    },
    { id: 'm4', role: 'user', content: 'Context summary:\n\nIt is fixed.', metadata: { kind: 'compaction_summary' } },
    { id: 'm5', role: 'user', content: 'Anything else?', ts: 5 },
  ]
  const read = readDocument({ version: 1, agent: 'lead', sessionId: 's', system_prompt: 'Be brief', messages })
  t.equal(read.format, 'cline')
  t.strictSame(outline(read), [
    ['m1', 'user', 'Fix calc.py'],
    ['m2', 'assistant', 'run_commands | npm test'],
    ['m3', 'toolResult', '[Command exited with code 2]', 'run_commands', 'failed', 2],
    ['m4', 'compaction', 'It is fixed.', null],
    ['m5', 'user', 'Anything else?'],
  ])
  const answer = read.session.byId.get('m2')?.message
  t.strictSame(answer?.role === 'assistant' && answer.usage, { input: 30, output: 5, cacheRead: 60, cacheWrite: 10 })
})

t.test('the history of old versions of Cline is read, with calls and results as text', async (t) => {
  const messages = [
    {
      role: 'user',
      content: [
        { type: 'text', text: '<task>\nFix calc.py\n</task>' },
        { type: 'text', text: '<environment_details>\n# Files\n</environment_details>' },
      ],
    },
    { role: 'assistant', content: '<read_file><path>calc.py</path></read_file>' },
    { role: 'user', content: [{ type: 'text', text: "[read_file for 'calc.py'] Result:\ndef add" }] },
    { role: 'user', content: 'Summary of it all', isSummary: true, condenseId: 'x' },
    { role: 'user', content: 'Go on', ts: 9 },
  ]
  const read = readDocument(messages)
  t.equal(read.format, 'cline-legacy')
  t.strictSame(outline(read), [
    ['item:1', 'user', 'Fix calc.py'],
    ['item:2', 'assistant', '<read_file><path>calc.py</path></read_file> | read_file | calc.py'],
    ['item:3', 'toolResult', 'def add', 'read_file'],
    ['item:4', 'compaction', 'Summary of it all', null],
    ['item:5', 'user', 'Go on'],
  ])
})
