import { asLines } from './read-document.ts'

/** A number that a parser would change: what is kept must come back byte for byte. */
export const LARGE_NUMBER = '12345678901234567890'

/** The beginning of a session is longer than a request that a summary keeps whole, so that a compaction of it saves something. */
const FIX = `Fix the parser in parser.ts. ${'It must read every line of the file. '.repeat(600)}`
const EXPLAIN = 'Now explain the lexer.'
const DONE = 'The parser is fixed.'
const EXPLAINED = 'The lexer splits a text into words.'

/** The same conversation in each format: two turns, the second of them with two calls at once, of which one fails. */
export const SESSIONS: Record<string, string> = {
  'claude-code': withNumber(asLines(claudeCode())),
  codex: asLines(codex()).replaceAll('LARGE', LARGE_NUMBER),
  gemini: withNumber(asLines(gemini())),
  'gemini, one object': withNumber(
    JSON.stringify({
      sessionId: 's1',
      projectHash: 'p',
      summary: 'A title',
      messages: gemini().slice(1),
      kind: 'main',
    }),
  ),
  qwen: withNumber(asLines(qwen())),
  opencode: withNumber(JSON.stringify({ info: { id: 'ses_1', directory: '/p' }, messages: opencode() }, undefined, 1)),
  'opencode, a list': withNumber(JSON.stringify(opencode())),
  cline: withNumber(
    JSON.stringify({
      version: 1,
      agent: 'lead',
      sessionId: 's1',
      messages: anthropic({ named: true }),
      updated_at: 'now',
    }),
  ),
  'cline-legacy': withNumber(JSON.stringify(anthropic({ named: false }))),
  'openhands-v1': withNumber(asLines(openhandsV1())),
  'openhands-v1, a list': withNumber(JSON.stringify(openhandsV1(), undefined, 1)),
  'openhands-v0': withNumber(JSON.stringify(openhandsV0())),
  atif: withNumber(JSON.stringify({ schema_version: 'ATIF-v1.7', agent: { name: 'a' }, steps: atif(), notes: 'n' })),
  pi: withNumber(asLines([{ type: 'session', version: 3, id: 's1', cwd: '/p' }, ...pi()])),
  'pi, version 1': withNumber(asLines([{ type: 'session', id: 's1', cwd: '/p' }, ...pi(false)])),
}

function withNumber(json: string): string {
  return json.replaceAll('"LARGE"', LARGE_NUMBER)
}

/** The same conversation as lists of messages. */
export const LISTS: Record<string, string> = {
  anthropic: withNumber(
    JSON.stringify({ model: 'm', system: 'Rules.', messages: anthropic({ named: false }).map(withoutTime) }),
  ),
  responses: JSON.stringify({ model: 'm', input: codex().flatMap(itemOf) }).replaceAll('LARGE', LARGE_NUMBER),
  'gemini-contents': withNumber(
    JSON.stringify({ contents: qwen().flatMap(({ type, message }) => (type === 'system' ? [] : [message])) }),
  ),
  chat: JSON.stringify(chat(), undefined, 1).replaceAll('LARGE', LARGE_NUMBER),
  'ai-model': withNumber(JSON.stringify({ messages: aiModel() })),
  'ai-ui': withNumber(JSON.stringify({ id: 'chat-1', messages: aiUi() }, undefined, 1)),
  'ai-ui, version 4': withNumber(JSON.stringify(aiUiOfVersion4())),
}

function withoutTime({ ts: _ts, content, ...message }: ReturnType<typeof anthropic>[number]) {
  const text = typeof content === 'string' ? content : JSON.stringify(content).replace(/<\/?task>/g, '')
  return { ...message, content: JSON.parse(text) as unknown }
}

function itemOf(line: { type: string; payload?: object }): object[] {
  return line.type === 'response_item' && line.payload !== undefined ? [line.payload] : []
}

/** The texts that stay if the second turn is kept. */
export const KEPT_TEXTS = [EXPLAIN, EXPLAINED]

