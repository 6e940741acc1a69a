import t from 'tap'
import { readSession } from '../../bench/support/read-session.ts'
import { nameTools, selectBranch } from '../../src/session/link-session.ts'
import { problemOf } from '../support/problem-of.ts'

const header = { type: 'session', version: 3 }
const title = { type: 'title', pad: '  ' }
const user = (text: string, fields: object = {}) => ({
  type: 'message',
  ...fields,
  message: { role: 'user', content: text },
})
const read = (entries: object[]) => readSession({ entries })
const ids = (entries: object[], leafId?: string) => selectBranch(read(entries), leafId).map(({ id }) => id)

const faultsOf = (entries: object[], leafId?: string) => {
  const { type, faults } = problemOf(() => ids(entries, leafId))
  return [type, ...faults.map(([pointer]) => pointer)]
}

t.test('rule 1: the branch is the path from the leaf to the root, the last entry by default', async (t) => {
  const tree = [
    header,
    user('root', { id: 'a', parentId: null }),
    user('left', { id: 'b', parentId: 'a' }),
    user('right', { id: 'c', parentId: 'a' }),
  ]
  t.same(ids(tree), ['a', 'c'])
  t.same(ids(tree, 'b'), ['a', 'b'])
})

t.test('rule 1: a parent may stand after its child in the file', async (t) => {
  const tree = [
    user('1', { id: 'a', parentId: null }),
    user('3', { id: 'c', parentId: 'b' }),
    user('2', { id: 'b', parentId: 'a' }),
  ]
  t.same(ids(tree, 'c'), ['a', 'b', 'c'])
})

t.test('rule 1: the first entry may name a parent outside the body, since a body may be a tail', async (t) => {
  t.same(ids([header, user('1', { id: 'b', parentId: 'gone' }), user('2', { id: 'c', parentId: 'b' })]), ['b', 'c'])
})

t.test('rule 1: any other entry whose parent is not there is named', async (t) => {
  const tree = [header, user('1', { id: 'a', parentId: null }), user('2', { id: 'b', parentId: 'gone' })]
  t.same(faultsOf(tree), ['invalid-session', '/entries/2/parentId'])
})

t.test('rule 1: a duplicate id is named', async (t) => {
  const tree = [user('1', { id: 'a', parentId: null }), user('2', { id: 'a', parentId: 'a' })]
  t.same(faultsOf(tree), ['invalid-session', '/entries/1/id'])
})

t.test('rule 1: a cycle is named, also one that the leaf is not on', async (t) => {
  const tree = [
    user('1', { id: 'a', parentId: null }),
    user('2', { id: 'b', parentId: 'c' }),
    user('3', { id: 'c', parentId: 'b' }),
    user('4', { id: 'd', parentId: 'a' }),
  ]
  t.same(faultsOf(tree), ['invalid-session', '/entries/1/parentId'])
  t.same(faultsOf([user('1', { id: 'a', parentId: 'a' })]), ['invalid-session', '/entries/0/parentId'])
})

t.test('rule 1: an unknown leaf is named', async (t) => {
  t.same(faultsOf([user('1', { id: 'a', parentId: null })], 'b'), ['invalid-session', '/leafId'])
})

t.test('rule 1: entries without ids form one line, header and title lines not counted', async (t) => {
  t.same(ids([title, header, user('1'), user('2'), { type: 'model_change' }]), ['e0', 'e1', 'e2'])
})

t.test("rule 1: a version-1 compaction's firstKeptEntryIndex counts the header line as 0", async (t) => {
  const entries = [header, user('1'), user('2'), { type: 'compaction', summary: 's', firstKeptEntryIndex: 2 }]
  t.equal(read(entries).entries[2]?.compaction?.firstKeptEntryId, 'e1')
})

t.test('rule 1: hookMessage is the old name of custom', async (t) => {
  const entries = [{ type: 'message', message: { role: 'hookMessage', content: 'note' } }]
  t.same(read(entries).entries[0]?.message, { role: 'custom', content: [{ type: 'text', text: 'note' }] })
})

