/**
 * How servers say that a prompt is too long for the model: one pattern a wording, with where the wording was seen.
 * Agents write these texts into `errorMessage`; the model room hears them in a 400 or 413.
 */
const WORDINGS: readonly [source: string, pattern: RegExp][] = [
  ['OpenAI, Azure, Groq: error code', /context_length_exceeded/i],
  ['OpenAI, Azure, vLLM, OpenRouter: "maximum context length is 8192 tokens. However, ..."', /maximum context length/i],
  ['OpenAI Responses: "Your input exceeds the context window of this model."', /exceeds? (?:the )?context window/i],
  ['OpenAI: "Input tokens exceed the configured limit of 272000 tokens."', /input tokens exceed the configured limit/i],
  ['Anthropic: "prompt is too long: 212345 tokens > 200000 maximum"', /prompt is too long/i],
  ['Anthropic: "input length and `max_tokens` exceed context limit: 199759 + 20000 > 200000"', /exceed context limit/i],
  ['Anthropic: "Request size exceeds model context window"', /exceeds model context/i],
  [
    'Google: "The input token count (1196265) exceeds the maximum number of tokens allowed"',
    /token count.{0,40}exceeds/i,
  ],
  ['Bedrock: "Input is too long for requested model."', /input is too long/i],
  ['Mistral: "Prompt contains 140000 tokens ..., too large for model with 131072 maximum"', /too large for model/i],
  ['xAI: "This model\'s maximum prompt length is 131072 but ..."', /maximum prompt length/i],
  [
    'Groq: "Please reduce the length of the messages or completion."',
    /reduce the length of the (?:messages|prompt|input)/i,
  ],
  [
    'vLLM: "The decoder prompt (length 5000) is longer than the maximum model length of 4096."',
    /maximum model length/i,
  ],
  ['llama.cpp: "the request exceeds the available context size", type exceed_context_size_error', /context[ _]size/i],
  ['Ollama: "prompt too long; exceeded max context length by 4 tokens"', /prompt too long/i],
  ['Ollama: "the input length exceeds the context length"', /exceed(?:s|ed)? (?:the |max |maximum )*context length/i],
  ['LM Studio: "Trying to keep the first 4500 tokens when context the overflows."', /context the overflows/i],
  [
    'LM Studio: "The number of tokens to keep from the initial prompt is greater than the context length"',
    /greater than the context length/i,
  ],
  ['Kimi: "Your request exceeded model token limit: 131072 (requested: 150000)"', /exceeded model token limit/i],
]

/** Limits on tokens a minute speak of tokens that are too many too, and waiting helps against them. */
const RATE_LIMIT = /rate.?limit|per.?min|\bTPM\b|quota/i

/** Error texts are short; what is longer is a page, and its beginning tells. */
const MAX_CHARACTERS = 4000

/** Tells whether an error's text says that the prompt was too long for the model's context. */
export function isContextOverflow(text: string): boolean {
  const head = text.slice(0, MAX_CHARACTERS)
  return WORDINGS.some(([, pattern]) => pattern.test(head)) && !RATE_LIMIT.test(head)
}