function claudeCode() {
  const common = { userType: 'external', cwd: '/p', sessionId: 's1', version: '2.1.330', gitBranch: 'main' }
  let parentUuid: string | null = null
  const line = (uuid: string, type: string, content: unknown, message: object = {}) => {
    const made = { parentUuid, isSidechain: false, type, uuid, message: { role: type, content, ...message }, ...common }
    parentUuid = uuid
    return made
  }
  const result = (id: string, content: string, is_error = false) => [
    { type: 'tool_result', tool_use_id: id, content, is_error },
  ]
  return [
    { type: 'mode', mode: 'normal', sessionId: 's1' },
    line('u1', 'user', FIX),
    line('a1', 'assistant', [{ type: 'thinking', thinking: 'Think.', signature: 'x' }], { id: 'm1', model: 'm' }),
    line('a2', 'assistant', [call('c1', 'Edit', { file_path: '/p/parser.ts' })], { id: 'm1', model: 'm' }),
    line('r1', 'user', result('c1', 'edited')),
    line('a3', 'assistant', [{ type: 'text', text: DONE }], { id: 'm2' }),
    line('u2', 'user', EXPLAIN),
    line('a4', 'assistant', [call('c2', 'Read', { file_path: '/p/lexer.ts', limit: 'LARGE' })], { id: 'm3' }),
    line('r2', 'user', result('c2', 'lexer')),
    line('a5', 'assistant', [call('c3', 'Bash', { command: 'npm test' })], { id: 'm3' }),
    line('r3', 'user', result('c3', 'Exit code 1', true)),
    { ...line('x1', 'attachment', undefined), attachment: { type: 'date' } },
    line('a6', 'assistant', [{ type: 'text', text: EXPLAINED }], { id: 'm4' }),
    { type: 'last-prompt', lastPrompt: EXPLAIN, leafUuid: 'a6', sessionId: 's1' },
  ]
}

function call(id: string, name: string, input: object) {
  return { type: 'tool_use', id, name, input }
}

function codex() {
  const item = (payload: object) => ({ timestamp: '2026-11-21T18:00:00.000Z', type: 'response_item', payload })
  const message = (role: string, type: string, text: string) =>
    item({ type: 'message', role, content: [{ type, text }] })
  const functionCall = (call_id: string, name: string, input: string) =>
    item({ type: 'function_call', name, arguments: input, call_id })
  const output = (call_id: string, text: string) => item({ type: 'function_call_output', call_id, output: text })
  const lines = [
    { timestamp: '2026-11-21T18:00:00.000Z', type: 'session_meta', payload: { id: 's1', cwd: '/p' } },
    message('developer', 'input_text', 'Rules.'),
    message('user', 'input_text', '<environment_context>/p</environment_context>'),
    message('user', 'input_text', FIX),
    item({ type: 'reasoning', summary: [], encrypted_content: 'aaa' }),
    item({
      type: 'custom_tool_call',
      call_id: 'c1',
      name: 'apply_patch',
      input: '*** Begin Patch\n*** Update File: parser.ts\n*** End Patch',
    }),
    item({ type: 'custom_tool_call_output', call_id: 'c1', output: 'ok' }),
    message('assistant', 'output_text', DONE),
    message('user', 'input_text', EXPLAIN),
    message('developer', 'input_text', 'More rules.'),
    item({ type: 'reasoning', summary: [], encrypted_content: 'bbb' }),
    functionCall('c2', 'shell', '{"command":["cat","lexer.ts"],"timeout":LARGE}'),
    functionCall('c3', 'shell', '{"command":["npm","test"]}'),
    output('c2', 'lexer'),
    output('c3', '{"output":"failed","metadata":{"exit_code":1}}'),
    message('assistant', 'output_text', EXPLAINED),
  ]
  return lines.map((line, ordinal) => ({ ...line, ordinal }))
}

