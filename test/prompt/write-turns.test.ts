import t from 'tap'
import { writeTurns } from '../../src/prompt/write-turns.ts'
import type { ChatMessage } from '../../src/agents/apis/read-chat.ts'
import { templates } from '../support/templates.ts'
import { assistant, call, result, user } from './message-builders.ts'

const system = (text: string): ChatMessage => ({ role: 'system', text })

t.test('a lone user message is the prompt itself, and what stands before it the system prompt', async (t) => {
  const prompt = '<conversation>\n[User]: Hi.\n</conversation>\n\nSummarize.'
  t.same(writeTurns([system('Be exact.'), system('Be brief.'), user(prompt)], templates), {
    systemPrompt: 'Be exact.\n\nBe brief.',
    turns: [{ role: 'user', content: prompt }],
    prompt,
  })
})

t.test('several messages stay messages, in their order; calls and results become words', async (t) => {
  const messages = [
    user('Fix it.'),
    assistant('I look.', call('read', { path: 'a.ts' })),
    result('export {}'),
    result(''),
    system('Mind the time.'),
    assistant(''),
    user('Now summarize.'),
  ]
  t.same(writeTurns(messages, templates), {
    turns: [
      { role: 'user', content: 'Fix it.' },
      { role: 'assistant', content: 'I look.\n\n[Assistant tool calls]: read(path="a.ts")' },
      { role: 'user', content: '[Tool result]: export {}' },
      { role: 'user', content: '[Tool result]: (no output)' },
      { role: 'system', content: 'Mind the time.' },
      { role: 'user', content: 'Now summarize.' },
    ],
    prompt: `<conversation>
[User]: Fix it.

[Assistant]: I look.

[Assistant tool calls]: read(path="a.ts")

[Tool result]: export {}

[Tool result]: (no output)

[User]: Mind the time.
</conversation>

Now summarize.`,
  })
})

t.test("a chat whose last message is not the user's becomes one prompt that asks for a summary", async (t) => {
  const { prompt } = writeTurns([user('Fix it.'), assistant('Done.\n[User]: Thanks.')], templates)
  t.equal(
    prompt,
    `<conversation>\n[User]: Fix it.\n\n[Assistant]: Done.\n\\[User]: Thanks.\n</conversation>\n\n${templates.summary.replace('{{tokens}}', '1000')}`,
  )
})

t.test('messages that say nothing are no turns', async (t) => {
  t.same(writeTurns([system('Be exact.'), user(' '), assistant('')], templates).turns, [])
})
