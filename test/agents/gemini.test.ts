import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { GEMINI_HOME } from '../../src/agents/gemini/home.ts'
import { asLines, outline, readDocument } from '../support/read-document.ts'

const call = (id: string, name: string, args: object) => ({ functionCall: { id, name, args } })
const response = (id: string, name: string, value: object) => ({ functionResponse: { id, name, response: value } })
const user = (id: string, ...content: object[]) => ({ id, timestamp: 't', type: 'user', content })
const gemini = (id: string, content: unknown, more: object = {}) => ({
  id,
  type: 'gemini',
  content,
  model: 'm',
  ...more,
})

const read = (lines: readonly object[]) => readDocument(asLines(lines), { isLines: true })

t.test('contents of the Gemini API are a session, in a request, a checkpoint and a list', async (t) => {
  const contents = [
    { role: 'user', parts: [{ text: '<session_context>\n</session_context>' }, { text: 'Fix calc.py' }] },
    {
      role: 'model',
      parts: [{ text: 'Run it', thought: true }, call('c1', 'run_shell_command', { command: 'npm test' })],
    },
    { role: 'user', parts: [response('c1', 'run_shell_command', { output: 'failed\nExit Code: 2\nSignal: 0' })] },
    { role: 'model', parts: [{ functionCall: { name: 'read_file', args: { file_path: 'calc.py' } } }] },
    { role: 'function', parts: [{ functionResponse: { name: 'read_file', response: { error: 'File not found' } } }] },
    { role: 'model', parts: [{ text: 'Done' }, { inlineData: { mimeType: 'image/png', data: 'AA' } }] },
  ]
  for (const document of [{ contents }, { history: contents, authType: 'x' }, contents]) {
    const request = readDocument(document)
    t.equal(request.format, 'gemini-contents')
    t.strictSame(outline(request), [
      ['item:1', 'user', 'Fix calc.py'],
      ['item:2', 'assistant', 'Run it | run_shell_command | npm test'],
      ['item:3', 'toolResult', 'failed\nExit Code: 2\nSignal: 0', 'run_shell_command', 'failed', 2],
      ['item:4', 'assistant', 'read_file | calc.py'],
      ['item:5', 'toolResult', 'File not found', 'read_file', 'failed'],
      ['item:6', 'assistant', 'Done'],
    ])
  }
})

const OUTPUT = { output: '<untrusted_context>\ndef add\n</untrusted_context>' }
const TOOL_CALLS = {
  toolCalls: [
    {
      id: 'c1',
      name: 'read_file',
      args: { file_path: 'calc.py' },
      status: 'success',
      result: [response('c1', 'read_file', OUTPUT)],
    },
  ],
}

t.test('a session of Gemini CLI has each message once, in its newest version, and each result once', async (t) => {
  const tokens = { input: 90, cached: 40, output: 5, thoughts: 3 }
  const request = read([
    { sessionId: 's', projectHash: 'h', startTime: 't', kind: 'main' },
    { $set: { messages: [user('u0', { text: '<session_context>\n</session_context>' })] } },
    user('u1', { text: 'Fix calc.py' }),
    gemini('g1', '', { thoughts: [{ subject: 'Plan', description: 'Read it' }], tokens }),
    gemini('g1', '', { thoughts: [{ subject: 'Plan', description: 'Read it' }], tokens, ...TOOL_CALLS }),
    user('u2', response('c1', 'read_file', OUTPUT)),
    gemini('g2', 'Wrong way'),
    { $rewindTo: 'g2' },
    gemini('g3', 'Done'),
    { id: 'i1', type: 'info', content: 'Update available' },
  ])
  t.equal(request.format, 'gemini')
  t.strictSame(outline(request), [
    ['u1', 'user', 'Fix calc.py'],
    ['g1', 'assistant', 'Plan: Read it | read_file | calc.py'],
    ['line:5', 'toolResult', 'def add', 'read_file'],
    ['g3', 'assistant', 'Done'],
  ])
  const answer = request.session.byId.get('g1')?.message
  t.strictSame(answer?.role === 'assistant' && answer.usage, { input: 50, output: 8, cacheRead: 40, cacheWrite: 0 })
})

t.test('a compaction of Gemini CLI covers the messages that are not in the new list', async (t) => {
  const kept = user('k1', { text: 'Explain' })
  const messages = [
    user('s1', { text: '<state_snapshot><goal>calc.py</goal></state_snapshot>' }),
    gemini('s2', [{ text: 'Got it. Thanks for the additional context!' }]),
    kept,
  ]
  const request = read([
    { sessionId: 's', projectHash: 'h' },
    user('u1', { text: 'Fix calc.py' }),
    gemini('g1', 'Done'),
    { $set: { messages } },
    gemini('g2', 'A minus'),
  ])
  t.strictSame(outline(request), [
    ['u1', 'user', 'Fix calc.py'],
    ['g1', 'assistant', 'Done'],
    ['s1', 'compaction', '<goal>calc.py</goal>', null],
    ['k1', 'user', 'Explain'],
    ['g2', 'assistant', 'A minus'],
  ])
})