function gemini() {
  const record = (id: string, type: string, content: unknown, fields: object = {}) => ({ id, type, content, ...fields })
  const response = (id: string, name: string, result: object) => ({ functionResponse: { id, name, response: result } })
  const toolCall = (id: string, name: string, args: object, result: object) => ({
    ...{ id, name, args, status: 'error' in result ? 'error' : 'success' },
    result: [response(id, name, result)],
  })
  return [
    { sessionId: 's1', projectHash: 'p', startTime: 'now', kind: 'main' },
    record('g0', 'user', [{ text: '<session_context>\nThis is the Gemini CLI.' }]),
    record('g1', 'user', [{ text: FIX }]),
    record('g2', 'gemini', '', {
      toolCalls: [toolCall('c1', 'replace', { file_path: '/p/parser.ts' }, { output: 'ok' })],
    }),
    record('g3', 'user', [response('c1', 'replace', { output: 'ok' })]),
    record('g4', 'gemini', DONE),
    record('g5', 'user', [{ text: EXPLAIN }]),
    record('g6', 'gemini', '', {
      toolCalls: [
        toolCall('c2', 'read_file', { file_path: '/p/lexer.ts', limit: 'LARGE' }, { output: 'lexer' }),
        toolCall('c3', 'run_shell_command', { command: 'npm test' }, { error: 'Exit Code: 1' }),
      ],
    }),
    record('g7', 'user', [response('c2', 'read_file', { output: 'lexer' })]),
    record('g8', 'gemini', EXPLAINED),
  ]
}

function qwen() {
  let parentUuid: string | null = null
  const line = (uuid: string, type: string, parts: object[], fields: object = {}) => {
    const role = type === 'assistant' ? 'model' : 'user'
    const provenance = type === 'user' ? 'real_user' : type
    const common = { sessionId: 's1', cwd: '/p', version: '0.24.4', provenance }
    const made = { uuid, parentUuid, type, ...common, message: { role, parts }, ...fields }
    parentUuid = uuid
    return made
  }
  const functionCall = (id: string, name: string, args: object) => ({ functionCall: { id, name, args } })
  const response = (id: string, name: string, result: object) => [{ functionResponse: { id, name, response: result } }]
  return [
    line('u1', 'user', [{ text: FIX }]),
    line('a1', 'assistant', [functionCall('c1', 'edit', { file_path: '/p/parser.ts' })]),
    line('r1', 'tool_result', response('c1', 'edit', { output: 'ok' })),
    line('a2', 'assistant', [{ text: DONE }]),
    line('t1', 'system', [], { subtype: 'ui_telemetry', message: undefined }),
    line('u2', 'user', [{ text: EXPLAIN }]),
    line('a3', 'assistant', [
      functionCall('c2', 'read_file', { file_path: '/p/lexer.ts', limit: 'LARGE' }),
      functionCall('c3', 'run_shell_command', { command: 'npm test' }),
    ]),
    line('r2', 'tool_result', response('c2', 'read_file', { output: 'lexer' })),
    line('r3', 'tool_result', response('c3', 'run_shell_command', { error: 'Exit Code: 1' })),
    line('a4', 'assistant', [{ text: EXPLAINED }]),
    line('t2', 'system', [], { subtype: 'ui_telemetry', message: undefined }),
  ]
}

function opencode() {
  const sessionID = 'ses_1'
  const model = { providerID: 'p', modelID: 'm' }
  let number = 0
  const message = (info: object, parts: object[]) => {
    const id = `msg_1ff5b0b180${String(++number).padStart(2, '0')}abcdefghijklmn`
    return { info: { id, sessionID, ...info }, parts: parts.map((part, at) => ({ id: `prt_${number}${at}`, ...part })) }
  }
  const user = (text: string) =>
    message({ role: 'user', agent: 'build', model, time: { created: 1 } }, [{ type: 'text', text }])
  const assistant = (...parts: object[]) =>
    message({ role: 'assistant', mode: 'build', path: { cwd: '/p', root: '/' }, ...model, finish: 'stop' }, parts)
  const tool = (callID: string, name: string, input: object, state: object) => ({
    ...{ type: 'tool', callID, tool: name },
    state: { status: 'completed', input, ...state },
  })
  const list = [
    user(FIX),
    assistant(tool('c1', 'edit', { filePath: '/p/parser.ts' }, { output: 'ok' })),
    assistant({ type: 'text', text: DONE }),
    user(EXPLAIN),
    assistant(
      tool('c2', 'read', { filePath: '/p/lexer.ts', limit: 'LARGE' }, { output: 'lexer' }),
      tool('c3', 'bash', { command: 'npm test' }, { status: 'error', error: 'failed' }),
    ),
    assistant({ type: 'text', text: EXPLAINED }),
  ]
  return list
}

