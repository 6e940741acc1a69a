import t from 'tap'
import { readChat } from '../../src/agents/apis/read-chat.ts'

const tool = (name: string, content: unknown[]) => ({
  role: 'toolResult',
  toolCallId: name,
  toolName: name,
  content,
  isError: false,
  isUnmarked: true,
  isPruned: false,
})

t.test('messages are read in their order: developer as system, function as tool', async (t) => {
  t.same(
    readChat([
      { role: 'system', content: 'Be exact.' },
      { role: 'developer', content: [{ type: 'text', text: 'Be brief.' }] },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'Look.' },
          { type: 'image_url', image_url: { url: 'data:' } },
        ],
      },
      { role: 'function', name: 'ls', content: 'a.ts' },
      { role: 'function', name: 'rm', content: null },
    ]),
    [
      { role: 'system', text: 'Be exact.' },
      { role: 'system', text: 'Be brief.' },
      { role: 'user', content: [{ type: 'text', text: 'Look.' }, { type: 'image' }] },
      tool('ls', [{ type: 'text', text: 'a.ts' }]),
      tool('rm', []),
    ],
  )
})
