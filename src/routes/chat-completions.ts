import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import { randomUUID } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { completeChat, type CompletedChat } from '../complete-chat.ts'
import { EVENT_STREAM, streamHeaders } from '../http/answer-as-asked.ts'
import type { CompactionServices } from '../pipeline.ts'
import {
  ChatCompletionReplySchema,
  ChatCompletionRequestSchema,
  type ChatCompletionReply,
} from '../schemas/chat-completion.ts'
import { noteReport } from './note-report.ts'
import { asJsonOrEvents } from './json-or-events.ts'
import { chatProblemResponses } from './problem-responses.ts'
import { writeChatChunks } from './write-chat-chunks.ts'

const CHUNKS = 'With `stream`: chunks of the completion as the data of events, the last `[DONE]`.'

/**
 * `POST /v1/chat/completions`: for agents that can call nothing but OpenAI's API. A stream begins once the text is
 * checked, so that what fails has its status.
 */
export function chatCompletionsRoute(app: FastifyInstance, services: CompactionServices): void {
  app.withTypeProvider<TypeBoxTypeProvider>().post(
    '/v1/chat/completions',
    {
      schema: {
        summary: "Summarize in the shape of OpenAI's chat completions",
        description: 'The messages go to the summarizer in their order; `model` and tools are ignored.',
        tags: ['compaction'],
        body: ChatCompletionRequestSchema,
        response: { 200: asJsonOrEvents(ChatCompletionReplySchema, CHUNKS), ...chatProblemResponses },
      },
    },
    async (request, reply) => {
      const { body, budget } = request
      const completed = await completeChat(body, services, budget)
      noteReport(request, completed)
      const completion = write(completed)
      if (body.stream !== true) return completion
      const includeUsage = body.stream_options?.include_usage === true
      return reply.headers(streamHeaders(EVENT_STREAM)).send(writeChatChunks(completion, { includeUsage }))
    },
  )
}

const write = ({ text, report, usage }: CompletedChat): ChatCompletionReply => ({
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
})