/** @param named with the ids of Cline's SDK format */
function anthropic({ named }: { named: boolean }) {
  const result = (id: string, content: string, is_error = false) => ({
    ...{ type: 'tool_result', tool_use_id: id, content, is_error },
  })
  const text = (words: string) => [{ type: 'text', text: words }]
  const messages = [
    { role: 'user', content: named ? text(FIX) : text(`<task>${FIX}</task>`) },
    { role: 'assistant', content: [call('c1', 'editor', { path: '/p/parser.ts' })] },
    { role: 'user', content: [result('c1', 'ok')] },
    { role: 'assistant', content: text(DONE) },
    { role: 'user', content: text(EXPLAIN) },
    {
      role: 'assistant',
      content: [
        call('c2', 'read_file', { path: '/p/lexer.ts', limit: 'LARGE' }),
        call('c3', 'run_commands', { commands: ['npm test'] }),
      ],
    },
    { role: 'user', content: [result('c2', 'lexer'), result('c3', 'failed', true)] },
    { role: 'assistant', content: text(EXPLAINED) },
  ]
  return messages.map((message, at) => ({ ...(named ? { id: `msg_${at}` } : {}), ...message, ts: 1000 + at }))
}

/** @param hasIds without them, it is session version 1 */
function pi(hasIds = true) {
  const toolCall = (id: string, name: string, input: object) => ({ type: 'toolCall', id, name, arguments: input })
  const result = (toolCallId: string, toolName: string, content: string, isError = false) => ({
    ...{ role: 'toolResult', toolCallId, toolName, content: [{ type: 'text', text: content }], isError },
  })
  const messages = [
    { role: 'user', content: FIX },
    { role: 'assistant', content: [toolCall('c1', 'edit', { path: '/p/parser.ts' })] },
    result('c1', 'edit', 'ok'),
    { role: 'assistant', content: [{ type: 'text', text: DONE }] },
    { role: 'user', content: EXPLAIN },
    {
      role: 'assistant',
      content: [
        toolCall('c2', 'read', { path: '/p/lexer.ts', limit: 'LARGE' }),
        toolCall('c3', 'bash', { command: 'npm test' }),
      ],
    },
    result('c2', 'read', 'lexer'),
    result('c3', 'bash', 'failed', true),
    { role: 'assistant', content: [{ type: 'text', text: EXPLAINED }] },
  ]
  return messages.map((message, at) => ({
    type: 'message',
    ...(hasIds ? { id: `p${at}`, parentId: at === 0 ? null : `p${at - 1}` } : {}),
    message,
  }))
}

function chat() {
  const toolCall = (id: string, name: string, args: string) => ({
    ...{ id, type: 'function' },
    function: { name, arguments: args },
  })
  return [
    { role: 'system', content: 'Rules.' },
    { role: 'user', content: FIX },
    { role: 'assistant', content: null, tool_calls: [toolCall('c1', 'edit', '{"path":"/p/parser.ts"}')] },
    { role: 'tool', tool_call_id: 'c1', content: 'ok' },
    { role: 'assistant', content: DONE },
    { role: 'user', content: EXPLAIN },
    {
      role: 'assistant',
      content: null,
      tool_calls: [toolCall('c2', 'read', '{"path":"/p/lexer.ts","limit":LARGE}'), toolCall('c3', 'bash', '{}')],
    },
    { role: 'tool', tool_call_id: 'c2', content: 'lexer' },
    { role: 'tool', tool_call_id: 'c3', content: 'failed' },
    { role: 'assistant', content: EXPLAINED },
  ]
}

