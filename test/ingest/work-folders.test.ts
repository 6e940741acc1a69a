import t from 'tap'
import { selectBranch } from '../../src/session/link-session.ts'
import { asLines, readDocument } from '../support/read-document.ts'

/** Returns the folder of each message that calls tools, and that of the session. */
function foldersOf(document: string | object, isLines = true): unknown[] {
  const { session } = readDocument(document, { isLines })
  const folders = selectBranch(session).flatMap(({ message }) =>
    message?.role === 'assistant' || message?.role === 'bashExecution' ? (message.cwd ?? '') : [],
  )
  return [session.cwd, ...folders]
}

const claude = (uuid: string, parentUuid: string | null, cwd: string) => ({
  ...{
    type: 'assistant',
    uuid,
    parentUuid,
    isSidechain: false,
    cwd,
    sessionId: 's',
    timestamp: '2026-11-21T18:00:00.000Z',
  },
  message: { role: 'assistant', content: [{ type: 'tool_use', id: uuid, name: 'Bash', input: { command: 'ls' } }] },
})

const codexCall = (id: string) => ({
  type: 'response_item',
  payload: { type: 'function_call', call_id: id, name: 'shell', arguments: '{"command":["ls"]}' },
})

const piCall = (id: string, parentId: string | null) => ({
  ...{ type: 'message', id, parentId },
  message: { role: 'assistant', content: [{ type: 'toolCall', id, name: 'bash', arguments: { command: 'ls' } }] },
})

const gemini = (directories: string) => [
  { sessionId: 's', projectHash: 'h', kind: 'main' },
  { id: '1', type: 'user', content: [{ text: `<session_context>\n${directories}\n- **Directory Structure:**\n` }] },
  {
    ...{ id: '2', type: 'gemini', content: '' },
    toolCalls: [{ id: 'c', name: 'run_shell_command', args: { command: 'ls' } }],
  },
]

const sessions: Record<string, [document: string | object, folders: unknown[]]> = {
  'Claude Code, whose shell may move': [
    asLines([claude('a', null, '/p'), claude('b', 'a', '/p/web'), claude('c', 'b', '/p')]),
    ['/p', '/p', '/p/web', '/p'],
  ],
  'Codex, whose turns may have other folders': [
    asLines([
      { type: 'session_meta', payload: { id: 's', cwd: '/p' } },
      codexCall('a'),
      { type: 'turn_context', payload: { cwd: '/q' } },
      { type: 'response_item', payload: { type: 'function_call_output', call_id: 'a', output: '' } },
      codexCall('b'),
    ]),
    ['/p', '/p', '/q'],
  ],
  'pi, in the first line': [
    asLines([{ type: 'session', version: 3, id: 's', cwd: '/p' }, piCall('a', null), piCall('b', 'a')]),
    ['/p', '/p', '/p'],
  ],
  'pi without a first line': [asLines([piCall('a', null)]), [undefined, '']],
  'Gemini CLI, the first of its folders': [
    asLines(gemini('- **Workspace Directories:**\n  - /p\n  - /lib')),
    ['/p', '/p'],
  ],
  'Gemini CLI, in a sentence': [asLines(gemini("I'm currently working in the directory: /p")), ['/p', '/p']],
  'a folder that is no path': [
    asLines([{ type: 'session', version: 3, id: 's', cwd: 'p\nq' }, piCall('a', null)]),
    [undefined, ''],
  ],
}

for (const [name, [document, folders]] of Object.entries(sessions))
  t.test(`calls have the folder in which the agent works: ${name}`, async (t) => {
    t.strictSame(foldersOf(document), folders)
  })

t.test('the folder of a document is that of all its calls', async (t) => {
  const content = [
    { type: 'toolRequest', id: 'a', toolCall: { value: { name: 'shell', arguments: { command: 'ls' } } } },
  ]
  const document = { working_dir: '/p', conversation: [{ role: 'assistant', created: 1, content }] }
  t.strictSame(foldersOf(document, false), ['/p', '/p'])
})
