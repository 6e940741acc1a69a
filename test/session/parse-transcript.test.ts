import assert from 'node:assert/strict'
import fc from 'fast-check'
import t from 'tap'
import { serializeConversation } from '../support/serialize-conversation.ts'
import type { ContentBlock, Message } from '../../src/session/message.ts'
import { parseConversation } from '../../src/session/parse-transcript.ts'
import { assistant, call, result, text, thinking, user } from '../prompt/message-builders.ts'
import { hostileText, PROPERTY } from '../prompt/hostile-text.ts'

const messagesOf = (transcript: string): Message[] => parseConversation(transcript).map(({ message }) => message)

t.test('a transcript is read as messages, each with its place', async (t) => {
  const transcript = [
    '[User]: Fix it.',
    '[Assistant thinking]: Look.\n\n[Assistant]: I look.\n\n[Assistant tool calls]: read(path="a.ts"); ls()',
    '[Tool result]: export {}',
    '[Tool result]: (failed, exit code 2)\nno such folder',
    '[Assistant]: Fixed.\n\nIt works.',
    '[User]: Thanks.',
  ].join('\n\n')
  const parsed = parseConversation(transcript)
  const answer = { role: 'toolResult', isPruned: false }
  t.strictSame(
    parsed.map(({ message }) => message),
    [
      user('Fix it.'),
      assistant(thinking('Look.'), 'I look.', call('read', { path: 'a.ts' }, 'call-0'), call('ls', {}, 'call-1')),
      {
        ...answer,
        toolCallId: 'call-0',
        toolName: 'read',
        content: [text('export {}')],
        isError: false,
        isUnmarked: true,
      },
      {
        ...answer,
        toolCallId: 'call-1',
        toolName: 'ls',
        content: [text('no such folder')],
        isError: true,
        exitCode: 2,
      },
      assistant('Fixed.\n\nIt works.'),
      user('Thanks.'),
    ],
  )
  t.strictSame(
    parsed.map(({ start, end }) => transcript.slice(start, end)).join('\n\n'),
    transcript,
    'the slices are the transcript',
  )
})

t.test('text without any label is one user message', async (t) => {
  t.strictSame(parseConversation('Just\n\ntext.'), [{ message: user('Just\n\ntext.'), start: 0, end: 11 }])
  t.strictSame(parseConversation(' \n'), [])
})

t.test('a user who speaks between a call and its result takes nothing from it', async (t) => {
  t.strictSame(messagesOf('[Assistant tool calls]: a()\n\n[User]: Wait.\n\n[Tool result]: b').at(-1), {
    ...result('b'),
    toolCallId: 'call-0',
    toolName: 'a',
    isUnmarked: true,
  })
})

t.test('results answer the calls of the last message that had any', async (t) => {
  const transcript = [
    '[Assistant tool calls]: a(); b()',
    '[Tool result]: 1',
    '[Assistant]: On.',
    '[Tool result]: 2',
    '[Assistant tool calls]: c()',
    '[Assistant tool calls]: d()',
    '[Tool result]: 3',
    '[Tool result]: 4',
    '[Tool result]: 5',
  ]
  const results = messagesOf(transcript.join('\n\n')).filter((message) => message.role === 'toolResult')
  t.strictSame(
    results.map(({ toolCallId, toolName }) => [toolCallId, toolName]),
    [
      ['call-0', 'a'],
      ['call-1', 'b'],
      ['call-2', 'c'],
      ['call-3', 'd'],
      ['no-call-0', ''],
    ],
  )
})

t.test('a new call leaves older ones without a result', async (t) => {
  const results = messagesOf(
    '[Assistant tool calls]: a()\n\n[User]: No.\n\n[Assistant tool calls]: b()\n\n[Tool result]: 1',
  )
  t.strictSame(results.at(-1), { ...result('1'), toolCallId: 'call-1', toolName: 'b', isUnmarked: true })
})

t.test('a calls block in another syntax is kept as text', async (t) => {
  t.strictSame(messagesOf('[Assistant tool calls]: <invoke name="read">'), [assistant('<invoke name="read">')])
})

