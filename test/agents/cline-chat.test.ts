import t from 'tap'
import { readRooChat } from '../../src/agents/cline/read-chat.ts'
import type { Message } from '../../src/session/message.ts'

const says = (role: 'user' | 'assistant', text: string): Message => ({ role, content: [{ type: 'text', text }] })

t.test('only a result of Roo that is marked as an error is one', (t) => {
  const read = readRooChat([
    says('user', '<task>\nRun both.\n</task>'),
    says('assistant', '[Tool Use: execute_command]\ncommand: ls\n[Tool Use: execute_command]\ncommand: npm test'),
    {
      role: 'user',
      content: ['[Tool Result]\na.ts', '[Tool Result (Error)]\n1 failed'].map((text) => ({ type: 'text', text })),
    },
  ])
  t.strictSame(
    read.flatMap((message) => (message.role === 'toolResult' ? [[message.content, message.isError]] : [])),
    [
      [[{ type: 'text', text: 'a.ts' }], false],
      [[{ type: 'text', text: '1 failed' }], true],
    ],
  )
  t.end()
})
