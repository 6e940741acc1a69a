import { Type, type Static } from '@sinclair/typebox'
import { ContentSchema, AssistantMessageSchema, ChatToolMessageSchema, UserMessageSchema } from './message.ts'
import { REFUSED_OPTIONS } from './refused-options.ts'
import { Anything, Flag, FREE_CHOICE, Integer, Nullish, oneOf, OpenObject, Text } from './typebox.ts'

const SystemMessageSchema = OpenObject({ role: oneOf('system', 'developer'), content: ContentSchema })

const FunctionMessageSchema = OpenObject(
  { role: Type.Literal('function'), name: Type.String(), content: Nullish(Type.String()) },
  { description: 'A tool result in the older form of the API.' },
)

const ChatMessageSchema = Type.Union(
  [SystemMessageSchema, UserMessageSchema, AssistantMessageSchema, ChatToolMessageSchema, FunctionMessageSchema],
  { title: 'ChatMessage' },
)
export type RawChatMessage = Static<typeof ChatMessageSchema>

const limit = (description: string) => Nullish(Type.Integer({ minimum: 1, description }))

/** The fields of OpenAI's `POST /v1/chat/completions` that this service reads; all other fields are ignored. */
export const ChatCompletionRequestSchema = Type.Object(
  {
    messages: Type.Array(ChatMessageSchema, { minItems: 1 }),
    model: Type.Optional(Anything('Ignored: the configuration of the service selects the model.')),
    max_completion_tokens: limit('Output limit in tokens. Default and maximum: `PRECIS_MAX_SUMMARY_TOKENS`.'),
    max_tokens: limit('The older name of `max_completion_tokens`, which takes precedence.'),
    stream: Nullish(Flag('If true, the reply is a stream of server-sent events.')),
    stream_options: Nullish(OpenObject({ include_usage: Nullish(Type.Boolean()) })),
    stop: Nullish(
      Type.Union([Type.String(), Type.Array(Type.String(), { maxItems: 16 })], {
        description: 'The reply ends before the first of these texts.',
      }),
    ),
    ...REFUSED_OPTIONS,
    function_call: Type.Optional(Anything(`The older name of \`tool_choice\`. ${FREE_CHOICE}`)),
  },
  { title: 'ChatCompletionRequest' },
)

const ChatUsageSchema = Type.Object(
  { prompt_tokens: Type.Integer(), completion_tokens: Type.Integer(), total_tokens: Type.Integer() },
  { title: 'ChatUsage' },
)

export const ChatCompletionReplySchema = Type.Object(
  {
    id: Type.String(),
    object: Type.Literal('chat.completion'),
    created: Integer('Unix time in seconds.'),
    model: Text('The model that wrote the summary, or `embedded`.'),
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
