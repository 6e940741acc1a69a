import t from 'tap'
import { outline, readDocument } from '../support/read-document.ts'

const user = (id: string, ...parts: object[]) => ({ info: { id, role: 'user' }, parts })
const answer = (id: string, info: object, ...parts: object[]) => ({
  info: { id, role: 'assistant', finish: 'stop', modelID: 'm', ...info },
  parts: [{ type: 'step-start' }, ...parts],
})
const text = (value: string, more: object = {}) => ({ type: 'text', text: value, ...more })
const tool = (id: string, name: string, state: object) => ({ type: 'tool', id, callID: `c-${id}`, tool: name, state })

const MESSAGES = [
  user('u1', text('Fix calc.py'), {
    type: 'file',
    mime: 'image/png',
    url: 'data:image/png;base64,AA',
    filename: 'a.png',
  }),
  answer(
    'a1',
    { finish: 'tool-calls', tokens: { input: 9, output: 2, cache: { read: 4, write: 1 } } },
    { type: 'reasoning', text: 'Run it' },
    tool('p1', 'bash', {
      status: 'completed',
      input: { command: 'npm test' },
      output: 'failed',
      metadata: { exit: 1 },
    }),
    tool('p2', 'read', { status: 'error', input: { filePath: 'calc.py' }, error: 'File not found' }),
    tool('p3', 'read', { status: 'completed', input: {}, output: 'def add', time: { compacted: 7 } }),
    tool('p4', 'bash', { status: 'running', input: { command: 'sleep 9' } }),
    { type: 'hologram' },
  ),
  user('u2', text('Explain'), text('File contents', { synthetic: true }), text('not sent', { ignored: true })),
  answer('a2', {}, text('A minus')),
  user('u3', { type: 'compaction', auto: false, tail_start_id: 'u2' }),
  answer('s1', { summary: true, mode: 'compaction', parentID: 'u3' }, text('<summary>\nIt is fixed.\n</summary>')),
  user('u4', text('Anything else?')),
  answer('a3', { finish: undefined, error: { name: 'ApiError', data: { message: 'too long' } } }),
]

t.test('an export of opencode is read, with its compaction and the messages that it kept', async (t) => {
  for (const document of [{ info: { id: 'ses_1' }, messages: MESSAGES }, MESSAGES]) {
    const read = readDocument(document)
    t.equal(read.format, 'opencode')
    t.strictSame(outline(read), [
      ['u1', 'user', 'Fix calc.py'],
      ['a1', 'assistant', 'Run it | bash | npm test | read | calc.py | read | bash | sleep 9', 'toolUse'],
      ['p1', 'toolResult', 'failed', 'bash', 1],
      ['p2', 'toolResult', 'File not found', 'read', 'failed'],
      ['p3', 'toolResult', '[Old tool result content cleared]', 'read', 'pruned'],
      ['u2', 'user', 'Explain'],
      ['item:3', 'custom', 'File contents'],
      ['a2', 'assistant', 'A minus', 'stop'],
      ['s1', 'compaction', 'It is fixed.', 'u2'],
      ['u4', 'user', 'Anything else?'],
      ['a3', 'assistant', 'too long', 'error'],
    ])
    t.strictSame(read.ignored, { blocks: { hologram: 1 } })
  }
})

t.test('a compaction that failed counts as absent', async (t) => {
  const failed = answer('s1', { summary: true, error: { name: 'X' } }, text('half'))
  t.strictSame(outline(readDocument([MESSAGES[0] as object, user('u3', { type: 'compaction' }), failed])).length, 1)
})