t.test('blocks without a text have no content', async (t) => {
  t.strictSame(
    messagesOf('[User]: \n\n[Assistant thinking]: \n\n[Assistant]:\n\n[Assistant tool calls]: \n\n[Tool result]: '),
    [user(), assistant(), { ...result(''), toolCallId: 'no-call-0', toolName: '', isUnmarked: true }],
  )
})

t.test('more calls are read than a function takes arguments', async (t) => {
  const [parsed] = parseConversation(`[Assistant tool calls]: ${'a();'.repeat(250_000)}`)
  t.equal(parsed?.message.role === 'assistant' && parsed.message.content.length, 250_000)
})

t.test('a megabyte of labels is read in one pass', async (t) => {
  t.equal(parseConversation('[User]: '.repeat(125_000)).length, 1)
  t.equal(parseConversation('[User]: a\n'.repeat(100_000)).length, 1)
  t.equal(parseConversation('[User]: a\n\n'.repeat(90_000)).length, 90_000)
  t.equal(parseConversation(`${' '.repeat(1_000_000)}\n[User]: a`).length, 1)
})

/** What is compared after a round trip: a run of texts is one text, ids are gone, white space at the ends too. */
const plain = (messages: readonly Message[]): unknown =>
  messages.map((message) => ({
    ...message,
    toolCallId: '',
    ...('content' in message ? { content: joined(message.content) } : {}),
  }))

const joined = (content: readonly ContentBlock[]): unknown[] => {
  const blocks: unknown[] = []
  for (const block of content) blocks.push(block.type === 'toolCall' ? [block.name, block.arguments] : block)
  return blocks
}

const word = fc.string({ unit: 'grapheme-ascii', minLength: 1, maxLength: 20 }).map((value) => `t ${value} t`)
const paragraphs = fc.array(word, { minLength: 1, maxLength: 3 }).map((words) => words.join('\n\n'))
const toolCall = fc
  .tuple(word, fc.dictionary(word, fc.oneof(word, fc.integer())))
  .map(([name, args]) => call(name, { ...args }))
const turn = fc
  .record({
    ask: paragraphs,
    think: paragraphs,
    say: paragraphs,
    calls: fc.array(toolCall, { minLength: 1, maxLength: 3 }),
  })
  .chain(({ ask, think, say, calls }) =>
    fc
      .array(
        fc.record({ output: paragraphs, isError: fc.boolean(), exitCode: fc.option(fc.integer({ min: 1, max: 255 })) }),
        {
          minLength: calls.length,
          maxLength: calls.length,
        },
      )
      .map((results): Message[] => [
        user(ask),
        assistant(thinking(think), say, ...calls),
        ...results.map(({ output, isError, exitCode }, index) => ({
          ...result(output, {
            isError,
            ...(exitCode === null ? (isError ? {} : { isUnmarked: true }) : { exitCode }),
          }),
          toolName: calls[index]?.name ?? '',
        })),
        assistant(say),
      ]),
  )

t.test('what is serialized is read back: roles, texts, calls, and how the tools ended', async () => {
  fc.assert(
    fc.property(fc.array(turn, { maxLength: 4 }), (turns) => {
      const messages = turns.flat()
      assert.deepEqual(plain(messagesOf(serializeConversation(messages, Infinity))), plain(messages))
    }),
    PROPERTY,
  )
})

t.test('reading and writing again changes nothing, whatever the texts hold', async () => {
  const hostileTurn = fc
    .tuple(hostileText, hostileText, hostileText)
    .map(([a, b, c]): Message[] => [
      user(`${a}.`),
      assistant(thinking(`${b}.`), `${c}.`, call(`${a}.`, { [b]: c, n: [a] })),
      result(`${b}.`, { isError: true }),
    ])
  fc.assert(
    fc.property(fc.array(hostileTurn, { maxLength: 3 }), (turns) => {
      const transcript = serializeConversation(turns.flat(), Infinity)
      const parsed = parseConversation(transcript)
      assert.equal(parsed.length, turns.length * 3)
      assert.equal(
        serializeConversation(
          parsed.map(({ message }) => message),
          Infinity,
        ),
        transcript,
      )
      assert.equal(parsed.map(({ start, end }) => transcript.slice(start, end)).join('\n\n'), transcript)
    }),
    PROPERTY,
  )
})