/** `ModelMessage`s of the AI SDK. */
function aiModel() {
  const toolCall = (toolCallId: string, toolName: string, input: object) => ({
    ...{ type: 'tool-call', toolCallId, toolName, input },
  })
  const result = (toolCallId: string, toolName: string, type: string, value: unknown) => ({
    ...{ type: 'tool-result', toolCallId, toolName, output: { type, value } },
  })
  return [
    { role: 'system', content: 'Rules.' },
    { role: 'user', content: FIX },
    { role: 'assistant', content: [toolCall('c1', 'edit', { path: '/p/parser.ts' })] },
    { role: 'tool', content: [result('c1', 'edit', 'json', { ok: true })] },
    { role: 'assistant', content: DONE },
    { role: 'user', content: [{ type: 'text', text: EXPLAIN }] },
    {
      role: 'assistant',
      content: [
        { type: 'reasoning', text: 'Think.', providerOptions: { p: { signature: 'x' } } },
        toolCall('c2', 'read', { path: '/p/lexer.ts', limit: 'LARGE' }),
        toolCall('c3', 'bash', { command: 'npm test' }),
      ],
    },
    { role: 'tool', content: [result('c2', 'read', 'text', 'lexer'), result('c3', 'bash', 'error-text', 'failed')] },
    { role: 'assistant', content: [{ type: 'text', text: EXPLAINED }] },
  ]
}

/** `UIMessage`s of the AI SDK: one message has all steps of an answer. */
function aiUi() {
  const tool = (type: string, toolCallId: string, input: object, end: object) => ({ type, toolCallId, input, ...end })
  const done = (output: unknown) => ({ state: 'output-available', output })
  const step = { type: 'step-start' }
  const text = (words: string) => ({ type: 'text', text: words })
  return [
    { id: 'm0', role: 'system', parts: [text('Rules.')] },
    { id: 'm1', role: 'user', parts: [text(FIX)] },
    {
      id: 'm2',
      role: 'assistant',
      parts: [step, tool('tool-edit', 'c1', { path: '/p/parser.ts' }, done({ ok: true })), step, text(DONE)],
    },
    { id: 'm3', role: 'user', parts: [text(EXPLAIN)] },
    {
      id: 'm4',
      role: 'assistant',
      parts: [
        step,
        { type: 'reasoning', text: 'Think.' },
        tool('tool-read', 'c2', { path: '/p/lexer.ts', limit: 'LARGE' }, done('lexer')),
        {
          ...tool('dynamic-tool', 'c3', { command: 'npm test' }, { state: 'output-error', errorText: 'failed' }),
          toolName: 'bash',
        },
        step,
        text(EXPLAINED),
      ],
    },
  ]
}

/** The same in version 4: the text of a message is its `content`, its calls are `toolInvocations`. */
function aiUiOfVersion4() {
  const invocation = (toolCallId: string, toolName: string, args: object, result: unknown) => ({
    ...{ state: 'result', toolCallId, toolName, args, result },
  })
  return [
    { id: 'm1', role: 'user', content: FIX },
    { id: 'm2', role: 'assistant', content: '', toolInvocations: [invocation('c1', 'edit', { path: 'a.ts' }, 'ok')] },
    { id: 'm3', role: 'assistant', content: DONE },
    { id: 'm4', role: 'user', content: EXPLAIN },
    {
      id: 'm5',
      role: 'assistant',
      content: '',
      toolInvocations: [
        invocation('c2', 'read', { path: '/p/lexer.ts', limit: 'LARGE' }, 'lexer'),
        invocation('c3', 'bash', { command: 'npm test' }, 'failed'),
      ],
    },
    { id: 'm6', role: 'assistant', content: EXPLAINED },
  ]
}

