import t from 'tap'
import { isContextOverflow } from '../../src/plan/is-context-overflow.ts'

const OVERFLOWS: [server: string, text: string][] = [
  ['OpenAI', "This model's maximum context length is 8192 tokens. However, your messages resulted in 10000 tokens."],
  ['OpenAI Responses', 'Your input exceeds the context window of this model. Please adjust your input and try again.'],
  ['OpenAI', 'Input tokens exceed the configured limit of 272000 tokens. Your messages resulted in 300000 tokens.'],
  ['Azure', '{"code":"context_length_exceeded","type":"invalid_request_error"}'],
  ['Anthropic', 'prompt is too long: 212345 tokens > 200000 maximum'],
  ['Anthropic', 'input length and `max_tokens` exceed context limit: 199759 + 20000 > 200000'],
  ['Google', 'The input token count (1196265) exceeds the maximum number of tokens allowed (1048575).'],
  ['Bedrock', 'ValidationException: Input is too long for requested model.'],
  [
    'Mistral',
    'Prompt contains 140000 tokens and 0 draft tokens, too large for model with 131072 maximum context length',
  ],
  ['xAI', "This model's maximum prompt length is 131072 but the request contains 537812 tokens."],
  ['Groq', 'Please reduce the length of the messages or completion.'],
  ['OpenRouter', "This endpoint's maximum context length is 131072 tokens. However, you requested about 150000 tokens"],
  ['vLLM', 'The decoder prompt (length 5000) is longer than the maximum model length of 4096.'],
  ['llama.cpp', 'the request exceeds the available context size, try increasing it'],
  ['Ollama', 'prompt too long; exceeded max context length by 4 tokens'],
  ['Ollama', 'the input length exceeds the context length'],
  [
    'LM Studio',
    'Trying to keep the first 4500 tokens when context the overflows. However, the model is loaded with 4096',
  ],
  ['LM Studio', 'The number of tokens to keep from the initial prompt is greater than the context length.'],
]

for (const [server, text] of OVERFLOWS)
  t.test(`${server}: ${text.slice(0, 60)}`, async (t) => {
    t.equal(isContextOverflow(text), true)
  })

const OTHERS = [
  'Rate limit reached for gpt-5 on tokens per min (TPM): Limit 30000, Requested 40000.',
  'Request too large for gpt-4o on tokens per min (TPM), maximum context length is not the point',
  'You exceeded your current quota, please check your plan and billing details.',
  'overloaded_error',
  '',
]

for (const text of OTHERS)
  t.test(`no overflow: ${text.slice(0, 60)}`, async (t) => {
    t.equal(isContextOverflow(text), false)
  })
