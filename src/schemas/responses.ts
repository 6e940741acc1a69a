import { Type, type Static } from '@sinclair/typebox'
import { REFUSED_OPTIONS } from './refused-options.ts'
import { Anything, Flag, Integer, Nullable, Nullish, oneOf, OpenObject, Text } from './typebox.ts'

const InputSchema = Nullish(
  Type.Union([Type.String(), Type.Array(OpenObject({}, { title: 'ResponsesItem' }), { minItems: 1 })], {
    description:
      'The whole conversation: a text of the user, or items. The `role` of a message is `user`, `assistant`, `system` or `developer`.',
  }),
)

/** References to what OpenAI's servers store: they are read only to be refused. */
const REFERENCES = {
  previous_response_id: Nullish(Text('Must be absent or null: this service stores no responses.')),
  conversation: Type.Optional(Anything('Must be absent or null: this service stores no conversations.')),
  prompt: Type.Optional(Anything('Must be absent or null: this service stores no prompts.')),
}

/** Options with values that would change the reply: they are read only to be refused. */
const FREE_OPTIONS = {
  ...REFUSED_OPTIONS,
  text: Type.Optional(Anything('The `type` of its `format` must be absent or `text`.')),
  background: Type.Optional(Anything('Must be absent or false: this service stores no responses.')),
  include: Type.Optional(Anything('Must not have `message.output_text.logprobs`. Its other values are ignored.')),
}

/** The fields of OpenAI's `POST /v1/responses` that this service reads; all other fields are ignored. */
export const ResponsesRequestSchema = Type.Object(
  {
    input: InputSchema,
    model: Type.Optional(Anything('Ignored: the configuration of the service selects the model.')),
    instructions: Nullish(Text('The system prompt.')),
    max_output_tokens: Nullish(
      Integer('Output limit in tokens. Default and maximum: `PRECIS_MAX_SUMMARY_TOKENS`.', { minimum: 1 }),
    ),
    stream: Nullish(Flag('If true, the reply is a stream of server-sent events.')),
    ...REFERENCES,
    ...FREE_OPTIONS,
  },
  { title: 'ResponsesRequest' },
)
export type ResponsesRequest = Static<typeof ResponsesRequestSchema>

/** The fields of OpenAI's `POST /v1/responses/compact` that this service reads; all other fields are ignored. */
export const ResponsesCompactRequestSchema = Type.Object(
  {
    model: Nullable(Text('Required as in OpenAI’s API, and ignored.')),
    input: InputSchema,
    ...REFERENCES,
    ...FREE_OPTIONS,
  },
  { title: 'ResponsesCompactRequest' },
)

const UsageSchema = Type.Object(
  {
    input_tokens: Type.Integer(),
    input_tokens_details: Type.Object({ cached_tokens: Type.Integer() }),
    output_tokens: Type.Integer(),
    output_tokens_details: Type.Object({ reasoning_tokens: Type.Integer() }),
    total_tokens: Type.Integer(),
  },
  { title: 'ResponsesUsage' },
)
export type ResponsesUsage = Static<typeof UsageSchema>

const CompactionItemSchema = Type.Object(
  {
    id: Type.String(),
    type: Type.Literal('compaction'),
    encrypted_content: Text('The summary, which this service reads in a later request.'),
  },
  { title: 'CompactionItem' },
)
export type CompactionItem = Static<typeof CompactionItemSchema>

const UserItemSchema = Type.Object(
  {
    id: Type.String(),
    type: Type.Literal('message'),
    status: Type.Literal('completed'),
    role: Type.Literal('user'),
    content: Type.Array(OpenObject({ type: oneOf('input_text', 'input_image', 'input_file') })),
  },
  { title: 'UserItem' },
)
export type UserItem = Static<typeof UserItemSchema>

const AnswerItemSchema = Type.Object(
  {
    id: Type.String(),
    type: Type.Literal('message'),
    status: Type.Literal('completed'),
    role: Type.Literal('assistant'),
    content: Type.Array(
      Type.Object({ type: Type.Literal('output_text'), text: Type.String(), annotations: Type.Array(Type.Object({})) }),
    ),
  },
  { title: 'AnswerItem' },
)

export const ResponseReplySchema = Type.Object(
  {
    id: Type.String(),
    object: Type.Literal('response'),
    created_at: Integer('Unix time in seconds.'),
    status: Type.Literal('completed'),
    model: Text('The model that wrote the text, or `embedded`.'),
    output: Type.Array(Type.Union([AnswerItemSchema, CompactionItemSchema])),
    usage: UsageSchema,
    error: Type.Null(),
    incomplete_details: Type.Null(),
    instructions: Type.Null(),
    metadata: Type.Object({}),
    parallel_tool_calls: Type.Boolean(),
    temperature: Type.Null(),
    tool_choice: Type.Literal('none'),
    tools: Type.Array(Type.Object({})),
    top_p: Type.Null(),
  },
  { title: 'Response' },
)
export type ResponseReply = Static<typeof ResponseReplySchema>

export const ResponsesCompactReplySchema = Type.Object(
  {
    id: Type.String(),
    object: Type.Literal('response.compaction'),
    created_at: Integer('Unix time in seconds.'),
    output: Type.Array(Type.Union([UserItemSchema, CompactionItemSchema]), {
      description: 'The next input: the newest messages of the user, and the summary.',
    }),
    usage: UsageSchema,
  },
  { title: 'CompactedResponse' },
)

/** The fields of a response that say nothing here: the API's clients expect them. */
export const UNUSED_RESPONSE_FIELDS = {
  error: null,
  incomplete_details: null,
  instructions: null,
  metadata: {},
  parallel_tool_calls: false,
  temperature: null,
  tool_choice: 'none',
  tools: [],
  top_p: null,
} satisfies Partial<ResponseReply>

/** How the next input has the summary: as an item that this service reads again, or as a message that every model reads. */
export const ItemStyleSchema = oneOf('compaction', 'messages')
export type ItemStyle = Static<typeof ItemStyleSchema>
