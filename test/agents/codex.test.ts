import t from 'tap'
import { readWorkTurns } from '../../src/extract/work-turns.ts'
import { asLines, outline, readDocument } from '../support/read-document.ts'

const meta = { timestamp: 't', type: 'session_meta', payload: { id: 's', cwd: '/work', cli_version: '0.120.0' } }
const line = (payload: object) => ({ timestamp: 't', type: 'response_item', payload })
const message = (role: string, text: string, more: object = {}) => ({
  type: 'message',
  role,
  content: [{ type: role === 'assistant' ? 'output_text' : 'input_text', text }],
  ...more,
})
const call = (id: string, name: string, values: object) => ({
  type: 'function_call',
  name,
  arguments: JSON.stringify(values),
  call_id: id,
})
const output = (id: string, text: unknown) => ({ type: 'function_call_output', call_id: id, output: text })

const ran = (code: number, text: string) => `Wall time: 0.1 seconds\nProcess exited with code ${code}\nOutput:\n${text}`

const PATCH = '*** Begin Patch\n*** Update File: calc.py\n*** End Patch\n'

const ITEMS = [
  message('developer', 'Be brief'),
  message('user', '<environment_context>\n</environment_context>'),
  message('user', 'Fix calc.py', { id: 'u1' }),
  { type: 'reasoning', id: 'rs1', summary: [{ type: 'summary_text', text: 'Run the tests' }], encrypted_content: 'x' },
  call('c1', 'exec_command', { cmd: 'npm test' }),
  call('c2', 'exec_command', { cmd: 'ls' }),
  output('c1', ran(1, 'failed')),
  output('c2', ran(0, 'Process exited with code 7')),
  { type: 'custom_tool_call', call_id: 'c3', name: 'apply_patch', input: PATCH },
  { type: 'custom_tool_call_output', call_id: 'c3', output: '{"output":"ok","metadata":{"exit_code":0}}' },
  message('assistant', 'Fixed', { id: 'a1' }),
]

const READ = [
  ['custom', '<environment_context>\n</environment_context>'],
  ['user', 'Fix calc.py'],
  ['assistant', 'Run the tests | exec_command | npm test | exec_command | ls'],
  ['toolResult', ran(1, 'failed'), 'exec_command', 'failed', 1],
  ['toolResult', ran(0, 'Process exited with code 7'), 'exec_command', 0],
  ['assistant', `apply_patch | ${PATCH}`],
  ['toolResult', 'ok', 'apply_patch', 0],
  ['assistant', 'Fixed'],
]

const withoutIds = (entries: unknown[]) => entries.map((entry) => (entry as unknown[]).slice(1))

t.test('items in envelopes, bare items and the items of a request are the same session', async (t) => {
  const usage = { input_tokens: 90, cached_input_tokens: 40, output_tokens: 5 }
  const lines = [
    meta,
    { timestamp: 't', type: 'turn_context', payload: { model: 'm' } },
    ...ITEMS.map(line),
    { timestamp: 't', type: 'event_msg', payload: { type: 'agent_message', message: 'Fixed' } },
    { timestamp: 't', type: 'event_msg', payload: { type: 'token_count', info: { last_token_usage: usage } } },
    { timestamp: 't', type: 'hologram', payload: {} },
  ]
  const codex = readDocument(asLines(lines), { isLines: true })
  t.equal(codex.format, 'codex')
  t.strictSame(withoutIds(outline(codex)), READ)
  t.strictSame(codex.ignored, { entryTypes: { hologram: 1 } })
  const answer = codex.session.byId.get('a1')?.message
  t.strictSame(answer?.role === 'assistant' && answer.usage, { input: 50, output: 5, cacheRead: 40, cacheWrite: 0 })

  const bare = [{ id: 's', timestamp: 't', instructions: null }, { record_type: 'state' }, ...ITEMS]
  const old = readDocument(asLines(bare), { isLines: true })
  t.equal(old.format, 'codex')
  t.strictSame(withoutIds(outline(old)), READ)

  for (const document of [{ model: 'm', input: ITEMS }, { object: 'response', output: ITEMS }, ITEMS]) {
    const request = readDocument(document)
    t.equal(request.format, 'responses')
    t.strictSame(withoutIds(outline(request)), READ)
  }
})

t.test('entries have the ids of their items, or else the number of their line', async (t) => {
  const { session } = readDocument(asLines([meta, ...ITEMS.map(line)]), { isLines: true })
  t.strictSame(
    session.entries.map(({ id }) => id),
    ['line:3', 'u1', 'rs1', 'line:8', 'line:9', 'line:10', 'line:11', 'a1'],
  )
})

const PREAMBLE =
  'Another language model started to solve this problem and produced a summary of its thinking process. ' +
  'Use it to assist with your own analysis:\n'

t.test('a compaction is its summary and the messages that it kept, by value', async (t) => {
  const history = [
    message('developer', 'Be brief'),
    message('user', 'Fix calc.py'),
    message('user', `${PREAMBLE}It is fixed.`),
  ]
  const lines = [
    meta,
    line(message('user', 'Fix calc.py')),
    line(message('assistant', 'Fixed')),
    {
      timestamp: 't',
      type: 'compacted',
      payload: { message: `${PREAMBLE}It is fixed.`, replacement_history: history },
    },
    line(message('user', 'Anything else?')),
  ]
  t.strictSame(outline(readDocument(asLines(lines), { isLines: true })), [
    ['line:2', 'user', 'Fix calc.py'],
    ['line:3', 'assistant', 'Fixed'],
    ['line:4', 'compaction', 'It is fixed.', null],
    ['line:4.2', 'user', 'Fix calc.py'],
    ['line:5', 'user', 'Anything else?'],
  ])
})

