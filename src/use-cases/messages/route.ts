import { randomUUID } from 'node:crypto'
import { writeSummaryMessage } from '../../agents/own-summary.ts'
import { MessagesReplySchema, MessagesRequestSchema, type MessagesReply } from '../../schemas/anthropic.ts'
import { readCompleted, type CompletedChat } from '../chat/completed-chat.ts'
import { CHAT_PROBLEMS, withRules } from '../shared/describe-route.ts'
import type { UseCase } from '../use-case.ts'

/** `POST /v1/messages`: answers requests for a compaction in the format of Anthropic's API, and no others. */
export const messages: UseCase = {
  path: '/v1/messages',
  operationId: 'compactMessages',
  summary: 'Compact in the format of Anthropic messages',
  description: withRules(
    "Anthropic's Messages API, for requests that ask for a compaction.",
    'Only requests that ask for a compaction: `compaction: {"type": "summarize"}`, or `context_management` with an edit `compact_20260112` that has `pause_after_compaction: true`. Its trigger is ignored. All others are 404.',
    'Everything is summarized. `instructions` replaces those of the service. `system` is not a part of the conversation. The newest compaction block of a request is an earlier compaction: of the messages before it, only those of the user count.',
    'A `tool_choice` of the type `any` or `tool` and an output format of JSON are 400, as are the options that are 400 for chat completions. `stop_sequences` is ignored: it is about the answer of a model, and the reply has none.',
    'The reply is a message with one block `compaction` and the stop reason `compaction`. Its `encrypted_content` is null, and it has no signature: whether another server accepts it is not known. In a stream, the event `message_delta` has `precis`.',
  ),
  tag: 'compaction',
  security: [{ bearer: [] }, { apiKey: [] }, {}],
  body: MessagesRequestSchema,
  reply: MessagesReplySchema,
  events: 'With `stream`: the events of Anthropic’s Messages API, from `message_start` to `message_stop`.',
  problems: [...CHAT_PROBLEMS, 'not-found'],
  isQueued: true,
  load: async () => (await import('./work.ts')).default,
  render(json) {
    const completed = readCompleted(json)
    const message = toMessage(completed)
    return completed.isStream ? { events: writeMessageEvents(message) } : { json: message }
  },
}

const NO_TOKENS = { input_tokens: 0, output_tokens: 0, cache_creation_input_tokens: 0, cache_read_input_tokens: 0 }

function toMessage({ text, report, usage }: CompletedChat): MessagesReply {
  const counts = { ...NO_TOKENS, input_tokens: usage.inputTokens, output_tokens: usage.outputTokens }
  return {
    id: `msg_${randomUUID().replaceAll('-', '')}`,
    type: 'message',
    role: 'assistant',
    model: report.model,
    content: [{ type: 'compaction', content: text, encrypted_content: null }],
    stop_reason: 'compaction',
    stop_sequence: null,
    // As in Anthropic's API, the tokens of a compaction are only in its iteration.
    usage: { ...NO_TOKENS, iterations: [{ type: 'compaction', ...counts }] },
    precis: { messages: [{ role: 'user', content: writeSummaryMessage(text) }] },
  }
}

/** Returns a compaction as the events of a stream: its text comes in one piece (beta `compact-2026-09-04`, SDK 1.12.0). */
function writeMessageEvents({ precis, ...message }: MessagesReply): string {
  const { content, stop_reason, stop_sequence, usage } = message
  const begun = { ...message, content: [], stop_reason: null, usage: NO_TOKENS }
  const blocks = content.flatMap((block, index) => [
    { type: 'content_block_start', index, content_block: { ...block, content: null } },
    { type: 'content_block_delta', index, delta: { ...block, type: 'compaction_delta' } },
    { type: 'content_block_stop', index },
  ])
  const events = [
    { type: 'message_start', message: begun },
    ...blocks,
    { type: 'message_delta', delta: { stop_reason, stop_sequence }, usage, precis },
    { type: 'message_stop' },
  ]
  return events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join('')
}
