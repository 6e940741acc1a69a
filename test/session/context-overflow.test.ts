import t from 'tap'
import { OVERFLOW_WORDINGS, isContextOverflow } from '../../src/session/context-overflow.ts'

/** Beside each row's example: other forms in which the wording was seen. */
const OVERFLOWS: [server: string, text: string][] = [
  ...OVERFLOW_WORDINGS.map(([server, example]): [string, string] => [server, example]),
  ['OpenAI', "This model's maximum context length is 8192 tokens. However, your messages resulted in 10000 tokens."],
  ['Azure', '{"code":"context_length_exceeded","type":"invalid_request_error"}'],
  ['Anthropic', 'Request size exceeds model context window'],
  ['SGLang', "Requested token count exceeds the model's maximum context length of 262144 tokens."],
  ['GitHub Copilot', 'prompt token count of 137353 exceeds the limit of 128000'],
  ['llama.cpp', '{"error":{"code":400,"type":"exceed_context_size_error","n_prompt_tokens":14429,"n_ctx":8192}}'],
  ['Ollama', 'input exceeds context length'],
  [
    'vLLM, blaming the limit',
    "'max_tokens' or 'max_completion_tokens' is too large: 32000. This model's maximum context length is 32768 tokens and your request has 1200 input tokens (32000 > 32768 - 1200).",
  ],
  [
    'Groq, more than a whole minute',
    'Request too large for model `llama-3.3-70b-versatile` in organization `org_01` service tier `on_demand` on tokens per minute (TPM): Limit 12000, Requested 14137, please reduce your message size and try again.',
  ],
]

for (const [server, text] of OVERFLOWS)
  t.test(`${server}: ${text.slice(0, 60)}`, async (t) => {
    t.equal(isContextOverflow(text), true)
  })

t.test('each wording is known by its own row', async (t) => {
  t.same(
    OVERFLOW_WORDINGS.filter(([, example, pattern]) => !pattern.test(example)),
    [],
  )
})

const OTHERS = [
  'Rate limit reached for gpt-5 on tokens per min (TPM): Limit 30000, Used 25000, Requested 8000. Try again in 6s.',
  'Rate limit reached for gpt-5 on tokens per min (TPM): Limit 30000, Requested 40000.',
  'Request too large for gpt-4o on tokens per min (TPM), maximum context length is not the point',
  'You exceeded your current quota, please check your plan and billing details.',
  'ThrottlingException: Too many tokens, please wait before trying again.',
  'ThrottlingException: Too many tokens per day, please wait before trying again.',
  'rate limit exceeded, too many tokens per minute',
  'max_tokens is too large: 64000. This model supports at most 16384 completion tokens, whereas you provided 64000.',
  'max_tokens: 8000 > 4096, which is the maximum allowed number of output tokens for claude-3-haiku-20240307',
  '`max_completion_tokens` must be less than or equal to `8192`, the maximum value for `max_completion_tokens` is less than the `context_window` for this model',
  'Invalid max_tokens value, the valid range of max_tokens is [1, 8192]',
  "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
  'overloaded_error',
  '',
]

for (const text of OTHERS)
  t.test(`no overflow: ${text.slice(0, 60)}`, async (t) => {
    t.equal(isContextOverflow(text), false)
  })

t.test('what stands far down in a page is not read', async (t) => {
  t.equal(isContextOverflow(`${'x'.repeat(4000)} prompt is too long`), false)
})
