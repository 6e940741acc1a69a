import t from 'tap'
import { redactMessages } from '../../src/redact/redact-messages.ts'
import type { Message } from '../../src/session/message.ts'

const KEY = 'sk-proj-' + 'aB3dE5fG7hJ9kL1mN2pQ'
const GONE = '[redacted:openai-key]'
const text = (words: string) => ({ type: 'text' as const, text: words })

t.test('every text of a message is redacted, and counted', async (t) => {
  const messages: Message[] = [
    { role: 'user', content: [text(`Use ${KEY}`)] },
    {
      role: 'assistant',
      content: [
        { type: 'thinking', thinking: `They gave ${KEY}` },
        {
          type: 'toolCall',
          id: 'c',
          name: 'bash',
          arguments: { command: `export K=${KEY}`, env: { DB_PASSWORD: 'hunter2', n: 1 } },
        },
      ],
      errorMessage: `bad ${KEY}`,
    },
    { role: 'bashExecution', command: `echo ${KEY}`, output: `${KEY}\n`, cancelled: false },
    { role: 'compactionSummary', summary: `The key ${KEY}` },
  ]
  const { messages: redacted, redactions } = redactMessages(messages)
  t.equal(redactions, 8)
  t.strictSame(redacted, [
    { role: 'user', content: [text(`Use ${GONE}`)] },
    {
      role: 'assistant',
      content: [
        { type: 'thinking', thinking: `They gave ${GONE}` },
        {
          type: 'toolCall',
          id: 'c',
          name: 'bash',
          arguments: { command: `export K=${GONE}`, env: { DB_PASSWORD: '[redacted:password]', n: 1 } },
        },
      ],
      errorMessage: `bad ${GONE}`,
    },
    { role: 'bashExecution', command: `echo ${GONE}`, output: `${GONE}\n`, cancelled: false },
    { role: 'compactionSummary', summary: `The key ${GONE}` },
  ])
})

t.test('messages without a secret are handed back as they are', async (t) => {
  const messages: Message[] = [
    { role: 'user', content: [text('Fix it.'), { type: 'image', mimeType: 'image/png' } as never] },
    { role: 'toolResult', toolCallId: KEY, toolName: 'read', content: [text('ok')], isError: false, isPruned: false },
  ]
  const { messages: same, redactions } = redactMessages(messages)
  t.equal(same, messages)
  t.equal(redactions, 0)
  const [first, second] = redactMessages([...messages, { role: 'user', content: [text(KEY)] }]).messages
  t.equal(first, messages[0])
  t.equal(second, messages[1])
})

t.test('arguments of any depth do not overflow the stack', async (t) => {
  let nested: unknown = KEY
  for (let depth = 0; depth < 10_000; depth++) nested = { nested }
  const { messages } = redactMessages([
    { role: 'user', content: [text(KEY)] },
    { role: 'assistant', content: [{ type: 'toolCall', id: 'c', name: 'x', arguments: nested }] },
  ])
  t.notOk(JSON.stringify(messages).includes(KEY))
})
