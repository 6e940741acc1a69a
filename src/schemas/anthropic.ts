import { Type, type Static } from '@sinclair/typebox'
import { REFUSED_OPTIONS } from './refused-options.ts'
import { Anything, Flag, Integer, Nullish, oneOf, OpenObject, Text } from './typebox.ts'

/** The fields of Anthropic's `POST /v1/messages` that this service reads; all other fields are ignored. */
export const MessagesRequestSchema = Type.Object(
  {
    messages: Type.Array(OpenObject({ role: oneOf('user', 'assistant', 'system') }, { title: 'AnthropicMessage' }), {
      minItems: 1,
    }),
    model: Type.Optional(Anything('Ignored: the configuration of the service selects the model.')),
    max_tokens: Nullish(
      Integer('Output limit in tokens. Default and maximum: `PRECIS_MAX_SUMMARY_TOKENS`.', { minimum: 1 }),
    ),
    stream: Nullish(Flag('If true, the reply is a stream of server-sent events.')),
    ...REFUSED_OPTIONS,
    output_format: Type.Optional(Anything('Its `type` must be absent or `text`.')),
    output_config: Type.Optional(Anything('The `type` of its `format` must be absent or `text`.')),
    compaction: Nullish(
      OpenObject(
        { type: Type.String(), instructions: Nullish(Type.String()) },
        {
          description:
            'With the type `summarize`: asks for a compaction. `instructions` replaces those of the service.',
        },
      ),
    ),
    context_management: Nullish(
      OpenObject(
        {
          edits: Nullish(
            Type.Array(
              OpenObject({
                type: Type.String(),
                pause_after_compaction: Nullish(Type.Boolean()),
                instructions: Nullish(Type.String()),
              }),
            ),
          ),
        },
        { description: 'An edit `compact_20260112` with `pause_after_compaction` asks for a compaction.' },
      ),
    ),
  },
  { title: 'MessagesRequest' },
)
export type MessagesRequest = Static<typeof MessagesRequestSchema>

const tokenCounts = {
  input_tokens: Type.Integer(),
  output_tokens: Type.Integer(),
  cache_creation_input_tokens: Type.Integer(),
  cache_read_input_tokens: Type.Integer(),
}

export const MessagesReplySchema = Type.Object(
  {
    id: Type.String(),
    type: Type.Literal('message'),
    role: Type.Literal('assistant'),
    model: Text('The model that wrote the summary, or `embedded`.'),
    content: Type.Array(
      Type.Object({ type: Type.Literal('compaction'), content: Type.String(), encrypted_content: Type.Null() }),
    ),
    stop_reason: Type.Literal('compaction'),
    stop_sequence: Type.Null(),
    usage: Type.Object({
      ...tokenCounts,
      iterations: Type.Array(Type.Object({ type: Type.Literal('compaction'), ...tokenCounts })),
    }),
    precis: Type.Object(
      { messages: Type.Array(Type.Object({ role: Type.Literal('user'), content: Type.String() })) },
      { description: 'The same summary as a plain message, for servers that refuse a block of another service.' },
    ),
  },
  { title: 'CompactionMessage' },
)
export type MessagesReply = Static<typeof MessagesReplySchema>
