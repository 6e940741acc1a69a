import { Type, type Static } from '@sinclair/typebox'
import { Anything, Integer, Nullish, Numeric, OpenObject, Text } from './typebox.ts'

/** The fields of Headroom's `POST /v1/compress` that this service reads; all other fields are ignored. */
export const CompressRequestSchema = Type.Object(
  {
    messages: Type.Array(OpenObject({ role: Type.String() }, { title: 'GatewayMessage' }), {
      minItems: 1,
      description: 'Messages of OpenAI’s chat API or of Anthropic’s API.',
    }),
    model: Type.Optional(Anything('Ignored: the configuration of the service selects the model.')),
    token_budget: Nullish(
      Integer('The returned messages never have more tokens. Default: `PRECIS_COMPRESS_TOKENS`.', { minimum: 1 }),
    ),
    config: Nullish(
      OpenObject(
        { session_id: Nullish(Text('Returned in `session`. Nothing is found by it.')) },
        { description: 'All other fields of `config` are ignored.' },
      ),
    ),
  },
  { title: 'CompressRequest' },
)
export type CompressRequest = Static<typeof CompressRequestSchema>

export const CompressReplySchema = Type.Object(
  {
    messages: Type.Array(Type.Unknown(), {
      description:
        'The system messages, one message of the user with the summary, and the kept messages as they came, or without their middle.',
    }),
    tokens_before: Type.Integer(),
    tokens_after: Type.Integer(),
    tokens_saved: Type.Integer(),
    compression_ratio: Numeric('`tokens_after` divided by `tokens_before`.'),
    transforms_applied: Type.Array(Type.String(), {
      description: '`precis:summary`, `precis:shortened` (messages without their middle), both or nothing.',
    }),
    transforms_summary: Type.Record(Type.String(), Type.Integer()),
    ccr_hashes: Type.Array(Type.String(), { description: 'Always empty: nothing is to be retrieved later.' }),
    session: Type.Optional(
      Type.Object({
        id: Type.String(),
        frozen_message_count: Integer('The number of leading messages that stay the same until the next compaction.'),
        cached_prefix_replayed: Type.Boolean(),
      }),
    ),
  },
  { title: 'CompressReply' },
)
export type CompressReply = Static<typeof CompressReplySchema>