function openhandsV1() {
  const message = (id: string, source: string, words: string) => ({
    ...{ kind: 'MessageEvent', id, source },
    llm_message: { role: source === 'agent' ? 'assistant' : 'user', content: [{ type: 'text', text: words }] },
  })
  const action = (id: string, response: string, input: object) => ({
    ...{ kind: 'ActionEvent', id, source: 'agent', thought: [], tool_name: id, tool_call_id: `c${id}` },
    ...{ llm_response_id: response, action: { kind: 'Action', ...input } },
  })
  const result = (id: string, call: string, words: string, is_error = false) => ({
    ...{ kind: 'ObservationEvent', id, source: 'environment', tool_name: call, tool_call_id: `c${call}` },
    observation: { kind: 'Observation', content: [{ type: 'text', text: words }], is_error },
  })
  return [
    { kind: 'SystemPromptEvent', id: 'e0', source: 'agent', system_prompt: { text: 'Rules.' } },
    message('e1', 'user', FIX),
    action('file_editor', 'r1', { command: 'str_replace', path: '/p/parser.ts' }),
    result('e3', 'file_editor', 'ok'),
    { kind: 'ConversationStateUpdateEvent', id: 'e4', source: 'environment', key: 'stats', value: {} },
    message('e5', 'agent', DONE),
    message('e6', 'user', EXPLAIN),
    action('view', 'r2', { path: '/p/lexer.ts', limit: 'LARGE' }),
    action('terminal', 'r2', { command: 'npm test' }),
    result('e9', 'view', 'lexer'),
    {
      kind: 'AgentErrorEvent',
      id: 'e10',
      source: 'agent',
      tool_name: 'terminal',
      tool_call_id: 'cterminal',
      error: 'failed',
    },
    message('e11', 'agent', EXPLAINED),
  ]
}

function openhandsV0() {
  const event = (id: number, source: string, fields: object) => ({
    id,
    timestamp: '2026-11-21T18:00:00',
    source,
    ...fields,
  })
  const message = (id: number, source: string, content: string) =>
    event(id, source, { action: 'message', message: content, args: { content } })
  return [
    event(0, 'agent', { action: 'system', args: { content: 'Rules.' } }),
    message(1, 'user', FIX),
    event(2, 'agent', { action: 'edit', args: { path: '/p/parser.ts', command: 'str_replace' } }),
    event(3, 'agent', { observation: 'edit', cause: 2, content: 'ok', extras: {} }),
    message(4, 'agent', DONE),
    message(5, 'user', EXPLAIN),
    event(6, 'agent', { action: 'read', args: { path: '/p/lexer.ts', limit: 'LARGE' } }),
    event(7, 'agent', { observation: 'read', cause: 6, content: 'lexer', extras: {} }),
    event(8, 'agent', { action: 'run', args: { command: 'npm test' } }),
    event(9, 'agent', { observation: 'run', cause: 8, content: 'failed', extras: { metadata: { exit_code: 1 } } }),
    message(10, 'agent', EXPLAINED),
  ]
}

function atif() {
  const toolCall = (tool_call_id: string, function_name: string, args: object) => ({
    ...{ tool_call_id, function_name, arguments: args },
  })
  const result = (source_call_id: string, content: string, extra: object = {}) => ({ source_call_id, content, extra })
  const steps = [
    { source: 'system', message: 'Rules.' },
    { source: 'user', message: FIX },
    {
      ...{ source: 'agent', message: '', tool_calls: [toolCall('c1', 'edit', { path: '/p/parser.ts' })] },
      observation: { results: [result('c1', 'ok')] },
    },
    { source: 'agent', message: DONE },
    { source: 'user', message: EXPLAIN },
    {
      ...{ source: 'agent', message: '', reasoning_content: 'Think.', metrics: { prompt_tokens: 500 } },
      tool_calls: [
        toolCall('c2', 'read', { path: '/p/lexer.ts', limit: 'LARGE' }),
        toolCall('c3', 'bash', { command: 'npm test' }),
      ],
      observation: { results: [result('c2', 'lexer'), result('c3', 'failed', { is_error: true, exit_code: 1 })] },
    },
    { source: 'agent', message: EXPLAINED },
  ]
  return steps.map((step, index) => ({ step_id: index + 1, ...step }))
}
