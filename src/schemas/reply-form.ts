import { Type, type Static } from '@sinclair/typebox'

/** The forms of a reply. The ids of formats come here too, once a session can be written in another format. */
export const REPLY_FORMS = ['json', 'native', 'text'] as const

export type ReplyForm = (typeof REPLY_FORMS)[number]

/** The query parameters of `POST /compaction` that say how the reply is sent, whatever the body is. */
export const ReplyQuerySchema = Type.Object({
  reply: Type.Optional(
    Type.Unsafe<ReplyForm>(
      Type.String({
        enum: [...REPLY_FORMS],
        default: 'json',
        description:
          "`native`: what the agent's own storage needs, alone. `text`: the summary alone. Errors keep their status and are JSON.",
      }),
    ),
  ),
  maxChars: Type.Optional(
    Type.Integer({ minimum: 2, description: 'With `reply=text`: the most UTF-16 units of one part of the summary.' }),
  ),
  part: Type.Optional(
    Type.Integer({ minimum: 1, default: 1, description: 'With `maxChars`: the number of the part; the first is 1.' }),
  ),
})

/** How a reply is sent. */
export type ReplyQuery = Static<typeof ReplyQuerySchema>

/** The fields of a session's forms that say what the reply has. */
export const replyFields = {
  details: Type.Optional(Type.Literal('full', { description: 'The reply has more details, all extracted by code.' })),
  native: Type.Optional(
    Type.Boolean({ description: "The reply has `native`: what the agent's own storage needs.", default: false }),
  ),
  history: Type.Optional(
    Type.Boolean({
      description: 'Lists of messages: the reply has `history`, the compacted list in the form that was posted.',
      default: false,
    }),
  ),
  summary: Type.Optional(
    Type.String({
      minLength: 1,
      description: 'A summary in place of a model call: it is checked, and returned as it is.',
    }),
  ),
}

const NativeSchema = Type.Object(
  {
    mode: Type.Union([Type.Literal('append'), Type.Literal('replace'), Type.Literal('sidecar')], {
      description: 'Append the body to the session file, replace the file, or write the body beside it.',
    }),
    contentType: Type.String(),
    body: Type.String(),
  },
  { title: 'Native', description: 'For `"native": true`: what the agent\'s own storage needs.' },
)

/** The fields of a reply that bring a compaction back into the session. */
export const writtenFields = {
  native: Type.Optional(NativeSchema),
  history: Type.Optional(
    Type.Array(Type.Object({}, { additionalProperties: true }), {
      description:
        'For `"history": true`: the instructions, the summary as a message of the user, and the kept messages.',
    }),
  ),
}
