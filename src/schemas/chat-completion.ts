import { Type, type Static } from '@sinclair/typebox'
import { ContentSchema, AssistantMessageSchema, ChatToolMessageSchema, UserMessageSchema } from './message.ts'
import { CHAT_EXAMPLE } from './examples.ts'
import { Nullish, OpenObject, oneOf } from './typebox.ts'

const SystemMessageSchema = OpenObject({ role: oneOf('system', 'developer'), content: ContentSchema })

const FunctionMessageSchema = OpenObject(
  { role: Type.Literal('function'), name: Type.String(), content: Nullish(Type.String()) },
  { description: 'The old form of a tool result.' },
)

export const ChatMessageSchema = Type.Union(
  [SystemMessageSchema, UserMessageSchema, AssistantMessageSchema, ChatToolMessageSchema, FunctionMessageSchema],
  { title: 'ChatMessage' },
)
export type RawChatMessage = Static<typeof ChatMessageSchema>

const limit = (description: string) => Nullish(Type.Integer({ minimum: 1, description }))

/** OpenAI's `POST /v1/chat/completions`, as far as it is heeded here; all other fields pass and mean nothing. */
export const ChatCompletionRequestSchema = Type.Object(
  {
    messages: Type.Array(ChatMessageSchema, { minItems: 1 }),
    model: Type.Optional(Type.Unknown({ description: 'Ignored: the service has its own candidates.' })),
    max_completion_tokens: limit('Output limit, at most the cap; left out: the cap.'),
    max_tokens: limit('The older name of it.'),
    stream: Nullish(Type.Boolean({ description: 'Answer in chunks, as server-sent events.' })),
    stream_options: Nullish(OpenObject({ include_usage: Nullish(Type.Boolean()) })),
  },
  { title: 'ChatCompletionRequest', examples: [CHAT_EXAMPLE] },
)
export type ChatCompletionRequest = Static<typeof ChatCompletionRequestSchema>

export const ChatUsageSchema = Type.Object(
  { prompt_tokens: Type.Integer(), completion_tokens: Type.Integer(), total_tokens: Type.Integer() },
  { title: 'ChatUsage' },
)
export type ChatUsage = Static<typeof ChatUsageSchema>

export const ChatCompletionReplySchema = Type.Object(
  {
    id: Type.String(),
    object: Type.Literal('chat.completion'),
    created: Type.Integer({ description: 'Seconds since the epoch.' }),
    model: Type.String({ description: 'The candidate that answered, or `embedded`.' }),
    choices: Type.Array(
      Type.Object({
        index: Type.Integer(),
        message: Type.Object({ role: Type.Literal('assistant'), content: Type.String(), refusal: Type.Null() }),
        logprobs: Type.Null(),
        finish_reason: Type.Literal('stop'),
      }),
    ),
    usage: ChatUsageSchema,
  },
  { title: 'ChatCompletion' },
)
export type ChatCompletionReply = Static<typeof ChatCompletionReplySchema>
