import t from 'tap'
import { checkCompletion, type Completion } from '../../../src/model/openai/read-completion.ts'
import { completion, type Reply } from '../../support/model-server.ts'

const USAGE = { inputTokens: 100, outputTokens: 10 }
const NONE = { inputTokens: 0, outputTokens: 0 }

type Without<T> = T extends unknown ? Omit<T, 'finishReason'> : never
type Checked = Without<Completion>

const judge = (completion: unknown): Checked => {
  const { finishReason: _finishReason, ...checked } = checkCompletion(completion)
  return checked
}

const COMPLETIONS: [name: string, reply: Reply, expected: Checked][] = [
  ['an answer', { text: ' A summary.\n' }, { outcome: 'ok', text: 'A summary.', usage: USAGE }],
  [
    'an answer in parts',
    {
      message: {
        content: [
          { type: 'text', text: 'A ' },
          { type: 'thinking', text: 'hm' },
          { type: 'text', text: 'B' },
        ],
      },
    },
    { outcome: 'ok', text: 'A B', usage: USAGE },
  ],
  ['invalid parts', { message: { content: [null, 3, { type: 'text' }] } }, { outcome: 'empty', usage: USAGE }],
  ['no finish reason', { text: 'A', finishReason: null }, { outcome: 'ok', text: 'A', usage: USAGE }],
  ['an unknown finish reason', { text: 'A', finishReason: 'eos' }, { outcome: 'ok', text: 'A', usage: USAGE }],
  [
    "a finish reason that is an object's key",
    { text: 'A', finishReason: 'constructor' },
    { outcome: 'ok', text: 'A', usage: USAGE },
  ],
  [
    'a text beside a tool call',
    { text: 'A', finishReason: 'tool_calls', message: { tool_calls: [{}] } },
    { outcome: 'ok', text: 'A', usage: USAGE },
  ],
  ['no text', { text: '' }, { outcome: 'empty', usage: USAGE }],
  ['null', { text: null }, { outcome: 'empty', usage: USAGE }],
  ['white space', { text: ' \n' }, { outcome: 'empty', usage: USAGE }],
  ['punctuation and invisible characters', { text: '\u200b...\n---' }, { outcome: 'empty', usage: USAGE }],
  ['thinking and nothing else', { text: '<think>hm</think>' }, { outcome: 'empty', usage: USAGE }],
  ['a tool call and no text', { text: null, message: { tool_calls: [{}] } }, { outcome: 'malformed', usage: USAGE }],
  ['a function call and no text', { text: '', message: { function_call: {} } }, { outcome: 'malformed', usage: USAGE }],
  ['an empty list of tool calls', { text: '', message: { tool_calls: [] } }, { outcome: 'empty', usage: USAGE }],
  ['length', { text: 'A', finishReason: 'length' }, { outcome: 'truncated', hasText: true, usage: USAGE }],
  [
    'length without text',
    { text: null, finishReason: 'length' },
    { outcome: 'truncated', hasText: false, usage: USAGE },
  ],
  [
    'length while thinking',
    { text: '<think>hm', finishReason: 'length' },
    { outcome: 'truncated', hasText: false, usage: USAGE },
  ],
  ["Gemini's length", { text: 'A', finishReason: 'MAX_TOKENS' }, { outcome: 'truncated', hasText: true, usage: USAGE }],
  [
    "Mistral's length",
    { text: 'A', finishReason: 'model_length' },
    { outcome: 'truncated', hasText: true, usage: USAGE },
  ],
  ['a content filter', { text: 'A', finishReason: 'content_filter' }, { outcome: 'refused', usage: USAGE }],
  ['a refusal', { text: null, message: { refusal: 'No.' } }, { outcome: 'refused', usage: USAGE }],
  [
    'a refusal that was cut off',
    { text: null, finishReason: 'length', message: { refusal: 'No.' } },
    { outcome: 'refused', usage: USAGE },
  ],
  ['no refusal', { text: 'A', message: { refusal: null } }, { outcome: 'ok', text: 'A', usage: USAGE }],
  [
    'a provider that failed in the middle',
    { text: 'A', finishReason: 'error' },
    { outcome: 'malformed', usage: USAGE },
  ],
  [
    'a server out of resources',
    { text: 'A', finishReason: 'insufficient_system_resource' },
    { outcome: 'malformed', usage: USAGE },
  ],
  ['no usage', { text: 'A', usage: null }, { outcome: 'ok', text: 'A', usage: NONE }],
  [
    'a usage whose sum with another one would be infinite',
    { text: 'A', usage: { prompt_tokens: 1e308, completion_tokens: 2 ** 53 } },
    { outcome: 'ok', text: 'A', usage: NONE },
  ],
  [
    'half a usage',
    { text: 'A', usage: { prompt_tokens: 7 } },
    { outcome: 'ok', text: 'A', usage: { inputTokens: 7, outputTokens: 0 } },
  ],
  [
    'a usage of nonsense',
    { text: 'A', usage: { prompt_tokens: '7', completion_tokens: -1 } },
    { outcome: 'ok', text: 'A', usage: NONE },
  ],
]

for (const [name, reply, expected] of COMPLETIONS)
  t.test(`${name} is ${expected.outcome}`, async (t) => {
    t.strictSame(judge(completion(reply)), expected)
  })

const OTHERS: [name: string, value: unknown][] = [
  ['an HTML page', '<html></html>'],
  ['nothing', undefined],
  ['null', null],
  ['a list', [completion()]],
  ['no choices', {}],
  ['an empty list of choices', { choices: [] }],
  ['choices that are not a list', { choices: { 0: {} } }],
  ['a choice that is null', { choices: [null] }],
  ['a choice without a message', { choices: [{ text: 'A', finish_reason: 'stop' }] }],
]

for (const [name, value] of OTHERS)
  t.test(`${name} is malformed`, async (t) => {
    t.strictSame(judge(value), { outcome: 'malformed', usage: NONE })
  })

t.test('tokens of a malformed completion are counted', async (t) => {
  t.strictSame(judge({ usage: { prompt_tokens: 5, completion_tokens: 2 } }), {
    outcome: 'malformed',
    usage: { inputTokens: 5, outputTokens: 2 },
  })
})

t.test('the finish reason is the server’s, if it is a single word', async (t) => {
  const reasons = ['stop', 'max_tokens', null, 'a whole sentence of somebody', 7]
  t.same(
    reasons.map((reason) => checkCompletion(completion({ finishReason: reason as string })).finishReason),
    ['stop', 'max_tokens', 'unknown', 'unknown', 'unknown'],
  )
})
