import fc from 'fast-check'
import t from 'tap'
import { writeChatChunks } from '../../src/routes/write-chat-chunks.ts'
import type { ChatCompletionReply } from '../../src/schemas/chat-completion.ts'

const completion = (content: string): ChatCompletionReply => ({
  id: 'chatcmpl-1',
  object: 'chat.completion',
  created: 1,
  model: 'm',
  choices: [
    { index: 0, message: { role: 'assistant', content, refusal: null }, logprobs: null, finish_reason: 'stop' },
  ],
  usage: { prompt_tokens: 2, completion_tokens: 1, total_tokens: 3 },
})
const head = { id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1, model: 'm' }
const choice = (delta: object, finish_reason: string | null = null) => [
  { index: 0, delta, logprobs: null, finish_reason },
]

const dataOf = (events: string): unknown[] =>
  events
    .split('\n\n')
    .filter(Boolean)
    .map((event) => event.replace(/^data: /, ''))
    .map((data) => (data === '[DONE]' ? data : (JSON.parse(data) as unknown)))

t.test('role, text, reason, usage where it was asked for, [DONE]', async (t) => {
  t.same(dataOf(writeChatChunks(completion('Hi.'), { includeUsage: true })), [
    { ...head, choices: choice({ role: 'assistant', content: '' }), usage: null },
    { ...head, choices: choice({ content: 'Hi.' }), usage: null },
    { ...head, choices: choice({}, 'stop'), usage: null },
    { ...head, choices: [], usage: { prompt_tokens: 2, completion_tokens: 1, total_tokens: 3 } },
    '[DONE]',
  ])
  t.notMatch(writeChatChunks(completion('Hi.'), { includeUsage: false }), 'usage')
})

t.test('the pieces together are the text, and none cuts a pair', async () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 1000 }), (text) => {
      const pieces = dataOf(writeChatChunks(completion(text), { includeUsage: false }))
        .slice(1, -2)
        .map((chunk) => (chunk as { choices: [{ delta: { content: string } }] }).choices[0].delta.content)
      return pieces.join('') === text && pieces.every((piece) => !/\p{Surrogate}/u.test(piece))
    }),
    { seed: 20261121 },
  )
})
