import { randomUUID } from 'node:crypto'
import {
  ChatCompletionReplySchema,
  ChatCompletionRequestSchema,
  type ChatCompletionReply,
} from '../../schemas/chat-completion.ts'
import { CHAT_PROBLEMS } from '../shared/problems.ts'
import { withRules } from '../shared/with-rules.ts'
import { CALLED_BY_AGENTS, type UseCase } from '../use-case.ts'
import { piecesOf, PipelineHeaderSchema, readCompleted, readChatModes, type CompletedChat } from './completed-chat.ts'

/**
 * `POST /v1/chat/completions`: for agents that can call only OpenAI's API. A stream begins after the summary has been
 * checked, so that an error gets its status.
 */
export const chatCompletions: UseCase = {
  path: '/v1/chat/completions',
  operationId: 'createChatCompletion',
  summary: 'Summarize in the format of OpenAI chat completions',
  description: withRules(
    'A chat that asks for its summary is compacted: its history is summarized and checked, by the instructions and within the limits of the request (docs/contract.md, "Compaction in other APIs"). Other chats go to the model unchanged. `model` and tools are ignored.',
    "Leading `system` and `developer` messages become the system prompt. All other messages go to the model in their order, as text: images as `[Image]`, tool calls and results as `[Assistant tool calls]: ` and `[Tool result]: ` lines. If the chat does not fit into the summarizer's window, it is split into parts, each with the last user message as its instructions.",
    'An option that would change the form of the reply is 400: `n` over 1, `modalities` other than text, `logprobs`, `top_logprobs` over 0, a `response_format` of JSON, a `tool_choice` or `function_call` that requires a call, a `logit_bias`, and the constraints of vLLM, llama.cpp and SGLang that `openapi.yaml` names. All other fields that are not there are ignored, without a report.',
    'The reply ends before the first text of `stop`, also if it is a summary. If nothing would be left of a summary, the reply is 400: its client would replace the conversation with it.',
    '`usage` is the count of the model server, or else the estimate of Précis. A stream has no heartbeat.',
    "An error is a problem that also has OpenAI's `error` member. A 413 has the code `context_length_exceeded` there.",
  ),
  tag: 'compaction',
  headers: PipelineHeaderSchema,
  body: ChatCompletionRequestSchema,
  reply: ChatCompletionReplySchema,
  events: 'With `stream`: events whose data are chunks of the completion; the data of the last event is `[DONE]`.',
  problems: [...CHAT_PROBLEMS, 'no-model'],
  ...CALLED_BY_AGENTS,
  isQueued: true,
  load: async () => (await import('./work.ts')).default,
  readModes: readChatModes,
  render(json) {
    const completed = readCompleted(json)
    const completion = toCompletion(completed)
    return completed.isStream ? { events: writeChatChunks(completion, completed) } : { json: completion }
  },
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
