import t from 'tap'
import type { RawMessage } from '../../src/schemas/message.ts'
import { readMessages } from '../../src/session/read-messages.ts'
import { runSteps } from '../../src/steps.ts'

const read = (messages: object[]) => runSteps(readMessages(messages as RawMessage[])).entries

t.test('messages get the ids m0, m1, ... and form one line', async (t) => {
  const entries = read([
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
    const entries = read([
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
          isPruned: false,
        },
      ],
    )
  },
)

t.test("pi's agent messages are read, with what the planning rules need", async (t) => {
  const entries = read([
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
        exitCode: 2,
      },
      { role: 'bashExecution', command: 'ls', output: 'a', exitCode: 0, cancelled: false },
      { role: 'compactionSummary', summary: 's' },
      { role: 'other', content: [{ type: 'text', text: 'x' }] },
    ],
  )
})
