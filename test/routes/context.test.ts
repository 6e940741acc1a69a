import t from 'tap'
import { readLines } from '../support/read-session.ts'
import { startApp } from '../support/start-app.ts'

/** An entry of each kind. */
const SESSION = readLines('context')

t.test('what a model sees now: summary, kept region, later entries, one message an entry', async (t) => {
  const { app } = await startApp(t)
  const { messages } = (await app.inject({ method: 'POST', url: '/context', payload: { entries: SESSION } })).json()
  const text = (content: string) => [{ type: 'text', text: content }]
  t.strictSame(messages, [
    {
      role: 'user',
      content: text(
        'The conversation before this point was compacted into this summary:\n\n<summary>\nSo far.\n\n<read-files>\na.ts\n</read-files>\n</summary>',
      ),
    },
    { role: 'user', content: [{ type: 'image', data: 'AAAA', mimeType: 'image/png' }], timestamp: 5 },
    SESSION[4]?.message,
    { role: 'toolResult', toolCallId: 'x', toolName: 'ls', content: text('a.ts'), isError: false, extra: 1 },
    { role: 'user', content: text('Ran `make`\n```\nno\n```\nExit code 2') },
    { role: 'user', content: text('A note.') },
    {
      role: 'user',
      content: text(
        'The conversation went down another branch and came back from it. This is a summary of that branch:\n\n<summary>\nElsewhere.\n</summary>',
      ),
    },
  ])
})

t.test('OpenAI chat messages become pi-style ones', async (t) => {
  const { app } = await startApp(t)
  const chat = [
    { role: 'system', content: 'You are an agent.' },
    { role: 'user', content: [{ type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } }] },
    {
      role: 'assistant',
      content: null,
      tool_calls: [{ id: 'x', type: 'function', function: { name: 'ls', arguments: '{"path":"a"}' } }],
    },
    { role: 'tool', tool_call_id: 'x', content: 'a.ts' },
  ]
  const { messages } = (await app.inject({ method: 'POST', url: '/context', payload: { messages: chat } })).json()
  t.strictSame(messages, [
    { role: 'user', content: [{ type: 'image', data: 'AAAA', mimeType: 'image/png' }] },
    { role: 'assistant', content: [{ type: 'toolCall', id: 'x', name: 'ls', arguments: { path: 'a' } }] },
    { role: 'toolResult', toolCallId: 'x', toolName: 'ls', content: [{ type: 'text', text: 'a.ts' }], isError: false },
  ])
})

t.test('a message of a role that is not known is shown as far as it could be read', async (t) => {
  const { app } = await startApp(t)
  const payload = {
    entries: [
      { type: 'message', message: { role: 'narrator', content: { deep: [1] } } },
      { type: 'message', message: { role: 'narrator', content: 'Meanwhile.' } },
    ],
  }
  const response = await app.inject({ method: 'POST', url: '/context', payload })
  t.same(response.json(), {
    messages: [
      { role: 'user', content: [] },
      { role: 'user', content: [{ type: 'text', text: 'Meanwhile.' }] },
    ],
    report: { ignored: { roles: { narrator: 2 } } },
  })
})
