import { asLines } from './read-document.ts'

/** A number that a parser would change: what is kept must come back byte for byte. */
export const LARGE_NUMBER = '12345678901234567890'

/** The beginning of a session is long, so that a compaction of it saves something. */
const FIX = `Fix the parser in parser.ts. ${'It must read every line of the file. '.repeat(120)}`
const EXPLAIN = 'Now explain the lexer.'
const DONE = 'The parser is fixed.'
const EXPLAINED = 'The lexer splits a text into words.'

/** The same conversation in each format: two turns, the second of them with two calls at once, of which one fails. */
export const SESSIONS: Record<string, string> = {
  'claude-code': asLines(claudeCode()).replaceAll('"LARGE"', LARGE_NUMBER),
  codex: asLines(codex()).replaceAll('LARGE', LARGE_NUMBER),
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
