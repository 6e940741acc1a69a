import { randomUUID } from 'node:crypto'
import type { CompletedChat } from '../use-cases/chats/complete-chat.ts'
import { EVENT_STREAM, streamHeaders } from '../http/stream-reply.ts'
import {
  ChatCompletionReplySchema,
  ChatCompletionRequestSchema,
  type ChatCompletionReply,
} from '../schemas/chat-completion.ts'
import { runChat, piecesOf, PipelineHeaderSchema } from './run-chat.ts'
import { asJsonOrEvents, chatProblemResponses } from './reply.ts'
import { CALLED_BY_AGENTS, type Route } from './route.ts'

const CHUNKS = 'With `stream`: events whose data are chunks of the completion; the data of the last event is `[DONE]`.'

/**
 * `POST /v1/chat/completions`: for agents that can call only OpenAI's API. A stream begins after the summary has been
 * checked, so that an error gets its status.
 */
export const chatCompletionsRoute: Route = (services) => async (app) => {
  app.post(
    '/v1/chat/completions',
    {
      schema: {
        summary: 'Summarize in the format of OpenAI chat completions',
        description:
          'A chat that asks for its summary is compacted: its history is summarized and checked, by the instructions and within the ' +
          'limits of the request. Other chats go to the model unchanged. `model` and tools are ignored.',
        headers: PipelineHeaderSchema,
        tags: ['compaction'],
        body: ChatCompletionRequestSchema,
        response: { 200: asJsonOrEvents(ChatCompletionReplySchema, CHUNKS), ...chatProblemResponses(CALLED_BY_AGENTS) },
      },
      config: CALLED_BY_AGENTS,
    },
    async (request, reply) => {
      const completed = await runChat('chat', { request, reply }, services)
      const completion = toCompletion(completed)
      const { isStream, includeUsage } = completed
      if (!isStream) return completion
      return reply.headers(streamHeaders(EVENT_STREAM)).send(writeChatChunks(completion, { includeUsage }))
    },
  )
}

function toCompletion({ text, report, usage }: CompletedChat): ChatCompletionReply {
  return {
    id: `chatcmpl-${randomUUID()}`,
    object: 'chat.completion',
    created: Math.floor(Date.now() / 1000),
    model: report.model,
    choices: [
      {
        index: 0,
        message: { role: 'assistant', content: text, refusal: null },
        logprobs: null,
        finish_reason: 'stop',
      },
    ],
    usage: {
      prompt_tokens: usage.inputTokens,
      completion_tokens: usage.outputTokens,
      total_tokens: usage.inputTokens + usage.outputTokens,
    },
  }
}

/**
 * Returns a completion as the events of a stream (OpenAI API reference, "The chat completion chunk object"): the role, the
 * text in pieces, the finish reason, the usage if the client asked for it, `[DONE]`.
 */
export function writeChatChunks(
  { id, created, model, choices, usage }: ChatCompletionReply,
  { includeUsage }: { includeUsage: boolean },
): string {
  const head = { id, object: 'chat.completion.chunk', created, model }
  const chunk = (delta: object, finish_reason: 'stop' | null = null): object => ({
    ...head,
    choices: [{ index: 0, delta, logprobs: null, finish_reason }],
    ...(includeUsage ? { usage: null } : {}),
  })
  const text = choices[0]?.message.content ?? ''
  const chunks = [
    chunk({ role: 'assistant', content: '' }),
    ...piecesOf(text).map((content) => chunk({ content })),
    chunk({}, 'stop'),
    ...(includeUsage ? [{ ...head, choices: [], usage }] : []),
  ]
  return [...chunks.map((one) => JSON.stringify(one)), '[DONE]'].map((data) => `data: ${data}\n\n`).join('')
}
