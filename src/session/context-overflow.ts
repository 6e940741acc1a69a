/**
 * Returns whether an error text says that the prompt was too long for the model's context. Agents write such texts into
 * `errorMessage`; model servers send them in the body of an error response.
 */
export function isContextOverflow(text: string): boolean {
  const head = text.slice(0, MAX_ERROR_CHARACTERS)
  if (RATE_LIMIT.test(head)) return OVER_MINUTE_LIMIT.test(head)
  return OVERFLOW_WORDINGS.some(([, , pattern]) => pattern.test(head))
}

/** Error texts are short; a longer text is an HTML page, which has its message at the beginning. */
const MAX_ERROR_CHARACTERS = 4000

/** A limit on tokens per minute or per day is not a limit of the model: the same request can succeed later. */
const RATE_LIMIT = /rate.?limit|too many requests|throttl|\bper.?(?:min|day)|\bTPM\b|quota/i

/** A request that is larger than the whole limit of a minute never succeeds, so it counts as too long. */
const OVER_MINUTE_LIMIT = /request too large for .{1,200}: limit \d+, requested \d+/i

type Wording = readonly [server: string, example: string, pattern: RegExp]

/**
 * How servers say that a prompt is too long for the model: one row per wording, with a recorded example. The source "pi"
 * is pi's own list (earendil-works/pi, packages/ai/src/utils/overflow.ts).
 */
export const OVERFLOW_WORDINGS: readonly Wording[] = [
  // github.com/rahul2002m/ChatPDF/issues/6
  ['OpenAI, Azure, Groq, Cerebras', '"code": "context_length_exceeded"', /context[_ ]length[_ ]exceeded/i],
  // github.com/vllm-project/vllm/issues/42474, github.com/OpenHands/OpenHands/issues/9937 (OpenRouter)
  [
    'OpenAI, Azure, vLLM, SGLang, DeepSeek, OpenRouter',
    "This endpoint's maximum context length is 131072 tokens. However, you requested about 138956 tokens",
    /maximum context length/i,
  ],
  // pi; "Request size exceeds model context window" is the text of a gateway to Anthropic, found in public code
  [
    'OpenAI, Anthropic',
    'Your input exceeds the context window of this model.',
    /exceeds? (?:the |model )?context window/i,
  ],
  // found in many public logs, with limits of 272,000 and 922,000
  [
    'OpenAI',
    'Input tokens exceed the configured limit of 272000 tokens. Your messages resulted in 402740 tokens.',
    /input tokens exceed the configured limit/i,
  ],
  // github.com/vanna-ai/vanna-flask/issues/11 (429), github.com/continuedev/continue/issues/10218 (Groq, 413)
  [
    'OpenAI, Groq',
    'Request too large for gpt-4o on tokens per min (TPM): Limit 30000, Requested 342389.',
    OVER_MINUTE_LIMIT,
  ],
  // github.com/earendil-works/pi/issues/102; also through Bedrock: github.com/daisuke-awaji/moca/issues/254
  ['Anthropic, Bedrock', 'prompt is too long: 219898 tokens > 200000 maximum', /prompt is too long/i],
  // platform.claude.com/docs, "Context windows"
  ['Anthropic', 'input length and `max_tokens` exceed context limit: 199759 + 20000 > 200000', /exceed context limit/i],
  // pi, for both servers
  [
    'Google, GitHub Copilot',
    'The input token count (1196265) exceeds the maximum number of tokens allowed (1048575).',
    /token count.{0,40}exceeds/i,
  ],
  // found in public code, from gemini-1.5
  [
    'Google Vertex',
    'Unable to submit request because the input token count is 3601938 but model only supports up to 1000000.',
    /token count is \d+ but model only supports/i,
  ],
  // github.com/aws-samples/bedrock-chat/issues/95
  ['Bedrock', 'ValidationException: Input is too long for requested model.', /input is too long/i],
  // found in public code, with code 3051
  [
    'Mistral',
    'Prompt contains 159202 tokens and 0 draft tokens, too large for model with 131072 maximum context length',
    /too large for model with/i,
  ],
  // github.com/cline/cline/issues/3120
  [
    'xAI',
    "This model's maximum prompt length is 131072 but the request contains 136973 tokens.",
    /maximum prompt length/i,
  ],
  // pi
  [
    'Groq, Cerebras',
    'Please reduce the length of the messages or completion.',
    /reduce the length of the (?:messages|prompt|input)/i,
  ],
  // found in public logs of vLLM's workers
  [
    'vLLM',
    'The decoder prompt (length 88049) is longer than the maximum model length of 32768.',
    /maximum model length/i,
  ],
  // pi
  [
    'Together, SGLang',
    "The input (516368 tokens) is longer than the model's context length (262144 tokens).",
    /longer than the model'?s context length/i,
  ],
  // github.com/ggml-org/llama.cpp/pull/15780, github.com/ggml-org/llama.cpp/issues/17284
  [
    'llama.cpp',
    'the request exceeds the available context size, try increasing it',
    /available context size|exceed_context_size_error/i,
  ],
  // github.com/fedora-copr/logdetective-website/pull/193
  [
    'llama-cpp-python',
    'Requested tokens (2285) exceed context window of 2048',
    /tokens \(\d+\) exceed context window/i,
  ],
  // pi
  ['Ollama', 'prompt too long; exceeded max context length by 100918 tokens', /prompt too long/i],
  // github.com/ITSpecialist111/ai_automation_suggester/issues/37
  ['Ollama', 'the input length exceeds the context length', /input (?:length )?exceeds (?:the )?context length/i],
  // github.com/lmstudio-ai/lmstudio-bug-tracker/issues/546
  ['LM Studio', 'Trying to keep the first 111490 tokens when context the overflows.', /context the overflows/i],
  // github.com/anomalyco/opencode/issues/2259
  [
    'LM Studio',
    'The number of tokens to keep from the initial prompt is greater than the context length.',
    /greater than the context length/i,
  ],
  // github.com/anomalyco/opencode/issues/11141
  ['LM Studio', 'Cannot truncate prompt with n_keep (15028) >= n_ctx (7424)', /n_keep.{0,40}>= n_ctx/i],
  // pi
  ['Kimi', 'Your request exceeded model token limit: 262144 (requested: 300000)', /exceeded model token limit/i],
  // pi
  ['MiniMax', 'invalid params, context window exceeds limit', /context window exceeds limit/i],
  // alibabacloud.com/help/zh/model-studio/error-code
  ['DashScope', 'Range of input length should be [1, 98304]', /range of input length should be/i],
]