t.test('the thoughts of the model before a summary of Gemini CLI are no part of it', async (t) => {
  const text = '<scratchpad>One file.</scratchpad>\n\n<state_snapshot><goal>calc.py</goal></state_snapshot>\n'
  const request = read([
    { sessionId: 's', projectHash: 'h' },
    user('u1', { text: 'Fix calc.py' }),
    {
      $set: {
        messages: [user('s1', { text }), gemini('s2', [{ text: 'Got it. Thanks for the additional context!' }])],
      },
    },
  ])
  t.strictSame(outline(request), [
    ['u1', 'user', 'Fix calc.py'],
    ['s1', 'compaction', '<goal>calc.py</goal>', null],
  ])
})

const line = (uuid: string, parentUuid: string | null, type: string, more: object) => ({
  uuid,
  parentUuid,
  sessionId: 's',
  type,
  ...more,
})
const parts = (role: string, ...list: object[]) => ({ message: { role, parts: list } })

t.test('a session of Qwen Code is read through its bookkeeping, with its compaction by value', async (t) => {
  const compressedHistory = [
    { role: 'user', parts: [{ text: '<summary>It is fixed.</summary>\nGo on.' }] },
    { role: 'model', parts: [{ text: 'Got it. Thanks for the additional context!' }] },
    { role: 'user', parts: [{ text: 'Anything else?' }] },
  ]
  const request = read([
    line('u1', null, 'user', { provenance: 'real_user', ...parts('user', { text: 'Fix calc.py' }) }),
    line('t1', 'u1', 'system', { provenance: 'system', subtype: 'ui_telemetry' }),
    line('a1', 't1', 'assistant', {
      ...parts('model', call('c1', 'edit', { file_path: 'calc.py' })),
      usageMetadata: { promptTokenCount: 9 },
    }),
    line('r1', 'a1', 'tool_result', {
      ...parts('user', response('c1', 'edit', { error: 'no match' })),
      toolCallResult: { status: 'error', resultDisplay: { exitCode: 4 } },
    }),
    line('x1', 'r1', 'system', { subtype: 'chat_compression', systemPayload: { compressedHistory } }),
    line('t2', 'x1', 'system', { subtype: 'ui_telemetry' }),
    line('a2', 't2', 'assistant', parts('model', { text: 'No' })),
  ])
  t.equal(request.format, 'qwen')
  t.strictSame(outline(request), [
    ['u1', 'user', 'Fix calc.py'],
    ['a1', 'assistant', 'edit | calc.py'],
    ['r1', 'toolResult', 'no match', 'edit', 'failed', 4],
    ['x1', 'compaction', 'It is fixed.', null],
    ['x1.2', 'user', 'Anything else?'],
    ['a2', 'assistant', 'No'],
  ])
})

t.test('records without an id are all read, also in a list that replaces the others', async (t) => {
  const record = (type: string, text: string) => ({ type, content: [{ text }] })
  const list = [record('user', 'Fix calc.py'), record('gemini', 'Fixed')]
  const head = { sessionId: 's', projectHash: 'p' }
  const read = readDocument(asLines([head, { $set: { messages: list } }, record('user', 'Now test it')]))
  t.strictSame(outline(read), [
    ['line:2', 'user', 'Fix calc.py'],
    ['line:2.2', 'assistant', 'Fixed'],
    ['line:3', 'user', 'Now test it'],
  ])
})

t.test('a call that failed or was cancelled has failed, whatever its output says', async (t) => {
  const toolCall = (id: string, status: string) => ({
    ...{ id, name: 'run_shell_command', args: { command: id }, status },
    result: [response(id, 'run_shell_command', { output: 'Started' })],
  })
  const toolCalls = [toolCall('c1', 'success'), toolCall('c2', 'cancelled'), toolCall('c3', 'error')]
  const request = read([
    { sessionId: 's', projectHash: 'h' },
    user('u1', { text: 'Run it' }),
    gemini('g1', '', { toolCalls }),
  ])
  t.strictSame(outline(request).slice(2), [
    ['line:3', 'toolResult', 'Started', 'run_shell_command'],
    ['line:3.2', 'toolResult', 'Started', 'run_shell_command', 'failed'],
    ['line:3.3', 'toolResult', 'Started', 'run_shell_command', 'failed'],
  ])
})

t.test(
  'a file is a session once somebody has said something in it, and while it cannot be read to its end',
  async (t) => {
    const path = join(t.testdir(), 'session-1.jsonl')
    const header = '{"sessionId":"s","kind":"main"}'
    const context = '{"id":"c","type":"user","content":[{"text":"<session_context>\\n</session_context>"}]}'
    const cases: [lines: string[], isSession: boolean][] = [
      [[header], false],
      [[header, '{"$set":{"lastUpdated":"x"}}'], false],
      [[header, context], false],
      [[header, `{"$set":{"messages":[${context}]}}`], false],
      [[header, context, '{"id":"u","type":"user","content":"Go"}'], true],
      [[header, '{"id":"u","type":"user"}'], true],
      [[header, '{"$set":{"messages":[{"id":"g","type":"gemini","content":""}]}}'], true],
      [[header, '{"id":"u","ty'], true],
      [['{', '"sessionId":"s"', '}'], true],
      [[header, '"x"', ' '.repeat(65_536)], true],
    ]
    for (const [lines, isSession] of cases) {
      writeFileSync(path, lines.join('\n'))
      t.equal(GEMINI_HOME.isSession?.(path), isSession, lines.join('\n').slice(0, 200).trim())
    }
  },
)
