import t from 'tap'
import { isOpencodeId } from '../../src/agents/opencode/exported.ts'
import { collectFiles } from '../../src/extract/collect-files.ts'
import { pairMessages } from '../../src/extract/runs.ts'
import { toolCallsOf } from '../../src/session/message.ts'
import { asLines, outline, readDocument } from '../support/read-document.ts'

/** Returns the entries of a session in a few words, and what its reader has ignored. */
function read(document: string | object, format?: string) {
  const session = readDocument(document, { query: format === undefined ? {} : { format } })
  return { entries: outline(session), ignored: session.ignored }
}

const text = (value: string) => ({ type: 'text', text: value })
const go = { info: { id: 'u1', role: 'user' }, parts: [text('Go')] }

t.test('opencode: bookkeeping among the parts of an answer is no content, and nothing unknown', (t) => {
  const kinds = ['step-start', 'step-finish', 'snapshot', 'patch', 'retry', 'agent', 'compaction', 'subtask']
  const parts = [text('Done.'), ...kinds.map((type) => ({ type }))]
  t.strictSame(read([go, { info: { id: 'a1', role: 'assistant' }, parts }]), {
    entries: [
      ['u1', 'user', 'Go'],
      ['a1', 'assistant', 'Done.'],
    ],
    ignored: undefined,
  })
  t.end()
})

t.test('opencode: an undo from a part on leaves the parts before it', (t) => {
  const parts = ['p1', 'p2', 'p3'].map((id) => ({ id, ...text(id) }))
  const messages = [go, { info: { id: 'a1', role: 'assistant' }, parts }, { ...go, info: { id: 'u2', role: 'user' } }]
  const entries = (revert: object) => read({ info: { id: 'ses_1', revert }, messages }).entries
  const asked = ['u1', 'user', 'Go']
  t.strictSame(entries({ messageID: 'a1', partID: 'p2' }), [asked, ['a1', 'assistant', 'p1']])
  t.strictSame(entries({ messageID: 'a1' }), [asked])
  t.strictSame(entries({ messageID: 'u2' }), [asked, ['a1', 'assistant', 'p1 | p2 | p3']])
  t.end()
})

t.test('opencode 2: files have their names, and a call says how it ended', (t) => {
  const files = [
    { mime: 'text/plain', filename: 'a.ts', name: 'other' },
    { mime: 'text/plain', name: 'b.ts' },
    { mime: 'image/png', filename: 'c.png' },
  ]
  const tool = (id: string, state: object) => ({ type: 'tool', id, name: 'read', state: { input: {}, ...state } })
  const content = [
    tool('c1', { status: 'completed', output: 'text' }),
    tool('c2', { status: 'error', error: { message: 'no file' } }),
    tool('c3', { status: 'error', error: 'no folder' }),
    tool('c4', { status: 'running' }),
  ]
  const { entries } = read([
    { id: 'msg_1', type: 'user', text: 'Read them', files },
    { id: 'msg_2', type: 'assistant', content },
  ])
  t.strictSame(
    entries.map((entry) => (entry as unknown[]).slice(1)),
    [
      ['user', 'Read them | [File: a.ts] | [File: b.ts]'],
      ['assistant', 'read | read | read | read'],
      ['toolResult', 'text', 'read'],
      ['toolResult', 'no file', 'read', 'failed'],
      ['toolResult', 'no folder', 'read', 'failed'],
    ],
  )
  t.end()
})

t.test('opencode: only a whole id may stand in a command', (t) => {
  const ids = ['ses_1', 'ses_', 'ses_1; ls', 'ses_1\n', 'xses_1', '../ses_1']
  t.strictSame(ids.filter(isOpencodeId), ['ses_1'])
  t.end()
})

t.test('Claude Code: a message is of the user only if a person has written it', (t) => {
  const kinds = ['human', 'user', undefined, 'channel', 'task-notification']
  const lines = kinds.map((kind, at) => ({
    ...{ type: 'user', uuid: `u${at}`, parentUuid: at === 0 ? null : `u${at - 1}`, isSidechain: false, sessionId: 's' },
    ...{ origin: kind === undefined ? undefined : { kind }, message: { role: 'user', content: 'Go' } },
  }))
  t.strictSame(
    read(asLines(lines)).entries.map((entry) => (entry as unknown[])[1]),
    ['user', 'user', 'user', 'custom', 'custom'],
  )
  t.end()
})

t.test('Gemini CLI: an answer with more than the words that follow a summary is an answer', (t) => {
  const thanks = { text: 'Got it. Thanks for the additional context!' }
  const read_file = { functionCall: { id: 'c1', name: 'read_file', args: { path: 'a.ts' } } }
  const record = (id: string, ...content: object[]) => ({ id, type: 'gemini', content })
  const messages = [{ id: 'u1', type: 'user', content: 'Go' }, record('g1', thanks), record('g2', thanks, read_file)]
  t.strictSame(read({ sessionId: 's', messages }, 'gemini').entries, [
    ['u1', 'user', 'Go'],
    ['g2', 'assistant', `${thanks.text} | read_file | a.ts`],
  ])
  t.end()
})