t.test('an encrypted compaction counts as absent', async (t) => {
  const payload = {
    message: '',
    replacement_history: [message('user', 'Fix'), { type: 'compaction', encrypted_content: 'x' }],
  }
  const lines = [
    meta,
    line(message('user', 'Fix')),
    { timestamp: 't', type: 'compacted', payload },
    line(message('assistant', 'Ok')),
  ]
  t.strictSame(withoutIds(outline(readDocument(asLines(lines), { isLines: true }))), [
    ['user', 'Fix'],
    ['assistant', 'Ok'],
  ])
})

t.test(
  'a message that a server has written in the role of the user is its summary, unless the user has said it',
  async (t) => {
    const compacted = (...texts: string[]) => ({
      timestamp: 't',
      type: 'compacted',
      payload: { message: '', replacement_history: texts.map((text) => message('user', text)) },
    })
    const read = (history: object) => {
      const lines = [meta, line(message('user', 'Fix')), line(message('assistant', 'Fixed')), history]
      return withoutIds(outline(readDocument(asLines([...lines, line(message('user', 'On'))]), { isLines: true })))
    }
    const before = [
      ['user', 'Fix'],
      ['assistant', 'Fixed'],
    ]
    t.strictSame(read(compacted('Fix', 'It was fixed.')), [
      ...before,
      ['compaction', 'It was fixed.', null],
      ['user', 'Fix'],
      ['user', 'On'],
    ])
    for (const history of [compacted('Fix'), compacted('It was fixed.', 'Fix'), compacted('# AGENTS.md instructions')])
      t.strictSame(read(history), [...before, ['user', 'On']])
  },
)

t.test('how a call ended is read from the fields of its output', async (t) => {
  const items = [
    { type: 'shell_call', call_id: 'c1', action: { commands: ['ls', 'pwd'] } },
    {
      type: 'shell_call_output',
      call_id: 'c1',
      output: [{ stdout: 'a', stderr: 'b', outcome: { type: 'exit', exit_code: 3 } }],
    },
    { type: 'apply_patch_call', call_id: 'c2', operation: { type: 'update_file', path: 'a.ts', diff: '@@' } },
    { type: 'apply_patch_call_output', call_id: 'c2', status: 'failed', output: 'no such file' },
    { type: 'local_shell_call', call_id: 'c3', action: { type: 'exec', command: ['ls'] } },
    { type: 'local_shell_call_output', id: 'c3', output: 'a.ts' },
    { type: 'mcp_call', id: 'm1', name: 'search', arguments: 'not JSON', output: null, error: 'timeout' },
    { type: 'function_call', call_id: 'c4', name: 'view_image', arguments: '{}' },
    {
      type: 'function_call_output',
      call_id: 'c4',
      output: [{ type: 'input_image', image_url: 'data:image/png;base64,AA' }],
    },
  ]
  t.strictSame(
    withoutIds(outline(readDocument(items))).filter(([role]) => role === 'toolResult'),
    [
      ['toolResult', 'a\nb', 'shell', 'failed', 3],
      ['toolResult', 'no such file', 'apply_patch', 'failed'],
      ['toolResult', 'a.ts', 'local_shell'],
      ['toolResult', 'timeout', 'search', 'failed'],
      ['toolResult', '', 'view_image'],
    ],
  )
})

t.test('what the model says before its turn has ended is a remark, and no answer', async (t) => {
  const event = (type: string) => ({ timestamp: 't', type: 'event_msg', payload: { type } })
  const remark = line(message('assistant', 'I look at the parser first.'))
  const [started, complete] = [event('task_started'), event('task_complete')]
  const ended = (...lines: object[]) => {
    const { session } = readDocument(asLines([meta, line(message('user', 'Fix')), ...lines]), { isLines: true })
    return readWorkTurns(
      session.entries.flatMap(({ message }) => message ?? []),
      false,
    ).map(({ end }) => end)
  }
  t.strictSame(ended(started, remark, complete), ['answered'])
  t.strictSame(ended(started, remark), ['unfinished'], 'the turn goes on')
  t.strictSame(ended(started, remark, line(message('user', 'Skip the lexer.')), remark, complete), [
    'unfinished',
    'answered',
  ])
  t.strictSame(ended(started, remark, line(message('user', '<turn_aborted>\nx</turn_aborted>'))), ['interrupted'])
  t.strictSame(ended(remark), ['answered'], 'no line says when turns begin')
  t.strictSame(ended(event('task_started'), event('turn_aborted'), remark), ['answered'])
  const next = [started, line(message('user', 'Test it.')), line(message('assistant', 'It passes.'))]
  t.strictSame(ended(started, remark, ...next), ['answered', 'answered'], 'only the next turn says where one ends')
  t.strictSame(ended(started, remark, complete, ...next), ['answered', 'unfinished'])
  t.strictSame(ended(line(message('assistant', 'I look.', { phase: 'commentary' }))), ['unfinished'])
  t.strictSame(ended(started, line(message('assistant', 'Fixed.', { phase: 'final_answer' }))), ['answered'])
})
