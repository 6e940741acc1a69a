import t from 'tap'
import { APIError } from 'openai'
import {
  type ParameterSupport,
  detectUnsupported,
  LearnedSupport,
} from '../../../src/model/openai/parameter-support.ts'

const answered = (status: number, body: string) =>
  APIError.generate(status, { error: { message: body } }, undefined, new Headers())

const ASSUMED: ParameterSupport = { limitName: 'max_completion_tokens', reasoningEffort: 'low' }

const REJECTIONS: [server: string, status: number, body: string, change: Partial<ParameterSupport> | undefined][] = [
  [
    'an older OpenAI-compatible server',
    400,
    'Unrecognized request argument supplied: max_completion_tokens',
    { limitName: 'max_tokens' },
  ],
  [
    'vLLM before 0.10',
    400,
    "{\"object\":\"error\",\"message\":\"[{'type': 'extra_forbidden', 'loc': ('body', 'max_completion_tokens'), 'msg': 'Extra inputs are not permitted', 'input': 8192}]\",\"code\":400}",
    { limitName: 'max_tokens' },
  ],
  [
    'Mistral',
    422,
    '{"detail":[{"type":"extra_forbidden","loc":["body","max_completion_tokens"],"msg":"Extra inputs are not permitted","input":50}]}',
    { limitName: 'max_tokens' },
  ],
  [
    'OpenAI',
    400,
    '{"error":{"message":"Unsupported value: \'reasoning_effort\' does not support \'minimal\' with this model.","param":"reasoning_effort","code":"unsupported_value"}}',
    { reasoningEffort: undefined },
  ],
  [
    'xAI',
    400,
    '{"code":"invalid-argument","error":"Model grok-build-0.1 does not support parameter reasoningEffort."}',
    { reasoningEffort: undefined },
  ],
  ['Ollama', 400, '{"error":{"message":"\\"gemma3\\" does not support thinking"}}', { reasoningEffort: undefined }],
  [
    'OpenAI, of the limit',
    400,
    'max_tokens is too large: 32768. This model supports at most 16384 completion tokens, whereas you provided 32768.',
    { largestLimit: 16_384 },
  ],
  [
    'Groq, of the limit',
    400,
    '`max_completion_tokens` must be less than or equal to `8192`, the maximum value for `max_completion_tokens` is less than the `context_window` for this model',
    { largestLimit: 8192 },
  ],
  [
    'DeepSeek, of the limit',
    400,
    'Invalid max_tokens value, the valid range of max_tokens is [1, 8192]',
    { largestLimit: 8192 },
  ],
  ['DashScope, of the limit', 400, 'Range of max_tokens should be [1, 8192]', { largestLimit: 8192 }],
  [
    'Anthropic, of the limit',
    400,
    'max_tokens: 8000 > 4096, which is the maximum allowed number of output tokens for claude-3-haiku-20240307',
    { largestLimit: 4096 },
  ],
  [
    'vLLM, of a prompt that leaves no room',
    400,
    "'max_tokens' or 'max_completion_tokens' is too large: 32000. This model's maximum context length is 32768 tokens",
    undefined,
  ],
  ['a server that fails', 500, 'max_completion_tokens', undefined],
  ['a rejection for another reason', 400, 'Invalid schema: a number must be less than or equal to 500', undefined],
]

for (const [server, status, body, change] of REJECTIONS)
  t.test(`${server}: ${status} changes ${JSON.stringify(change ?? 'nothing')}`, async (t) => {
    t.strictSame(detectUnsupported(answered(status, body), ASSUMED), change)
  })

t.test('a parameter is changed only once, so that the calls come to an end', async (t) => {
  const changed: ParameterSupport = { limitName: 'max_tokens', reasoningEffort: undefined, largestLimit: 4096 }
  for (const body of ['max_completion_tokens', 'reasoning_effort', 'supports at most 1000 completion tokens'])
    t.equal(detectUnsupported(answered(400, body), changed), undefined)
})

t.test('an error without a reply changes nothing', async (t) => {
  t.equal(detectUnsupported(new Error('max_completion_tokens'), ASSUMED), undefined)
})

t.test(
  'support is learned for one learner, for all when a second one has found out the same, and for ten minutes',
  async (t) => {
    let nowMs = 1000
    const support = new LearnedSupport('low', () => nowMs)
    const learned = { limitName: 'max_tokens', reasoningEffort: undefined, largestLimit: 4096 } as const
    t.strictSame(support.of('first', 'A'), ASSUMED)
    support.learn('first', learned, 'A')
    t.strictSame(support.of('first', 'A'), learned)
    t.strictSame([support.of('first', 'B'), support.of('second', 'A')], [ASSUMED, ASSUMED])
    support.learn('first', { limitName: 'max_tokens' }, 'B')
    t.strictSame(support.of('first', 'C'), { ...ASSUMED, limitName: 'max_tokens' })
    support.learn('first', { largestLimit: 100 }, 'B')
    t.strictSame(
      support.of('first', 'C'),
      { ...ASSUMED, limitName: 'max_tokens' },
      'two different values confirm nothing',
    )
    nowMs += 600_000
    t.strictSame(support.of('first', 'A'), ASSUMED)
  },
)

t.test('a limit is not read from what the server repeats of the prompt', async (t) => {
  const said = 'This model supports at most 100 completion tokens'
  const error = answered(422, JSON.stringify({ detail: [{ msg: 'Invalid', input: `${said}, says a log.` }] }))
  t.equal(detectUnsupported(error, ASSUMED), undefined)
  t.equal(detectUnsupported(answered(400, said), ASSUMED, `A log: ${said}.`), undefined)
  t.strictSame(detectUnsupported(answered(400, said), ASSUMED, 'Summarize.'), { largestLimit: 100 })
})
