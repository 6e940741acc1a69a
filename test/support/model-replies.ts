import type { Reply } from './model-server.ts'

/** An answer with an error's status and body, as OpenAI writes it. */
export const errorReply = (status: number, message: string, extra: Record<string, unknown> = {}): Reply => ({
  status,
  body: { error: { message, type: 'invalid_request_error', param: null, code: null, ...extra } },
})

/** The faults of a model server that tests name, each as one answer. */
export const FAULTS = {
  rateLimited: { status: 429 },
  rateLimitedForLong: { status: 429, headers: { 'retry-after': '600' } },
  outOfQuota: errorReply(429, 'You exceeded your current quota.', { code: 'insufficient_quota' }),
  internal: { status: 500 },
  unavailable: { status: 503 },
  overloaded: { status: 529 },
  dropped: { drop: 'before' },
  droppedInBody: { drop: 'in-body' },
  stalled: { hang: 'before' },
  stalledInBody: { hang: 'in-body' },
  html: { headers: { 'content-type': 'text/html' }, body: '<html><body>Sign in</body></html>' },
  brokenJson: { body: '{"choices": [{"message": {"content": "half a' },
  noBody: { body: '' },
  noChoices: { body: { id: 'x', choices: [] } },
  nullBody: { body: 'null' },
  empty: { text: '' },
  nullText: { text: null },
  whitespace: { text: ' \n\t\u200b ' },
  thinkOnly: { text: '<think>The user wants a summary.</think>\n' },
  unclosedThink: { text: '<think>The user wants a summary.' },
  toolCallText: { text: '<tool_call>\n{"name": "read", "arguments": {"path": "a.ts"}}\n</tool_call>' },
  toolCall: {
    text: null,
    finishReason: 'tool_calls',
    message: { tool_calls: [{ id: 'c1', type: 'function', function: { name: 'read', arguments: '{}' } }] },
  },
  cutOff: { text: '## Goal\nHalf of', finishReason: 'length' },
  spentThinking: { text: '', finishReason: 'length' },
  filtered: { text: '## Goal\nHalf of', finishReason: 'content_filter' },
  refused: { text: null, message: { refusal: 'I cannot help with that.' } },
  tooLong: errorReply(400, "This model's maximum context length is 8192 tokens.", { code: 'context_length_exceeded' }),
  wrongKey: errorReply(401, 'Incorrect API key provided: sk-our-own-key.', { code: 'invalid_api_key' }),
  unknownModel: errorReply(404, 'The model `first` does not exist.', { code: 'model_not_found' }),
  badRequest: errorReply(400, 'Invalid schema.'),
} as const satisfies Record<string, Reply>

/** A server's refusal of a parameter, in OpenAI's words. */
export const refusedParameter = (name: string): Reply =>
  errorReply(400, `Unsupported parameter: '${name}' is not supported with this model.`, {
    param: name,
    code: 'unsupported_parameter',
  })