t.test('SWE-agent: only a step with an action, its output and a thought shows the format', (t) => {
  const step = { action: 'ls', observation: 'a.ts', thought: 'Look.', response: 'x' }
  const { thought: _, ...other } = step
  const formatOf = (value: object) => {
    try {
      return readDocument([value]).format
    } catch {
      return undefined
    }
  }
  t.equal(formatOf(step), 'swe-agent')
  t.equal(formatOf(other), undefined)
  t.end()
})

t.test('SWE-agent: an edit changes the file that is open, where commands are texts too', (t) => {
  const edit = 'edit 4:4\ndef division(a, b):\nend_of_edit'
  const actions = ['open "tests/a b.py" 4', edit, 'create c.py', edit, 'ls']
  const trajectory = actions.map((action) => ({ action, observation: 'ok', thought: 'Go on.', response: 'x' }))
  const { session } = readDocument({ trajectory })
  const messages = session.entries.flatMap(({ message }) => message ?? [])
  t.strictSame(
    messages.flatMap((message) => toolCallsOf(message).map(({ name }) => name)),
    ['open', 'edit', 'create', 'edit', 'bash'],
  )
  t.strictSame(collectFiles(pairMessages(messages)).modifiedFiles, ['c.py', 'tests/a b.py'])
  t.end()
})

t.test('Goose: what stands for a command is no summary of the messages before it', async (t) => {
  const says = (role: string, words: string, [userVisible, agentVisible] = [true, true]) => ({
    ...{ role, created: 1, metadata: { userVisible, agentVisible } },
    content: [{ type: 'text', text: words }],
  })
  const conversation = [
    says('user', 'Fix the parser.'),
    says('assistant', 'Fixed.'),
    says('user', '/goal all tests pass', [true, false]),
    says('assistant', 'The goal is set.', [true, false]),
    says('user', 'Start working toward this goal now: all tests pass', [false, true]),
    says('assistant', 'I run them.'),
  ]
  const { entries } = read({ conversation }, 'goose')
  t.strictSame(
    entries.map((entry) => (entry as unknown[])[1]),
    ['user', 'assistant', 'user', 'assistant', 'custom', 'assistant'],
  )
})

t.test('Goose: of a message with results and words, the results come first', (t) => {
  const value = { content: [{ type: 'text', text: 'a.ts' }] }
  const request = {
    type: 'toolRequest',
    id: 'c1',
    toolCall: { status: 'success', value: { name: 'ls', arguments: {} } },
  }
  const response = { type: 'toolResponse', id: 'c1', toolResult: { status: 'success', value } }
  const conversation = [
    { id: 'g1', role: 'user', created: 1, content: [text('Look')] },
    { id: 'g2', role: 'assistant', created: 2, content: [request] },
    { id: 'g3', role: 'user', created: 3, content: [text('And be quick'), response] },
  ]
  t.strictSame(
    read({ conversation }, 'goose').entries.map((entry) => (entry as unknown[]).slice(1)),
    [
      ['user', 'Look'],
      ['assistant', 'ls'],
      ['toolResult', 'a.ts', 'ls'],
      ['user', 'And be quick'],
    ],
  )
  t.end()
})

t.test('Anthropic: the text of a document is read, and others are shown by their titles', (t) => {
  const document = (source: object, title?: string) => ({ type: 'document', source, ...(title && { title }) })
  const content = [
    document({ type: 'text', media_type: 'text/plain', data: 'The text.' }, 'a.txt'),
    document({ type: 'base64', media_type: 'application/pdf', data: 'JVBERi0=' }, 'b.pdf'),
    document({ type: 'url', url: 'https://example.com/c.pdf' }),
  ]
  const [entry] = read({ messages: [{ role: 'user', content: [text('Read'), ...content] }] }, 'anthropic').entries
  t.equal((entry as unknown[])[2], 'Read')
  t.match(
    JSON.stringify(read({ messages: [{ role: 'user', content }] }, 'anthropic').entries),
    /The text\..*b\.pdf\].*Document\]/,
  )
  t.notMatch(JSON.stringify(read({ messages: [{ role: 'user', content }] }, 'anthropic').entries), 'JVBERi0')
  t.end()
})

t.test('AI SDK: model messages keep their ids', (t) => {
  const messages = [
    { id: 'x1', role: 'user', content: 'Go' },
    { id: 'x2', role: 'assistant', content: [{ type: 'reasoning', text: 'Hm.' }, text('Done.')] },
  ]
  t.strictSame(read({ messages }, 'ai-model').entries, [
    ['x1', 'user', 'Go'],
    ['x2', 'assistant', 'Hm. | Done.'],
  ])
  t.end()
})