t.test('entries with ids and without any parentId form one line in the order of the body', async (t) => {
  t.same(ids([user('1', { id: 'a' }), user('2', { id: 'b' })]), ['a', 'b'])
})

t.test('several roots are a tree: an agent may edit its first message', async (t) => {
  t.same(ids([user('1', { id: 'a', parentId: null }), user('1b', { id: 'b', parentId: null })]), ['b'])
})

t.test('a message without an id among entries with ids is named; an unknown line without one is skipped', async (t) => {
  const named = user('1', { id: 'a', parentId: null })
  t.same(faultsOf([named, user('2')]), ['invalid-session', '/entries/1/id'])
  t.same(ids([named, { type: 'from_the_future' }]), ['a'])
})

t.test('rule 2: only messages, custom messages and branch summaries contribute', async (t) => {
  const contributes = (entry: object) => read([entry]).entries[0]?.message !== undefined
  const table: [object, boolean][] = [
    [user('hi'), true],
    [{ type: 'custom_message', content: 'note' }, true],
    [{ type: 'branch_summary', summary: 's' }, true],
    [{ type: 'message', message: { role: 'bashExecution', command: 'ls' } }, true],
    [{ type: 'message', message: { role: 'bashExecution', command: 'ls', excludeFromContext: true } }, false],
    [user('hi', { excludeFromContext: true }), false],
    [{ type: 'message', message: { role: 'system', content: '' } }, false],
    [{ type: 'message', message: { role: 'developer', content: '' } }, false],
    [{ type: 'compaction', summary: 's' }, false],
    [{ type: 'model_change' }, false],
  ]
  t.same(
    table.map(([entry]) => contributes(entry)),
    table.map(([, expected]) => expected),
  )
})

t.test('rule 9: files of a summary that an extension wrote are left out, its text is not', async (t) => {
  const details = { readFiles: ['a.ts', 5], modifiedFiles: ['b.ts'] }
  const filesOf = (fields: object) => read([{ type: 'compaction', summary: 's', details, ...fields }]).entries[0]?.files
  t.same(filesOf({}), { readFiles: ['a.ts'], modifiedFiles: ['b.ts'] })
  t.same([filesOf({ fromHook: true }), filesOf({ fromExtension: true })], [undefined, undefined])
})

t.test('rule 9: a summary without details has no list, one that touched no files has an empty one', async (t) => {
  const filesOf = (fields: object) => read([{ type: 'compaction', summary: 's', ...fields }]).entries[0]?.files
  t.same(
    [filesOf({}), filesOf({ details: null }), filesOf({ details: { other: ['a.ts'] } })],
    [undefined, undefined, undefined],
  )
  t.same(filesOf({ details: { readFiles: [] } }), { readFiles: [], modifiedFiles: [] })
})

t.test('rule 3: a compaction that kept its history at the provider is opaque', async (t) => {
  const opaqueness = (preserveData: object) =>
    read([{ type: 'compaction', summary: 's', preserveData }]).entries[0]?.compaction?.isOpaque
  t.same([opaqueness({ openaiRemoteCompaction: {} }), opaqueness({ other: 1 })], [true, false])
})

t.test('a long chain is read without recursion', async (t) => {
  const chain = Array.from({ length: 50_000 }, (_, n) =>
    user('x', { id: `n${n}`, parentId: n === 0 ? null : `n${n - 1}` }),
  )
  t.equal(ids(chain).length, 50_000)
})

const readList = (messages: object[]) => readSession({ messages }).entries

t.test('messages get the ids m0, m1, ... and form one line', async (t) => {
  const entries = readList([
    { role: 'user', content: 'a' },
    { role: 'user', content: 'b' },
  ])
  t.same(
    entries.map(({ id, parentId }) => [id, parentId]),
    [
      ['m0', null],
      ['m1', 'm0'],
    ],
  )
})

