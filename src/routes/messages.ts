import { randomUUID } from 'node:crypto'
import { EVENT_STREAM, streamHeaders } from '../http/stream-reply.ts'
import type { CompletedChat } from '../use-cases/chats/complete-chat.ts'
import { MessagesReplySchema, MessagesRequestSchema, type MessagesReply } from '../schemas/anthropic.ts'
import { writeSummaryMessage } from '../agents/summary-message.ts'
import { runChat } from './run-chat.ts'
import { anthropicErrorResponses, asJsonOrEvents } from './reply.ts'
import type { Route } from './route.ts'

const EVENTS = 'With `stream`: the events of Anthropic’s Messages API, from `message_start` to `message_stop`.'

/** `POST /v1/messages`: answers requests for a compaction in the format of Anthropic's API, and no others. */
export const messagesRoute: Route = (services) => async (app) => {
  app.post(
    '/v1/messages',
    {
      schema: {
        summary: 'Compact in the format of Anthropic messages',
        description:
          'Only requests that ask for a compaction: with `compaction`, or with an edit `compact_20260112` that pauses. ' +
          'Everything is summarized. Any other request is 404.',
        tags: ['compaction'],
        security: [{ bearer: [] }, { apiKey: [] }, {}],
        body: MessagesRequestSchema,
        response: { 200: asJsonOrEvents(MessagesReplySchema, EVENTS), ...anthropicErrorResponses },
      },
    },
    async (request, reply) => {
      const completed = await runChat('messages', { request, reply }, services)
      const message = toMessage(completed)
      if (!completed.isStream) return message
      return reply.headers(streamHeaders(EVENT_STREAM)).send(writeMessageEvents(message))
    },
  )
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