t.test(
  'OpenAI chat messages are read: tool calls with their arguments, results with the name of their tool',
  async (t) => {
    const entries = readList([
      { role: 'system', content: 'You are an agent.' },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'Look' },
          { type: 'image_url', image_url: { url: 'data:' } },
        ],
      },
      {
        role: 'assistant',
        content: null,
        tool_calls: [
          { id: 'c1', type: 'function', function: { name: 'read', arguments: '{"path":"a.ts"}' } },
          { id: 'c2', type: 'function', function: { name: 'bash', arguments: 'not json' } },
        ],
      },
      { role: 'tool', tool_call_id: 'c1', content: 'text' },
    ])
    t.same(
      entries.map(({ message }) => message),
      [
        undefined,
        { role: 'user', content: [{ type: 'text', text: 'Look' }, { type: 'image' }] },
        {
          role: 'assistant',
          content: [
            { type: 'toolCall', id: 'c1', name: 'read', arguments: { path: 'a.ts' } },
            { type: 'toolCall', id: 'c2', name: 'bash', arguments: 'not json' },
          ],
        },
        {
          role: 'toolResult',
          toolCallId: 'c1',
          toolName: 'read',
          content: [{ type: 'text', text: 'text' }],
          isError: false,
          isUnmarked: true,
          isPruned: false,
        },
      ],
    )
  },
)

t.test("pi's agent messages are read, with what the planning rules need", async (t) => {
  const entries = readList([
    {
      role: 'assistant',
      content: [
        { type: 'thinking', thinking: 'hm' },
        { type: 'redacted_thinking', data: 'x' },
        { type: 'text', text: '' },
        { type: 'toolCall', id: 'c', name: 'ls' },
      ],
      stopReason: 'toolUse',
      errorMessage: null,
      provider: 'p',
      model: 'm',
      usage: { input: 5, cacheRead: null, totalTokens: 9 },
    },
    { role: 'toolResult', toolCallId: 'c', content: 'gone', prunedAt: 5, isError: true, details: { exitCode: 2 } },
    { role: 'bashExecution', command: 'ls', output: 'a', exitCode: 0, cancelled: false },
    { role: 'compactionSummary', summary: 's' },
    { role: 'pythonExecution', content: 'x' },
  ])
  t.same(
    entries.map(({ message }) => message),
    [
      {
        role: 'assistant',
        content: [
          { type: 'thinking', thinking: 'hm' },
          { type: 'toolCall', id: 'c', name: 'ls', arguments: {} },
        ],
        stopReason: 'toolUse',
        provider: 'p',
        model: 'm',
        usage: { input: 5, output: 0, cacheRead: 0, cacheWrite: 0, totalTokens: 9 },
      },
      {
        role: 'toolResult',
        toolCallId: 'c',
        toolName: 'ls',
        content: [{ type: 'text', text: 'gone' }],
        isError: true,
        isPruned: true,
        prunedAt: 5,
        exitCode: 2,
      },
      { role: 'bashExecution', command: 'ls', output: 'a', exitCode: 0, cancelled: false },
      { role: 'compactionSummary', summary: 's' },
      { role: 'other', content: [{ type: 'text', text: 'x' }] },
    ],
  )
})

t.test('a result without the name of its tool gets that of its call, and a name that it has stays', async (t) => {
  const call = { type: 'toolCall', id: 'c1', name: 'read', arguments: {} }
  const result = (toolName: string, toolCallId: string) => ({
    message: { role: 'toolResult', toolName, toolCallId, content: [], isError: false },
  })
  const entries = [
    { message: { role: 'assistant', content: [call] } },
    ...[result('', 'c1'), result('bash', 'c1'), result('grep', 'c9'), result('', 'c9')],
  ] as unknown as Parameters<typeof nameTools>[0]
  nameTools(entries)
  t.same(
    entries.map(({ message }) => (message?.role === 'toolResult' ? message.toolName : undefined)),
    [undefined, 'read', 'bash', 'grep', ''],
  )
})
